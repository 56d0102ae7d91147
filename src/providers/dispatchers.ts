import { Agent, buildConnector, type Dispatcher } from 'undici';
import { lookupPublic } from '../base/lookup-public.ts';
import { isPrivateHost } from '../base/private-address.ts';

/** Connections to providers, and to accounts whose URL a user gave: those may not lead into the private network. */
export interface Dispatchers {
  readonly providers: Dispatcher;
  readonly accounts: Dispatcher;
  close(): Promise<void>;
}

const LIMITS = { connections: 256, keepAliveTimeout: 30_000 };
const CONNECT = { timeout: 10_000 };

export function createDispatchers(options: { readonly allowPrivateUrls: boolean }): Dispatchers {
  const providers = new Agent({ ...LIMITS, connect: CONNECT });
  const accounts = new Agent({ ...LIMITS, connect: options.allowPrivateUrls ? CONNECT : connectPublicly() });
  return {
    providers,
    accounts,
    async close() {
      await Promise.all([providers.close(), accounts.close()]);
    },
  };
}

/** A host in digits is never looked up, so it is judged before; a name by what it resolves to at this moment. */
function connectPublicly(): buildConnector.connector {
  const connect = buildConnector({ ...CONNECT, lookup: lookupPublic });
  return (target, done) => {
    if (isPrivateHost(target.hostname)) done(new Error('the address is private'), null);
    else connect(target, done);
  };
}
