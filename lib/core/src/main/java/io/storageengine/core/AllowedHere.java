package io.storageengine.core;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Lets one class or method use what `build/forbidden.txt` bans elsewhere; `why` is the reason a reviewer
/// reads.
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface AllowedHere {
    String why();
}
