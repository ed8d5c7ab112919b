/// The seeded simulation: processes, clocks and a store whose every call may be lost, delayed, doubled or the
/// caller's last; one seed decides everything.
@NullMarked
package io.storageengine.checks.sim;

import org.jspecify.annotations.NullMarked;
