// The client's address. A list of addresses that came with the request is trusted only as far as trusted proxies wrote
// it: it is read from its end, and the first address that is not a trusted proxy is the client.
import { isIP } from 'node:net';
import type { Networks } from '../base/networks.ts';

export function findClientAddress(
  trusted: Networks | undefined,
  peer: string,
  forwardedFor: string | undefined,
): string {
  if (trusted === undefined || forwardedFor === undefined || !trusted.has(peer)) return peer;
  let client = peer;
  for (const entry of forwardedFor.split(',').toReversed()) {
    const address = entry.trim().replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIP(address) === 0) return client;
    client = address;
    if (!trusted.has(address)) return client;
  }
  return client;
}
