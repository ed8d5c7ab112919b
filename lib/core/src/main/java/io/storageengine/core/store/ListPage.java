package io.storageengine.core.store;

import java.util.List;

/// One page of a listing.
///
/// @param objects in UTF-8 byte order of keys
/// @param commonPrefixes in UTF-8 byte order; each ends with the delimiter
/// @param next what to pass as [ListRequest#after] for the following page; empty when this is the last
public record ListPage(List<ObjectInfo> objects, List<String> commonPrefixes, String next) {
    public ListPage {
        objects = List.copyOf(objects);
        commonPrefixes = List.copyOf(commonPrefixes);
    }

    public boolean isLast() {
        return next.isEmpty();
    }
}
