package io.storageengine.bus;

import com.google.protobuf.ByteString;
import io.storageengine.core.message.ChannelHold;
import io.storageengine.core.message.Claim;
import io.storageengine.core.message.RowOptions;
import io.storageengine.core.message.TableRef;
import io.storageengine.core.message.Watermark;
import io.storageengine.proto.bus.BusProto;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/// The parts that several messages share, to and from the wire.
final class Parts {
    private Parts() {}

    static ByteString bytes(ByteBuffer buffer) {
        return ByteString.copyFrom(buffer.duplicate());
    }

    static ByteBuffer buffer(ByteString bytes) {
        return bytes.asReadOnlyByteBuffer();
    }

    static BusProto.TableRef table(TableRef table) {
        return BusProto.TableRef.newBuilder()
                .setCatalog(table.catalog())
                .addAllNamespace(table.namespace())
                .setName(table.name())
                .build();
    }

    static TableRef table(BusProto.TableRef table) {
        return new TableRef(table.getCatalog(), table.getNamespaceList(), table.getName());
    }

    static BusProto.Claim claim(Claim claim) {
        return BusProto.Claim.newBuilder()
                .setKey(claim.key())
                .setRequestHash(claim.requestHash())
                .setLog(claim.log())
                .setPosition(claim.position())
                .setAnswer(claim.answer())
                .setWallMillis(claim.wallMillis())
                .setSnapshotId(claim.snapshotId())
                .build();
    }

    static Claim claim(BusProto.Claim claim) {
        return new Claim(
                claim.getKey(),
                claim.getRequestHash(),
                claim.getLog(),
                claim.getPosition(),
                claim.getAnswer(),
                claim.getWallMillis(),
                claim.getSnapshotId());
    }

    static List<BusProto.Claim> claims(List<Claim> claims) {
        return claims.stream().map(Parts::claim).toList();
    }

    static List<Claim> claimsOf(List<BusProto.Claim> claims) {
        return claims.stream().map(Parts::claim).toList();
    }

    static List<BusProto.Watermark> watermarks(List<Watermark> watermarks) {
        return watermarks.stream()
                .map(mark -> BusProto.Watermark.newBuilder()
                        .setLog(mark.log())
                        .setExpected(mark.expected())
                        .setNext(mark.next())
                        .build())
                .toList();
    }

    static List<Watermark> watermarksOf(List<BusProto.Watermark> watermarks) {
        return watermarks.stream()
                .map(mark -> new Watermark(mark.getLog(), mark.getExpected(), mark.getNext()))
                .toList();
    }

    static BusProto.RowOptions options(RowOptions options) {
        BusProto.RowOptions.Builder wire = BusProto.RowOptions.newBuilder()
                .setFormat(options.format().name())
                .setEncoding(options.encoding().name())
                .setCreate(options.create())
                .setAck(options.ack().name())
                .setOnError(options.onError().name())
                .setIdempotencyKey(options.idempotencyKey())
                .setContentLength(options.contentLength());
        options.channel()
                .ifPresent(in -> wire.setChannel(BusProto.RowsChannel.newBuilder()
                        .setName(in.name())
                        .setEpoch(in.epoch())
                        .setOffset(in.offset())));
        return wire.build();
    }

    static RowOptions options(BusProto.RowOptions options) {
        return new RowOptions(
                RowOptions.Format.valueOf(options.getFormat()),
                RowOptions.Encoding.valueOf(options.getEncoding()),
                options.getCreate(),
                RowOptions.Ack.valueOf(options.getAck()),
                RowOptions.OnError.valueOf(options.getOnError()),
                options.getIdempotencyKey(),
                options.getContentLength(),
                options.hasChannel() ? Optional.of(inChannel(options.getChannel())) : Optional.empty());
    }

    private static RowOptions.InChannel inChannel(BusProto.RowsChannel wire) {
        return new RowOptions.InChannel(wire.getName(), wire.getEpoch(), wire.getOffset());
    }

    static BusProto.ChannelHold hold(ChannelHold hold) {
        return BusProto.ChannelHold.newBuilder()
                .setEpoch(hold.epoch())
                .setLog(hold.log())
                .setLife(hold.life())
                .build();
    }

    static ChannelHold hold(BusProto.ChannelHold wire) {
        return new ChannelHold(wire.getEpoch(), wire.getLog(), wire.getLife());
    }
}
