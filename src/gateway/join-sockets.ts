// Connects two sockets: bytes flow both ways at the pace of the slower side, the end of one direction is passed on and
// leaves the other open, and an error on one side closes the other.
import type { Socket } from 'node:net';

/** How long a pair may stay half open without a byte: a peer that is gone would hold it forever. */
const HALF_OPEN_IDLE_MS = 30_000;

export function joinSockets(a: Socket, b: Socket): void {
  const end = (): void => {
    a.destroy();
    b.destroy();
  };
  const carry = (from: Socket, to: Socket): void => {
    from.on('error', end);
    from.on('end', () => to.setTimeout(HALF_OPEN_IDLE_MS, end));
    from.on('close', () => {
      // After an orderly end, what it sent is still delivered; otherwise the connection broke.
      if (from.readableEnded) to.destroySoon();
      else to.destroy();
    });
    from.pipe(to);
  };
  carry(a, b);
  carry(b, a);
}
