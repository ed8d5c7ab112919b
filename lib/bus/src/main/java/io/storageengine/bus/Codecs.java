package io.storageengine.bus;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.storageengine.core.message.Question;
import io.storageengine.proto.bus.BusProto;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import java.util.function.Function;

/// The two codecs of the bus. In one JVM a message passes by reference, without a copy of the row data;
/// between JVMs it is a length and a protobuf message.
final class Codecs {
    private static final String QUESTION = "se.question";
    private static final String REPLY = "se.reply";

    private Codecs() {}

    /// Registers the codecs once per event bus and selects them by the body's type.
    static void register(Vertx vertx) {
        EventBus bus = vertx.eventBus();
        synchronized (bus) {
            if (vertx.sharedData().getLocalMap("se.codecs").putIfAbsent("registered", true) != null) return;
            bus.registerCodec(new WireCodec<Question<?>>(
                    QUESTION,
                    QuestionCodec::encode,
                    bytes -> QuestionCodec.decode(BusProto.Question.parseFrom(bytes))));
            bus.registerCodec(new WireCodec<Reply>(
                    REPLY, ReplyCodec::encode, bytes -> ReplyCodec.decode(BusProto.Reply.parseFrom(bytes))));
            bus.codecSelector(body -> switch (body) {
                case Question<?> question -> QUESTION;
                case Reply reply -> REPLY;
                case Object other -> null;
            });
        }
    }

    private interface Parser<T> {
        T parse(byte[] bytes) throws InvalidProtocolBufferException;
    }

    private record WireCodec<T>(String name, Function<T, MessageLite> encoder, Parser<T> parser)
            implements MessageCodec<T, T> {
        @Override
        public void encodeToWire(Buffer buffer, T message) {
            byte[] bytes = encoder.apply(message).toByteArray();
            buffer.appendInt(bytes.length).appendBytes(bytes);
        }

        @Override
        public T decodeFromWire(int position, Buffer buffer) {
            int start = position + Integer.BYTES;
            byte[] bytes = buffer.getBytes(start, start + buffer.getInt(position));
            try {
                return parser.parse(bytes);
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalArgumentException("not a message of this bus", e);
            }
        }

        @Override
        public T transform(T message) {
            return message;
        }

        @Override
        public byte systemCodecID() {
            return -1;
        }
    }
}
