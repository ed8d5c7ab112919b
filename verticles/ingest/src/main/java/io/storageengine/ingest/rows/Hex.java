package io.storageengine.ingest.rows;

/// Hexadecimal digits, either case.
final class Hex {
    private Hex() {}

    /// The value of a digit, or -1.
    static int digit(byte b) {
        return b < 0 ? -1 : Character.digit(b, 16);
    }

    /// The bytes that the column's text writes.
    static byte[] decode(RowColumn column) {
        JsonScanner in = column.in;
        int length = in.textEnd - in.textStart;
        if ((length & 1) != 0) {
            throw column.invalid("hexadecimal text: its length is odd");
        }
        byte[] bytes = new byte[length / 2];
        for (int i = 0; i < bytes.length; i++) {
            int high = digit(in.text[in.textStart + 2 * i]);
            int low = digit(in.text[in.textStart + 2 * i + 1]);
            if (high < 0 || low < 0) {
                throw column.invalid("hexadecimal text (two digits a byte)");
            }
            bytes[i] = (byte) (high << 4 | low);
        }
        return bytes;
    }
}
