package io.storageengine.gateway.node;

import io.storageengine.core.Clock;
import java.security.SecureRandom;
import org.apache.logging.log4j.LogManager;
import org.slf4j.LoggerFactory;

/// `se`: reads what was asked for, runs a node until it is told to stop.
public final class Main {
    private static final int FAILED = 1;
    private static final int REFUSED = 2;

    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        try {
            switch (CommandLineReader.read(args, System.getenv())) {
                case CommandLineReader.Print(String text) -> System.out.println(text.stripTrailing());
                case CommandLineReader.Tokens(TokensOrder order) -> tokens(order);
                case CommandLineReader.Catalog(CatalogOrder order) -> catalog(order);
                case CommandLineReader.Run run -> run(run);
            }
        } catch (StartRefused e) {
            System.err.println("se: " + e.getMessage());
            System.exit(REFUSED);
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(Main.class).error("the node failed", e);
            System.exit(FAILED);
        }
    }

    private static void tokens(TokensOrder order) {
        System.setProperty("se.log.level", order.logLevel());
        TokensCommand.run(order, new NodeClock(), new SecureRandom(), System.out, System.err);
        System.exit(0);
    }

    private static void catalog(CatalogOrder order) {
        System.setProperty("se.log.level", order.logLevel());
        CatalogCommand.run(order, new NodeClock(), new SecureRandom(), System.out);
        System.exit(0);
    }

    private static void run(CommandLineReader.Run run) throws InterruptedException {
        Settings settings = run.settings();
        System.setProperty("se.log.level", settings.logLevel());
        Clock clock = new NodeClock();
        Node node = Node.start(settings, new EngineRooms(), clock, new SecureRandom());
        if (run.trainFolder().isPresent()) {
            Training.run(node);
            node.stop();
            System.exit(0);
        }
        Greeting.print(settings, node, System.out);
        StopSignal.await();
        node.stop();
        LogManager.shutdown();
        System.exit(0);
    }
}
