# Finds a JDK 25, whatever `java` is on the PATH. Sourced by ./se, ./test and .ci/run.

is_jdk25() {
    [ -x "$1/bin/javac" ] && grep -q '^JAVA_VERSION="25[".]' "$1/release" 2>/dev/null
}

# Prints the home of a JDK 25: JAVA_HOME when it is one, then the places where packages and tools put JDKs.
find_jdk25() {
    local home
    for home in "${JAVA_HOME:-}" \
        /usr/lib/jvm/*25* "$HOME"/.sdkman/candidates/java/25* "$HOME"/.jdks/*25* /opt/*25* /opt/java/*25* \
        "$HOME"/.local/share/mise/installs/java/*25* /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home \
        "$(/usr/libexec/java_home -v 25 2>/dev/null || true)" \
        "$(dirname "$(dirname "$(readlink -f "$(command -v javac 2>/dev/null)" 2>/dev/null)" 2>/dev/null)" 2>/dev/null)"; do
        if [ -n "$home" ] && is_jdk25 "$home"; then
            printf '%s\n' "$home"
            return 0
        fi
    done
    {
        echo "Storage Engine needs a JDK 25 and found none."
        echo "Looked at JAVA_HOME (${JAVA_HOME:-not set}), /usr/lib/jvm, ~/.sdkman, ~/.jdks, /opt, and java_home on macOS."
        echo "Install one (for example https://adoptium.net/temurin/releases/?version=25) or set JAVA_HOME to it."
    } >&2
    return 1
}

require_maven() {
    command -v mvn >/dev/null 2>&1 && return 0
    echo "Building Storage Engine needs Apache Maven 3.8 or newer: no mvn on the PATH." >&2
    return 1
}
