package io.storageengine.core.message;

import java.util.List;

/// Puts data files into a table, once, with the marks and claims that they cover. The commit room waits its
/// turn, retries lost races, finds out what became of unknown ones and answers when it is decided.
///
/// `NOT_FOUND` when the table of that uuid is gone; `CONFLICT` with code `WatermarkMismatch` when these
/// entries were committed by somebody else (nothing is lost; the files are not used) or `ClaimExists` when
/// one of the keys was.
///
/// @param table where the table was last seen
/// @param tableUuid which table it must be
/// @param files Iceberg data files as JSON (`ContentFileParser`), each with its partition spec's id; may be
///     empty: then only marks and claims move, and no snapshot is made
/// @param watermarks what the files cover
/// @param claims what the files cover
public record CommitFiles(
        TableRef table, String tableUuid, List<String> files, List<Watermark> watermarks, List<Claim> claims)
        implements Question<CommittedFiles> {
    public CommitFiles {
        files = List.copyOf(files);
        watermarks = List.copyOf(watermarks);
        claims = List.copyOf(claims);
    }

    @Override
    public Room room() {
        return Room.COMMIT;
    }

    @Override
    public String catalog() {
        return table.catalog();
    }

    @Override
    public boolean writes() {
        return true;
    }
}
