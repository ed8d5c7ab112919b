package io.storageengine.catalog.state;

/// Where a table or a view is found.
///
/// @param space path of its namespace
/// @param name within the namespace
public record TableName(String space, String name) {
    /// `a.b.name`, for messages to people.
    public String display() {
        return Space.display(space) + "." + name;
    }
}
