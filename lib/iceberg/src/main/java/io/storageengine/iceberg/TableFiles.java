package io.storageengine.iceberg;

import io.storageengine.core.message.CatalogStorage;
import io.storageengine.core.store.Buckets;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.io.FileIO;

/// Opens the files of tables: of native catalogs in this engine's own storage, of `rest` catalogs through
/// Iceberg's S3 client with what was configured and what the upstream vended.
public final class TableFiles {
    /// The one class that is ever loaded for a foreign catalog, whatever its configuration names.
    private static final String S3 = "org.apache.iceberg.aws.s3.S3FileIO";

    private final Buckets buckets;

    public TableFiles(Buckets buckets) {
        this.buckets = buckets;
    }

    /// File access for one table; the caller closes it. No request is made.
    ///
    /// @param storage of the table's catalog
    /// @param vended what the upstream gave with the table; wins over what was configured
    public FileIO open(CatalogStorage storage, Map<String, String> vended) {
        if (storage.isNative()) return new StoreFileIO(buckets);
        Map<String, String> properties = new HashMap<>(storage.ioProperties());
        properties.putAll(vended);
        return CatalogUtil.loadFileIO(S3, properties, null);
    }
}
