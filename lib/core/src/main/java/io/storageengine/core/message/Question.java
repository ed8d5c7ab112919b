package io.storageengine.core.message;

/// What one room asks another over the event bus. A record, immutable; buffers in it are read-only by
/// agreement.
///
/// @param <A> the type of the answer
public sealed interface Question<A extends Answer>
        permits CallCatalog,
                LoadTable,
                CommitTable,
                FindClaim,
                BeginRows,
                SendRows,
                EndRows,
                AbortRows,
                CommitFiles,
                StorageOf,
                FindChannel,
                HoldChannel,
                CallChannel,
                AwaitRows,
                ListParked,
                ReplayParked {
    /// The room that answers.
    Room room();

    /// The id of the catalog that it is about: one owner answers for a catalog. Empty where any instance may
    /// answer.
    String catalog();

    /// Whether the question may change something, so that a lost answer means `UNKNOWN`.
    boolean writes();

    /// The rooms that answer questions.
    enum Room {
        CATALOG,
        INGEST,
        COMMIT
    }
}
