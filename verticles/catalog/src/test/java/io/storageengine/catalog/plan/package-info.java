/// Tests of scan planning.
@NullMarked
package io.storageengine.catalog.plan;

import org.jspecify.annotations.NullMarked;
