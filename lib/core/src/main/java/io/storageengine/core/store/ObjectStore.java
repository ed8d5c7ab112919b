package io.storageengine.core.store;

import io.storageengine.core.Done;
import io.storageengine.core.Outcome;
import java.nio.ByteBuffer;
import java.util.List;

/// One bucket of objects: the only place where anything durable lives.
///
/// Calls block and may come from any number of virtual threads at once, never from an event loop. Keys are S3
/// keys: 1 to 1,024 bytes of UTF-8, any characters, no normalisation. Every call answers within the adapter's
/// deadline.
///
/// Failures of any call: `UNAVAILABLE` (nothing was written), `THROTTLED` (nothing was written), `UNKNOWN`
/// (only from calls that write: the effect may have happened or may still happen), `FORBIDDEN`, `INVALID`
/// (key or argument), `NOT_FOUND` with code `NoSuchBucket`, `CORRUPT`.
public interface ObjectStore extends AutoCloseable {
    /// The code of a `CONFLICT` while a race is in flight: nobody knows whether anything is there.
    String UNDECIDED = "ConditionalRequestConflict";

    /// What is known of an object without its bytes; `NOT_FOUND` (`NoSuchKey`) when absent. Where the bucket is
    /// absent too the code may be either: the answer to a HEAD has no body.
    Outcome<ObjectInfo> head(String key);

    /// Opens an object for reading. The caller closes the body. `NOT_FOUND` (`NoSuchKey`) when absent,
    /// `INVALID` (`InvalidRange`) when the range lies outside the object. A body that ends early throws
    /// `IOException` from its stream, never a short read without an error.
    Outcome<ObjectBody> get(String key, ByteRange range);

    /// Creates or replaces an object whole. `CONFLICT` with code `PreconditionFailed` when the precondition
    /// does not hold (nothing written by this call), with code [#UNDECIDED] when a race is in
    /// flight and nobody knows yet who wins; `NOT_FOUND` for `IfMatch` on an absent key; `INVALID`
    /// (`IncompleteBody`) when the content ends early.
    Outcome<ObjectInfo> put(String key, Content content, PutOptions options);

    /// Deletes an object; an absent one counts as deleted.
    Outcome<Done> delete(String key);

    /// Deletes any number of objects in as few requests as the store allows; absent ones count as deleted.
    ///
    /// @return the keys that could not be deleted, each with its failure; empty when all are gone
    Outcome<List<DeleteFault>> deleteAll(List<String> keys);

    /// One page of a listing in UTF-8 byte order of keys.
    Outcome<ListPage> list(ListRequest request);

    /// Begins a multipart upload and answers its id.
    Outcome<String> createUpload(String key, PutOptions options);

    /// Stores one part, 1 to 10,000; a part uploaded again replaces the earlier one. `NOT_FOUND`
    /// (`NoSuchUpload`).
    Outcome<UploadedPart> uploadPart(String key, String uploadId, int number, Content content);

    /// Makes the object from its parts, in the given ascending order. `INVALID` with code `InvalidPart`,
    /// `InvalidPartOrder` or `EntityTooSmall` (every part but the last has at least 5 MiB); `NOT_FOUND`
    /// (`NoSuchUpload`); the precondition as for [#put]. After a failure that wrote nothing the upload is still
    /// there. Where the store is not told the object's size the answer has the sum of the named parts' sizes.
    Outcome<ObjectInfo> completeUpload(
            String key, String uploadId, List<UploadedPart> parts, Precondition precondition);

    /// Forgets an upload and its parts; `NOT_FOUND` (`NoSuchUpload`) when there is none.
    Outcome<Done> abortUpload(String key, String uploadId);

    /// The parts of an upload after part number `afterNumber`, ascending, at most `max` of them.
    Outcome<List<UploadedPart>> listParts(String key, String uploadId, int afterNumber, int max);

    /// The uploads in progress under a prefix by key, those of one key in an order of the store's own; at
    /// most `max` after (`afterKey`, `afterUploadId`).
    Outcome<List<UploadInfo>> listUploads(String prefix, String afterKey, String afterUploadId, int max);

    /// The whole of an object, for objects that are known to be small.
    Outcome<ByteBuffer> read(String key);

    @Override
    void close();
}
