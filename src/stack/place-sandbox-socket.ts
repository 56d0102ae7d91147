// The controller's socket is in the data directory, but socket paths are limited (103 bytes on macOS, 107 on Linux). If
// the path would be too long, the socket goes into a temporary directory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, isSet } from './environment-values.ts';

const LONGEST_BYTES = 103;

export interface PlacedSocket {
  /** The environment of the parts, with the address of the socket. */
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
  // A new directory for each start, with an unguessable name and private to its owner.
  const place = await mkdtemp(join(temporary, 'service-'));
  return {
    environment: { ...environment, SERVICE_SANDBOX_URL: `unix:${join(place, 'sandbox.sock')}` },
    remove: () => rm(place, { recursive: true, force: true }),
  };
}
