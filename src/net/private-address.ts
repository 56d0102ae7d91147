// Addresses that a user-supplied URL must not reach: this machine, its network, its cloud's metadata service. A name is
// checked twice: here by its form, and on connecting by what it resolves to (lookup-public.ts), which may change.
import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC = {
  ipv4: [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  // Public IPv6 is 2000::/3, except for the ranges within it that embed an IPv4 address or are for documentation.
  ipv6: ['::/3', '4000::/2', '8000::/1', '2001::/32', '2001:db8::/32', '2002::/16'],
} as const;

const blocked = { ipv4: blockList('ipv4'), ipv6: blockList('ipv6') };
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/;

/** For a numeric address. Anything that is not an address counts as private. */
export function isPrivateAddress(address: string): boolean {
  const bare = withoutBrackets(address).split('%')[0] ?? '';
  const version = isIP(bare);
  if (version === 0) return true;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return blocked[family].check(bare, family);
}

/** For the host of a parsed URL: a numeric address, or a name that means a local machine. */
export function isPrivateHost(host: string): boolean {
  const bare = withoutBrackets(host).toLowerCase().replace(/\.$/, '');
  if (isIP(bare) !== 0) return isPrivateAddress(bare);
  return LOCAL_NAME.test(bare) || !bare.includes('.');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function blockList(family: keyof typeof NOT_PUBLIC): BlockList {
  const list = new BlockList();
  for (const range of NOT_PUBLIC[family]) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
