package io.storageengine.core.message;

/// A request is open.
///
/// @param session names it in [SendRows], [EndRows] and [AbortRows]
public record BegunRows(String session) implements Answer {}
