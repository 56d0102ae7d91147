// Installs bubblewrap where that is ours to do: on Debian and its kin, as root. Says what it does; elsewhere the
// controller's probe says what an operator has to do.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { findProgram } from './bubblewrap/programs.ts';

const TIMEOUT_MS = 300_000;

export type Installed = 'present' | 'installed' | 'not-ours' | 'failed';

export async function installBubblewrap(say: (line: string) => void, signal?: AbortSignal): Promise<Installed> {
  if ((await findProgram('bwrap')) !== undefined) return 'present';
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return 'not-ours';
  say('installing bubblewrap for background runs (once) …');
  await runApt(['update', '-qq'], signal);
  await runApt(['install', '-y', '-qq', '--no-install-recommends', 'bubblewrap'], signal);
  if ((await findProgram('bwrap')) !== undefined) return 'installed';
  say('bubblewrap could not be installed; background runs stay off until it is: apt-get install bubblewrap');
  return 'failed';
}

async function runApt(args: string[], signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]);
  const child = spawn('apt-get', args, { stdio: 'ignore', signal: limit, env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' } });
  await once(child, 'close').catch(() => {});
}
