/// Tests of the secret store.
@NullMarked
package io.storageengine.catalog.secrets;

import org.jspecify.annotations.NullMarked;
