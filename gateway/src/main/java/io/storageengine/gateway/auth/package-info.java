/// Who is asking: signatures, keys and tokens. Pure; never logs.
@NullMarked
package io.storageengine.gateway.auth;

import org.jspecify.annotations.NullMarked;
