/// The house rules: which room may enter which, and how big things may grow.
@NullMarked
package io.storageengine.checks.rooms;

import org.jspecify.annotations.NullMarked;
