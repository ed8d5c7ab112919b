/// The commit room: files go into tables, one snapshot for all that wait.
@NullMarked
package io.storageengine.commit;

import org.jspecify.annotations.NullMarked;
