package io.storageengine.core.log;

/// What one process knows of a log. Immutable.
///
/// @param known the position up to which everything was seen, by a checkpoint or entry by entry
/// @param sealedAt the position of the seal that bars, 0 when none was seen
/// @param sealEpoch the highest epoch of a seal (of a write-ahead log: its first seal's)
/// @param sight until when positions can be believed
record LogView(long known, long sealedAt, long sealEpoch, Sight sight) {
    static final LogView NONE = new LogView(0, 0, 0, Sight.NONE);

    LogView knowing(long position) {
        return new LogView(Math.max(known, position), sealedAt, sealEpoch, sight);
    }

    LogView saw(Sight other, LogOptions options) {
        return new LogView(known, sealedAt, sealEpoch, sight.orNewer(other, options.retentionMillis()));
    }

    /// After an entry that may be believed.
    LogView passed(Header header, LogOptions options) {
        LogView next = header.position() == known + 1 ? knowing(header.position()) : this;
        return header.kind() == Header.Kind.SEAL ? next.sealed(header.position(), header.epoch(), options) : next;
    }

    LogView sealed(long position, long epoch, LogOptions options) {
        boolean first = sealedAt == 0 || position < sealedAt;
        boolean higher = epoch > sealEpoch || (epoch == sealEpoch && position > sealedAt);
        return (options.sealIsTerminal() ? first : higher) ? new LogView(known, position, epoch, sight) : this;
    }

    /// What another view knows besides.
    LogView with(LogView other, LogOptions options) {
        LogView next = knowing(other.known);
        boolean seal = other.sealedAt > 0 || other.sealEpoch > 0;
        return seal ? next.sealed(other.sealedAt, other.sealEpoch, options) : next;
    }

    /// Whether a seal forbids this epoch to write here.
    boolean bars(long position, long epoch, LogOptions options) {
        return options.sealIsTerminal() ? sealedAt > 0 && position > sealedAt : epoch < sealEpoch;
    }
}
