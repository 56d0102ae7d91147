// Resolves host names for user-supplied URLs: `connect: { lookup: lookupPublic }` of an HTTP client. The address that
// was checked is the one connected to, even if the name resolves differently a moment later. HTTP clients do not look
// up numeric hosts; `isPrivateHost` checks those beforehand.
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isPrivateAddress } from './private-address.ts';

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

export function lookupPublic(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [first] = addresses;
    // One private address is enough to refuse: it may be the one that gets connected to.
    if (!first || addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(new Error('the name resolves to a private address'), []);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
}
