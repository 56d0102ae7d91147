// A list of addresses and networks in configuration: `10.0.0.0/8, 192.0.2.7, fd00::/8`.
import { BlockList, isIP } from 'node:net';

export interface Networks {
  /** False for anything that is not a numeric address. */
  has(address: string): boolean;
}

/** Undefined when an entry is neither an address nor a network. */
export function parseNetworks(text: string): Networks | undefined {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [network = '', bits, ...rest] = entry.split('/');
    const family = familyOf(network);
    const most = family === 'ipv4' ? 32 : 128;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : undefined;
    if (family === undefined || length === undefined || length > most || rest.length > 0) return undefined;
    lists[family].addSubnet(network, length, family);
  }
  return {
    has(address) {
      const family = familyOf(address);
      return family !== undefined && lists[family].check(address, family);
    },
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}
