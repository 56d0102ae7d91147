import { Agent, type Dispatcher } from 'undici';
import { lookupPublic } from '../base/lookup-public.ts';

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
  const accounts = new Agent({ ...LIMITS, connect: options.allowPrivateUrls ? CONNECT : { ...CONNECT, lookup: lookupPublic } });
  return {
    providers,
    accounts,
    async close() {
      await Promise.all([providers.close(), accounts.close()]);
    },
  };
}
