// Addresses that a URL given by a stranger must not reach: this machine, its network, its cloud's metadata service.
import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC_V4 = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'];
/** Public IPv6 is 2000::/3 alone; within it, ranges that carry an IPv4 address or document something are not. */
const NOT_PUBLIC_V6 = ['::/3', '4000::/2', '8000::/1', '2001::/32', '2001:db8::/32', '2002::/16'];

// One list a family: a shared one would look an IPv4 address up in its mapped IPv6 form as well.
const blocked = { ipv4: blockList(NOT_PUBLIC_V4, 'ipv4'), ipv6: blockList(NOT_PUBLIC_V6, 'ipv6') };

/** What is no address at all counts as private. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').split('%')[0] ?? '';
  const version = isIP(bare);
  if (version === 0) return true;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return blocked[family].check(bare, family);
}

function blockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
