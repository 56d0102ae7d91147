// An address may name several hosts, of which one is the primary at a time. A connection goes to the host that served
// last. If that does not answer or is a standby, the connection fails like any other to a database that is away, and the
// next one goes to the next host, which `tryEachHost` does at once.
import pg from 'pg';
import { splitHosts } from '../base/postgres-hosts.ts';
import { findStorageFault } from '../timing/database-fault.ts';

export type ClientClass = typeof pg.Client;

/** A class whose connections go to one of these hosts; all of them share what is known about which one. */
export function createClientClass(url: string): ClientClass {
  const urls = splitHosts(url);
  if (urls.length === 1) return pg.Client;
  let at = 0;
  return class PrimaryClient extends pg.Client {
    readonly #at: number;

    constructor(config?: string | pg.ClientConfig) {
      super({ ...(typeof config === 'object' ? config : {}), connectionString: urls[at] ?? urls[0] });
      this.#at = at;
      // One that breaks while it is asked what it is has no other listener yet.
      this.on('error', () => {});
    }

    override connect(): Promise<pg.Client>;
    override connect(done: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void;
    override connect(done?: (error: never, client: never) => void): Promise<pg.Client> | void {
      const connecting = this.#connectToPrimary();
      if (!done) return connecting;
      const answer = done as (error: Error | null, client?: pg.Client) => void;
      connecting.then(
        (client) => answer(null, client),
        (error: Error) => answer(error),
      );
    }

    async #connectToPrimary(): Promise<pg.Client> {
      try {
        await super.connect();
        await refuseStandby(this);
        return this;
      } catch (error) {
        // Others may have moved on already.
        if (at === this.#at && findStorageFault(error) !== undefined) at = (at + 1) % urls.length;
        throw error;
      }
    }
  };
}

/** Connects as often as there are hosts. */
export async function tryEachHost<T>(hosts: number, connect: () => Promise<T>): Promise<T> {
  for (let others = hosts - 1; ; others--) {
    try {
      return await connect();
    } catch (error) {
      if (others <= 0 || findStorageFault(error) === undefined) throw error;
    }
  }
}

async function refuseStandby(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby !== true) return;
  await client.end();
  throw new Error('Connection terminated: the host is a standby');
}
