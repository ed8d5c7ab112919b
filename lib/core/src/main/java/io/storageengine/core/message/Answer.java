package io.storageengine.core.message;

/// What a room answers to a [Question]; failures travel beside it, as [io.storageengine.core.Failure].
public sealed interface Answer
        permits CatalogReply,
                LoadedTable,
                CommittedTable,
                FoundClaim,
                BegunRows,
                TakenRows,
                EndedRows,
                AbortedRows,
                CommittedFiles,
                CatalogStorage,
                FoundChannel,
                ChannelStatus,
                CommittedRows,
                ParkedRows,
                ReplayedRows {}
