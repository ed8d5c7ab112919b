"""A TCP proxy that holds back what clients send: a store that is as far away as S3. `python delay.py PORT TARGET_PORT MILLIS`."""
import asyncio
import sys


async def copy(reader, writer, seconds):
    """Bytes arrive in order, each `seconds` after it was sent."""
    loop, queue = asyncio.get_running_loop(), asyncio.Queue()

    async def deliver():
        while True:
            due, piece = await queue.get()
            await asyncio.sleep(max(0.0, due - loop.time()))
            if not piece:
                break
            writer.write(piece)
            await writer.drain()
        writer.close()

    delivery = asyncio.create_task(deliver())
    piece = b"-"
    while piece:
        try:
            piece = await reader.read(1 << 20)
        except ConnectionError:
            piece = b""
        queue.put_nowait((loop.time() + seconds, piece))
    try:
        await delivery
    except ConnectionError:
        pass


async def serve(port, target, seconds):
    async def connected(reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        await asyncio.gather(copy(reader, far_writer, seconds), copy(far_reader, writer, 0))

    server = await asyncio.start_server(connected, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) / 1000))
