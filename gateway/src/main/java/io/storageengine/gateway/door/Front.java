package io.storageengine.gateway.door;

import io.storageengine.core.Failure;

/// Takes the requests of one protocol. Called on the request's event loop, with the request paused; must not
/// block it.
///
/// @param <R> the routes it takes
public interface Front<R extends Route> {
    /// Answers the request, now or later.
    void handle(Exchange exchange, R route);

    /// Answers with a failure in the protocol's form.
    void refuse(Exchange exchange, Failure failure);
}
