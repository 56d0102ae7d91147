// Closes a connection after its last response. What the client still sends is read and dropped for a moment: closing
// with unread bytes would reset the connection and could lose the response.
import type { Socket } from 'node:net';

const LINGER_MS = 2_000;

export function closeAfterAnswer(socket: Socket): void {
  socket.resume();
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  });
  socket.once('end', () => socket.end());
}
