package io.storageengine.core.message;

import java.util.List;

/// A table by its name.
///
/// @param catalog catalog id
/// @param namespace levels of the namespace, at least one
/// @param name the table's name
public record TableRef(String catalog, List<String> namespace, String name) {
    public TableRef {
        namespace = List.copyOf(namespace);
        if (namespace.isEmpty()) throw new IllegalArgumentException("a table is in a namespace");
    }

    /// `ns1.ns2.table`, for messages to people.
    public String display() {
        return String.join(".", namespace) + "." + name;
    }
}
