package io.storageengine.catalog.rest;

import io.storageengine.catalog.state.Space;
import io.storageengine.catalog.tables.NativeCatalog;
import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.message.CatalogReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The operations on functions: the specification has no way to make one, so that there are none.
final class FunctionCalls {
    private final NativeCatalog catalog;

    FunctionCalls(NativeCatalog catalog) {
        this.catalog = catalog;
    }

    CatalogReply list(Call call, String path) {
        Page page = Page.of(call, "functions " + path);
        catalog.loadSpace(path);
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("next-page-token", page.next(List.of()));
        response.put("identifiers", List.of());
        return Replies.of(response);
    }

    CatalogReply load(String path, String name) {
        catalog.loadSpace(path);
        throw new FailureException(new Failure(
                Failure.Kind.NOT_FOUND,
                "NoSuchFunctionException",
                "Function does not exist: " + Space.display(path) + "." + name));
    }
}
