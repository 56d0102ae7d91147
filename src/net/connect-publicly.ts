// Connections to addresses that people give: `connect` of an HTTP client, which reaches nothing in the private network.
import { buildConnector } from 'undici';
import { lookupPublic } from './lookup-public.ts';
import { isPrivateHost } from './private-address.ts';

/** A numeric host is never looked up, so it is checked first; a name is checked by the address it resolves to. */
export function connectPublicly(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: lookupPublic });
  return (target, done) => {
    if (isPrivateHost(target.hostname)) done(new Error('the address is private'), null);
    else connect(target, done);
  };
}
