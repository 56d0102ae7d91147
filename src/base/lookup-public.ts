// Resolves names for connections to URLs that a user gave: `connect: { lookup: lookupPublic }` of an HTTP client.
// The address that was judged is the one that is connected to, whatever the name resolves to a moment later. A
// client does not look up a host in digits; `isPrivateHost` has judged that one before.
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isPrivateAddress } from './private-address.ts';

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

export function lookupPublic(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [first] = addresses;
    // One private address among public ones is enough to refuse: it may be the one that answers.
    if (!first || addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(new Error('the name resolves to a private address'), []);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
}
