package io.storageengine.catalog.upstream;

import io.storageengine.catalog.log.CatalogLog;
import io.storageengine.catalog.state.CatalogState;
import io.storageengine.catalog.state.Command;
import io.storageengine.core.Clock;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.Claim;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Claims on keys for an upstream's tables, in a log of this engine's own.
///
/// A claim is noted *before* the commit that covers it, and counts once the table's mark has reached its
/// position: so a crash between the two neither loses a claim nor makes one up.
public final class UpstreamClaims {
    private final CatalogLog log;
    private final Clock clock;

    public UpstreamClaims(CatalogLog log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /// The claim on a key that counts. No request when nothing was noted in exclusive mode.
    Optional<Claim> find(UUID table, String key, Supplier<ForeignTable> loaded) {
        return noted(log.state(), table, key).filter(claim -> counts(claim, loaded.get()));
    }

    private Optional<Claim> noted(CatalogState state, UUID table, String key) {
        return state.table(table).flatMap(known -> known.progress().claims().find(key, clock.wallMillis()));
    }

    private static boolean counts(Claim claim, ForeignTable table) {
        return table.marks().getOrDefault(claim.log(), 0L) >= claim.position();
    }

    /// Notes the claims of a commit to come; `CONFLICT` (`ClaimExists`) when one of the keys is claimed.
    void note(UUID table, List<Claim> claims, ForeignTable loaded) {
        if (claims.isEmpty()) return;
        CatalogState state = log.state();
        for (Claim claim : claims) {
            if (noted(state, table, claim.key())
                    .filter(old -> counts(old, loaded))
                    .isPresent()) {
                throw new FailureException(new Failure(
                        Failure.Kind.CONFLICT,
                        "ClaimExists",
                        "A committed request has claimed the key " + claim.key()));
            }
        }
        log.submit(new Command.NoteClaims(table, claims)).orThrow();
    }
}
