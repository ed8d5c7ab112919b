/// The questions that rooms ask each other over the event bus, and their answers.
@NullMarked
package io.storageengine.core.message;

import org.jspecify.annotations.NullMarked;
