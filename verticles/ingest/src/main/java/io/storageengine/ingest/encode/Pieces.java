package io.storageengine.ingest.encode;

import java.util.ArrayList;
import java.util.List;

/// Cuts rows into pieces of about the same number of rows, none of them holding much more than some bytes.
final class Pieces {
    private Pieces() {}

    /// At least one piece, none empty.
    static List<List<Selection>> cut(List<Selection> rows, long bytesMax) {
        long size = 0;
        long bytes = 0;
        for (Selection selection : rows) {
            size += selection.size();
            bytes += selection.bytes();
        }
        long pieces = Math.min(size, (bytes + bytesMax - 1) / bytesMax);
        if (pieces <= 1) {
            return List.of(rows);
        }
        return cutRows(rows, (size + pieces - 1) / pieces);
    }

    private static List<List<Selection>> cutRows(List<Selection> rows, long rowsMax) {
        List<List<Selection>> pieces = new ArrayList<>();
        List<Selection> piece = new ArrayList<>();
        long room = rowsMax;
        for (Selection selection : rows) {
            int start = 0;
            while (start < selection.size()) {
                int length = (int) Math.min(room, selection.size() - start);
                piece.add(selection.part(start, length));
                start += length;
                room -= length;
                if (room == 0) {
                    pieces.add(piece);
                    piece = new ArrayList<>();
                    room = rowsMax;
                }
            }
        }
        if (!piece.isEmpty()) {
            pieces.add(piece);
        }
        return pieces;
    }
}
