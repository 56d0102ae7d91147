// Against a stand-in for the docker program, which notes what it is asked and plays a container with plain processes.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxDriver } from '../driver.ts';
import { withDefaults } from '../limits.ts';
import { dockerDriver } from './docker-driver.ts';

const STAND_IN = `#!/bin/sh
here=$(dirname "$0")
for arg in "$@"; do printf '%s\\037' "$arg"; done >>"$here/calls"; echo >>"$here/calls"
case $1 in
  info) cat "$here/runtimes";;
  ps) echo left-behind;;
  exec)
    shift
    while :; do case $1 in --interactive) shift;; --workdir) shift 2;; --env) shift 2;; *) break;; esac; done
    shift
    if [ "$3" = 'id -u; cat /proc/self/status' ]; then printf '1000\\nCapEff:\\t0000000000000000\\n'; else exec "$@"; fi;;
esac`;

let directory: string;
const make = (name: 'docker' | 'gvisor'): SandboxDriver =>
  dockerDriver({ name, ...(name === 'gvisor' ? { runtime: 'runsc' } : {}), image: 'an-image', dataDirectory: directory, program: join(directory, 'docker') });
const calls = async (): Promise<string[][]> => (await readFile(join(directory, 'calls'), 'utf8')).split('\n').filter(Boolean).map((line) => line.split('\x1f').slice(0, -1));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-docker-'));
  await writeFile(join(directory, 'docker'), STAND_IN);
  await chmod(join(directory, 'docker'), 0o755);
  await writeFile(join(directory, 'runtimes'), '{"runc":{}}');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the docker driver', () => {
  it('clears away what an earlier controller left, and tries a container out', async () => {
    const driver = make('docker');
    expect(await driver.probe()).toEqual({ ok: true, limits: { memory: 'engine', processes: 'engine', disk: 'engine', cpu: 'engine', time: 'timer' } });
    expect(await calls()).toContainEqual(['rm', '--force', 'left-behind']);
    await driver.close();
  });

  it('makes containers without network, capabilities or a writable root, under every limit', async () => {
    const driver = make('docker');
    await driver.probe();
    const sandbox = await driver.create({ id: 'sbx_1', limits: withDefaults({ processes: 77, memoryBytes: 1e9, diskBytes: 8e8 }), env: {} });
    const line = ((await calls()).findLast(([verb]) => verb === 'run') ?? []).join(' ');
    for (const part of ['--network none', '--read-only', '--cap-drop ALL', 'no-new-privileges', '--user 1000:1000', '--pids-limit 77', '--memory 1000000000', '--memory-swap 1000000000', 'size=600000000']) expect(line).toContain(part);
    expect(line).not.toContain('--runtime');
    await sandbox.destroy();
    expect((await calls()).at(-1)?.slice(0, 2)).toEqual(['rm', '--force']);
    await driver.close();
  });

  it('runs commands, and shows their environment in no list of arguments', async () => {
    const driver = make('docker');
    await driver.probe();
    const sandbox = await driver.create({ id: 'sbx_1', limits: withDefaults({}), env: { GREETING: 'of-the-sandbox' } });
    const command = await sandbox.exec({ argv: ['sh', '-c', 'echo "$GREETING $WORD"; cat; exit 3'], env: { WORD: 'from-the-environment' }, cwd: '/workspace', stdin: Buffer.from('given') });
    expect(await Promise.all([text(command.stdout), command.exited])).toEqual(['of-the-sandbox from-the-environment\ngiven', { code: 3, signal: null }]);
    expect(JSON.stringify(await calls())).not.toContain('from-the-environment');
    await driver.close();
  });

  it('uses the runtime of gVisor, where there is one', async () => {
    expect(await make('gvisor').probe()).toMatchObject({ ok: false, reason: 'docker has no runtime runsc' });
    await writeFile(join(directory, 'runtimes'), '{"runc":{},"runsc":{}}');
    const driver = make('gvisor');
    expect(await driver.probe()).toEqual({ ok: true, limits: { memory: 'engine', processes: 'engine', disk: 'engine', cpu: 'engine', time: 'timer' } });
    expect(((await calls()).findLast(([verb]) => verb === 'run') ?? []).join(' ')).toContain('--runtime runsc');
    await driver.close();
  });
});
