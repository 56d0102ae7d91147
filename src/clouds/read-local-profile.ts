// Credentials of a profile that the machine of the worker has, from the cloud's own client there. The operator names
// which profiles runs may use; without that, none.
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { CloudError } from './cloud-error.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 64 * 1024;

/** How each client prints a short-lived credential of a profile. */
const PRINTS = {
  aws: (profile: string) => ['aws', 'configure', 'export-credentials', '--format', 'process', '--profile', profile],
  gcloud: (profile: string) => ['gcloud', 'auth', 'print-access-token', '--quiet', `--configuration=${profile}`],
} as const;
export type LocalClient = keyof typeof PRINTS;

export interface LocalProfiles {
  /** A list of names, or `*` for all. */
  readonly allowed: string | undefined;
  /** Where the clients are looked for, as in PATH. */
  readonly path: string;
  readonly signal?: AbortSignal | undefined;
}

export async function readLocalProfile(
  client: LocalClient,
  profile: string,
  { allowed, path, signal }: LocalProfiles,
): Promise<string> {
  const names = (allowed ?? '').split(',').map((name) => name.trim());
  if (!names.includes('*') && !names.includes(profile))
    throw new CloudError(`The operator of this deployment does not share the local profile '${profile}' with runs.`);
  if (profile.startsWith('-')) throw new CloudError('A profile cannot be called like that.');
  const [program = '', ...args] = PRINTS[client](profile);
  // Nothing of the service's own environment: the client finds its configuration in the home directory.
  const { stdout } = await promisify(execFile)(program, args, {
    env: { PATH: path, HOME: homedir() },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
    ...(signal ? { signal } : {}),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new CloudError(
      error.code === 'ENOENT'
        ? `The client ${program} is not installed on the machine of the workers.`
        : `The client ${program} has no credentials for the local profile '${profile}'.`,
    );
  });
  return stdout;
}
