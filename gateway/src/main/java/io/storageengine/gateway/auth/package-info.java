/// Who is asking, and what they may: signatures, keys and tokens. Never logs a secret.
@NullMarked
package io.storageengine.gateway.auth;

import org.jspecify.annotations.NullMarked;
