/// HTTP in and out: calls, routes, replies, pages.
@NullMarked
package io.storageengine.catalog.rest;

import org.jspecify.annotations.NullMarked;
