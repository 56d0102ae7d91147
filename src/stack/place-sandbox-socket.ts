// The controller's socket is in the data directory, but the path of a socket is short on every system (103 bytes on
// macOS, 107 on Linux). Under a longer path it goes to a directory of its own among the temporary ones.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, isSet } from './environment-values.ts';

const LONGEST_BYTES = 103;

export interface PlacedSocket {
  /** What the parts have to be told about it. */
  readonly environment: Environment;
  remove(): Promise<void>;
}

export async function placeSandboxSocket(
  directory: string,
  environment: Environment,
  temporary = tmpdir(),
): Promise<PlacedSocket> {
  const fits = Buffer.byteLength(join(directory, 'sandbox.sock')) <= LONGEST_BYTES;
  if (fits || isSet(environment.SERVICE_SANDBOX_URL)) return { environment, remove: async () => {} };
  // Made for this start alone, with a name that nobody can guess and for its owner alone.
  const place = await mkdtemp(join(temporary, 'service-'));
  return {
    environment: { ...environment, SERVICE_SANDBOX_URL: `unix:${join(place, 'sandbox.sock')}` },
    remove: () => rm(place, { recursive: true, force: true }),
  };
}
