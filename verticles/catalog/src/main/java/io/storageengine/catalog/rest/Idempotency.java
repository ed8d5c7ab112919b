package io.storageengine.catalog.rest;

import io.storageengine.catalog.iceberg.Refusals;
import io.storageengine.catalog.state.Decisions;
import io.storageengine.catalog.state.KeptReplies;
import io.storageengine.catalog.state.KeptReply;
import io.storageengine.catalog.state.RequestKey;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.CatalogReply;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/// The `Idempotency-Key` of the REST specification: a request that comes again with the key of one that was
/// answered gets an equal answer and has no further effect. What is done and final refusals (4xx) are answered
/// again for [#LIFETIME]; what may yet turn out otherwise (5xx, 429) is tried anew. A key that comes with
/// another request is refused with 422.
final class Idempotency {
    /// ISO 8601, for `/v1/config`.
    static final String LIFETIME = "PT" + KeptReplies.KEPT_MINUTES + "M";

    private static final String HEADER = "idempotency-key";
    private static final String UUID_FORM = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";

    private final NativeCatalog catalog;

    Idempotency(NativeCatalog catalog) {
        this.catalog = catalog;
    }

    /// What a request does; it passes its key on to the catalog.
    interface Work {
        CatalogReply run(RequestKey key);
    }

    /// Does the work, unless it was done before.
    ///
    /// @param replay makes the answer again from the text that was kept
    CatalogReply answer(Call call, Work work, Function<String, CatalogReply> replay) {
        RequestKey key = key(call);
        if (key.isNone()) return work.run(key);
        Optional<KeptReply> kept = catalog.answered(key);
        if (kept.isPresent()) return again(kept.get(), key, replay);
        try {
            return work.run(key);
        } catch (FailureException e) {
            if (!isFinal(e.failure())) throw e;
            Optional<KeptReply> now = catalog.answered(key);
            return now.isPresent() ? again(now.get(), key, replay) : replay.apply(catalog.refuse(key, e.failure()));
        }
    }

    /// The same for work whose answer has no body.
    CatalogReply answer(Call call, Work work) {
        return answer(call, work, text -> Replies.noContent());
    }

    private static CatalogReply again(KeptReply kept, RequestKey key, Function<String, CatalogReply> replay) {
        if (!kept.answers(key)) throw new FailureException(Decisions.otherRequest(key));
        kept.failure().ifPresent(failure -> {
            throw new FailureException(failure);
        });
        return replay.apply(kept.text());
    }

    private static boolean isFinal(Failure failure) {
        int status = Replies.failure(failure, true).status();
        return status == 400 || status == 403 || status == 404 || status == 409 || status == 422;
    }

    private static RequestKey key(Call call) {
        String key = call.headers().get(HEADER);
        if (key == null) return new RequestKey("", "", call.principal());
        if (!key.matches(UUID_FORM)) {
            throw Refusals.bad("Invalid Idempotency-Key: it is a UUID (of version 7) of 36 characters");
        }
        return new RequestKey(key, hash(call), call.principal());
    }

    private static String hash(Call call) {
        String head = call.method() + "\n" + String.join("/", call.rawPath()) + "\n" + call.rawQuery() + "\n";
        return Hashes.sha256(StandardCharsets.UTF_8.encode(head), call.body());
    }
}
