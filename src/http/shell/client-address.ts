// The client's address, for limits and session lists. The gateway replaces forwarding headers that a client sent, so
// they are trusted only from a neighbouring process.
import type { HttpBindings } from '@hono/node-server';
import { isPrivateAddress } from '../../net/private-address.ts';

export function clientAddress(request: Request, bindings: Partial<HttpBindings> | undefined): string {
  const peer = bindings?.incoming?.socket.remoteAddress?.replace(/^::ffff:/, '');
  if (peer !== undefined && !isPrivateAddress(peer)) return peer;
  const forwarded = request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim();
  return forwarded || peer || 'unknown';
}
