// The network that a rate limit counts for an address. One IPv6 subscriber has 2^64 addresses, so they are counted by
// their /64; an IPv4-mapped IPv6 address counts as the IPv4 address.
import { isIP } from 'node:net';
import { isLoopbackHost } from './addresses.ts';

/** Someone on this machine, or everyone behind a local proxy that is not configured as trusted. */
export const THIS_MACHINE = 'this machine';

/** Anything that is not an address counts as itself. */
export function callerNetwork(address: string): string {
  const bare = address.replace(/^\[|\]$/g, '').split('%')[0] ?? '';
  if (isLoopbackHost(bare)) return THIS_MACHINE;
  if (isIP(bare) !== 6) return bare;
  const groups = expand(bare);
  const [a = 0, b = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return callerNetwork([a >> 8, a & 255, b >> 8, b & 255].join('.'));
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups; the URL parser understands every notation. */
function expand(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [read(head), read(tail ?? '')];
  return tail === undefined ? left : [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
