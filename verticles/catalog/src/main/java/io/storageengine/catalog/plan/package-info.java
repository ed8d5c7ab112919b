/// Scan planning for clients that leave it to the server: which files of a native table a scan reads, and which
/// delete files apply to them. Nothing is kept between calls.
@NullMarked
package io.storageengine.catalog.plan;

import org.jspecify.annotations.NullMarked;
