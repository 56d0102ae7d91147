import { spawn } from 'node:child_process';
import { once } from 'node:events';

const TIMEOUT_MS = 300_000;

/** As root, from the machine's package sources. The caller checks afterwards whether the program exists. */
export async function installDebianPackage(name: string, signal?: AbortSignal): Promise<void> {
  await runApt(['update', '-qq'], signal);
  await runApt(['install', '-y', '-qq', '--no-install-recommends', name], signal);
}

async function runApt(args: string[], signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]);
  const child = spawn('apt-get', args, {
    stdio: 'ignore',
    signal: limit,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' },
  });
  await once(child, 'close').catch(() => {});
}
