// Credentials of a cloud profile on the worker's machine, obtained from the cloud's command-line client there. Runs may
// use only the profiles that the operator allows.
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { CloudError } from './cloud-error.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 64 * 1024;

/** The command that prints a short-lived credential of a profile. */
const COMMANDS = {
  aws: (profile: string) => ['aws', 'configure', 'export-credentials', '--format', 'process', '--profile', profile],
  gcloud: (profile: string) => ['gcloud', 'auth', 'print-access-token', '--quiet', `--configuration=${profile}`],
} as const;
export type LocalClient = keyof typeof COMMANDS;

export interface LocalProfiles {
  /** Comma-separated names, or `*` for all. */
  readonly allowed: string | undefined;
  /** Search path for the clients, like PATH. */
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
  if (profile.startsWith('-')) throw new CloudError('A profile name cannot start with -.');
  const [program = '', ...args] = COMMANDS[client](profile);
  // The service's environment is not passed on: the client finds its configuration in the home directory.
  const { stdout } = await promisify(execFile)(program, args, {
    env: { PATH: path, HOME: homedir() },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
    ...(signal ? { signal } : {}),
  }).catch((error: NodeJS.ErrnoException) => {
    throw new CloudError(
      error.code === 'ENOENT'
        ? `${program} is not installed on the worker's machine.`
        : `${program} has no credentials for the local profile '${profile}'.`,
    );
  });
  return stdout;
}
