package io.storageengine.ingest.table;

import io.storageengine.core.Failure;
import io.storageengine.core.FailureException;
import io.storageengine.core.Ids;
import io.storageengine.core.Outcome;
import io.storageengine.iceberg.TableJson;
import io.storageengine.ingest.encode.NewFiles;
import io.storageengine.ingest.encode.ParquetEncoder;
import io.storageengine.ingest.rows.RowBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.random.RandomGenerator;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Encodes rows on the CPU pool and stores them as data files that no snapshot names yet.
///
/// Thread-safe. Only so many calls work at once, each with its files in memory until they are stored.
public final class TableWriter {
    private static final Logger LOG = LoggerFactory.getLogger(TableWriter.class);
    private final Tables tables;
    private final ExecutorService cpuPool;
    private final Ids ids;
    private final Semaphore turns;

    /// @param writersMax calls that work at the same time
    public TableWriter(Tables tables, ExecutorService cpuPool, RandomGenerator random, int writersMax) {
        this.tables = tables;
        this.cpuPool = cpuPool;
        this.ids = new Ids(random);
        this.turns = new Semaphore(writersMax, true);
    }

    /// Writes batches of one table, which stay the caller's.
    ///
    /// @return the files' JSON; a failure leaves at most files that nothing names
    public Outcome<List<String>> write(OpenTable table, List<RowBatch> batches) throws InterruptedException {
        turns.acquire();
        try {
            return tables.files(table).then(io -> {
                try (io) {
                    return Outcome.ok(write(table, batches, io));
                } catch (FailureException failed) {
                    return Outcome.failed(failed.failure());
                }
            });
        } finally {
            turns.release();
        }
    }

    private List<String> write(OpenTable table, List<RowBatch> batches, FileIO io) {
        TableMetadata metadata = table.metadata();
        ParquetEncoder encoder = new ParquetEncoder(metadata.spec(), metadata.sortOrder(), metadata.properties());
        Held held = new Held(io, LocationProviders.locationsFor(metadata.location(), metadata.properties()));
        List<DataFile> files = onPool(() -> encoder.encode(batches, held));
        held.store();
        return files.stream()
                .map(file -> TableJson.dataFile(file, metadata.spec(file.specId())))
                .toList();
    }

    private List<DataFile> onPool(Callable<List<DataFile>> encoding) {
        try {
            return cpuPool.submit(encoding).get();
        } catch (ExecutionException failed) {
            LOG.error("Rows could not be encoded", failed.getCause());
            throw new FailureException(Failure.Kind.BUG, "Rows could not be encoded: " + failed.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new FailureException(Failure.Kind.UNAVAILABLE, "The node is stopping");
        }
    }

    /// Deletes files that no snapshot and no log entry names; what fails stays behind unnamed.
    public void delete(OpenTable table, List<String> files) {
        if (files.isEmpty()) return;
        Outcome<?> outcome = tables.files(table).map(io -> {
            try (io) {
                for (String file : files)
                    io.deleteFile(TableJson.dataFile(file, table.metadata().specsById())
                            .location());
            } catch (RuntimeException failed) {
                LOG.warn(
                        "Files of a refused request stay behind in {}: {}",
                        table.ref().display(),
                        failed.toString());
            }
            return files.size();
        });
        if (!outcome.isOk())
            LOG.warn("Files of a refused request stay behind in {}", table.ref().display());
    }

    /// The files of one call.
    private final class Held implements NewFiles {
        private final FileIO io;
        private final LocationProvider places;
        private final String name = ids.uuid().toString();
        private final List<HeldFile> files = new ArrayList<>();

        Held(FileIO io, LocationProvider places) {
            this.io = io;
            this.places = places;
        }

        @Override
        public HeldFile create(PartitionSpec spec, StructLike partition) {
            String file = name + "-" + files.size() + ".parquet";
            String place = spec.isUnpartitioned()
                    ? places.newDataLocation(file)
                    : places.newDataLocation(spec, partition, file);
            HeldFile held = new HeldFile(io.newOutputFile(place));
            files.add(held);
            return held;
        }

        void store() {
            try {
                for (HeldFile file : files) file.store();
            } catch (UncheckedIOException | IOException failed) {
                throw new FailureException(Failure.Kind.UNAVAILABLE, "A data file could not be stored: " + failed);
            }
        }
    }
}
