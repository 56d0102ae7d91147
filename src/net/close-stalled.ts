// Closes connections of a server whose peer has stopped reading, whatever they carry: an answer that nobody reads stays in
// memory. It looks at connections, so a request costs nothing, and at what the operating system has taken: a peer that is
// slow, or sends more requests, is told apart from one that reads nothing.
import type { Server, Socket } from 'node:net';

/** How long unsent bytes may wait without a single one being taken. docs/operators/scaling.md prints it. */
const STALLED_MS = 30_000;
const LOOKS = 6;

export function closeStalled(server: Server, mostMs: number = STALLED_MS): void {
  const sockets = new Map<Socket, { taken: number; looks: number }>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    for (const [socket, seen] of sockets) {
      const { unsent, taken } = progressOf(socket);
      seen.looks = unsent > 0 && taken === seen.taken ? seen.looks + 1 : 0;
      seen.taken = taken;
      if (seen.looks >= LOOKS) socket.destroy();
    }
  };
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, { taken: 0, looks: 0 });
    timer ??= setInterval(look, mostMs / LOOKS).unref();
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  });
}

/**
 * Of the socket's handle, as Node's own idle timeout does it: the socket itself counts a write as a whole, so a large one
 * would look stalled until its last byte is taken.
 */
function progressOf(socket: Socket): { unsent: number; taken: number } {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number; bytesWritten?: number } | null };
  const unsent = handle?.writeQueueSize ?? 0;
  return { unsent, taken: (handle?.bytesWritten ?? 0) - unsent };
}
