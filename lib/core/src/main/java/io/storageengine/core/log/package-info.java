/// The object log: the one primitive that everything durable is built on.
@NullMarked
package io.storageengine.core.log;

import org.jspecify.annotations.NullMarked;
