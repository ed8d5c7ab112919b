@NullMarked
package io.storageengine.commit;

import org.jspecify.annotations.NullMarked;
