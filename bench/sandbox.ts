// The cost of starting a command in a sandbox, compared with a plain spawn and with bare bubblewrap; of keeping its files
// and putting them back; and fifty runs at once. Variants take turns, so that other load on the machine affects all of them alike.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { describeLimits } from '../src/contract/sandbox-limits.ts';
import { bubblewrapDriver } from '../src/sandbox/bubblewrap/bubblewrap-driver.ts';
import { createController, type SandboxController } from '../src/sandbox/controller.ts';
import { createBody, execBody } from '../src/sandbox/protocol.ts';

const ROUNDS = 60;
const SNAPSHOT_ROUNDS = 15;
const MAKE_FILES =
  'for d in {1..20}; do mkdir d$d; for f in {1..50}; do head -c 4096 /dev/urandom >d$d/f$f; done; done';
const AT_ONCE = 50;
const TARGET_MS = 40;
const BARE = [
  '--unshare-all',
  '--ro-bind',
  '/usr',
  '/usr',
  '--symlink',
  'usr/bin',
  '/bin',
  '--symlink',
  'usr/lib',
  '/lib',
  ...(existsSync('/lib64') ? ['--symlink', 'usr/lib64', '/lib64'] : []),
  '--proc',
  '/proc',
  '--dev',
  '/dev',
];

export async function bench(report: (line: string) => void): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-sandbox-'));
  const driver = bubblewrapDriver({ dataDirectory: directory, cgroup: 'service-sandbox' });
  const probe = await driver.probe();
  if (!probe.ok) {
    report(`not measured: ${probe.reason}`);
    await rm(directory, { recursive: true, force: true });
    return;
  }
  report(`limits: ${describeLimits(probe.limits)}`);
  const controller = createController({
    driver,
    limits: probe.limits,
    maxSandboxes: AT_ONCE + 2,
    log: pino({ level: 'silent' }),
  });
  try {
    await compareStarts(controller, report);
    await keepFiles(controller, report);
    await runAtOnce(controller, report);
  } finally {
    await controller.close();
    await driver.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function compareStarts(controller: SandboxController, report: (line: string) => void): Promise<void> {
  const { id } = await controller.create(createBody.parse({}));
  const variants = {
    'plain spawn': () => run('/usr/bin/true', []),
    'bare bubblewrap': () => run('/usr/bin/bwrap', [...BARE, '/usr/bin/true']),
    'command in a sandbox': () => exec(controller, id),
    'sandbox made, used, removed': async () => {
      const made = await controller.create(createBody.parse({}));
      await exec(controller, made.id);
      await controller.destroy(made.id);
    },
  } satisfies Record<string, () => Promise<void>>;
  const times = new Map(Object.keys(variants).map((name) => [name, [] as number[]]));
  for (let round = -5; round < ROUNDS; round++) {
    for (const [name, variant] of Object.entries(variants)) {
      const startedAt = performance.now();
      await variant();
      if (round >= 0) times.get(name)?.push(performance.now() - startedAt);
    }
  }
  const at = (name: keyof typeof variants, share: number): number =>
    (times.get(name) ?? []).toSorted((a, b) => a - b)[Math.floor(ROUNDS * share)] ?? 0;
  report(`start to end of /usr/bin/true, ${ROUNDS} rounds, milliseconds`);
  report('                                 min    p50    p95   × plain   × bare');
  for (const name of Object.keys(variants) as (keyof typeof variants)[]) {
    const [min, p50, p95] = [at(name, 0), at(name, 0.5), at(name, 0.95)];
    report(
      `  ${name.padEnd(28)} ${min.toFixed(1).padStart(5)}  ${p50.toFixed(1).padStart(5)}  ${p95.toFixed(1).padStart(5)}   ${(p50 / at('plain spawn', 0.5)).toFixed(1).padStart(7)}   ${(p50 / at('bare bubblewrap', 0.5)).toFixed(1).padStart(6)}`,
    );
  }
  const added = at('command in a sandbox', 0.5) - at('plain spawn', 0.5);
  report(
    `  a sandbox adds ${added.toFixed(1)} ms to a plain spawn, at most ${TARGET_MS}: ${added <= TARGET_MS ? 'held' : 'MISSED'}`,
  );
  await controller.destroy(id);
}

/** As a run does it after each step: the archive is taken from the controller, here into memory. */
async function keepFiles(controller: SandboxController, report: (line: string) => void): Promise<void> {
  const { signal } = new AbortController();
  const save = async (id: string, full: boolean): Promise<Buffer> => {
    const archive = new PassThrough();
    const [bytes] = await Promise.all([
      buffer(archive),
      controller.saveSnapshot(id, archive, { full, signal }).then(() => archive.end()),
    ]);
    return bytes;
  };
  const make = async (): Promise<string> => (await controller.create(createBody.parse({}))).id;
  const cases = [
    { name: 'empty', before: ':' },
    { name: '1,000 files of 4 KiB', before: MAKE_FILES },
    { name: 'one of 1,000 changed', before: MAKE_FILES, change: 'echo >>d1/f1' },
  ];
  report(`a snapshot, ${SNAPSHOT_ROUNDS} rounds, milliseconds`);
  report('                                save: p50    p95   restore: p50    p95     bytes');
  for (const { name, before, change } of cases) {
    const times = { save: [] as number[], restore: [] as number[] };
    let bytes = 0;
    for (let round = -1; round < SNAPSHOT_ROUNDS; round++) {
      const [from, to] = [await make(), await make()];
      await exec(controller, from, ['bash', '-c', before]);
      const chain = change === undefined ? [] : [await save(from, true)];
      if (change !== undefined) await exec(controller, from, ['bash', '-c', change]);
      const saving = performance.now();
      chain.push(await save(from, change === undefined));
      const restoring = performance.now();
      for (const [index, archive] of chain.entries())
        await controller.restoreSnapshot(to, Readable.from([archive]), { last: index === chain.length - 1, signal });
      if (round >= 0) {
        times.save.push(restoring - saving);
        times.restore.push(performance.now() - restoring);
      }
      bytes = chain.at(-1)?.length ?? 0;
      await Promise.all([controller.destroy(from), controller.destroy(to)]);
    }
    const at = (of: number[], share: number): string =>
      (of.toSorted((a, b) => a - b)[Math.floor(of.length * share)] ?? 0).toFixed(1);
    report(
      `  ${name.padEnd(28)} ${at(times.save, 0.5).padStart(11)} ${at(times.save, 0.95).padStart(6)}   ${at(times.restore, 0.5).padStart(12)} ${at(times.restore, 0.95).padStart(6)} ${String(bytes).padStart(9)}`,
    );
  }
}

async function runAtOnce(controller: SandboxController, report: (line: string) => void): Promise<void> {
  const measure = async (work: () => Promise<void>): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return performance.now() - startedAt;
  };
  const plain = await measure(() => run('/usr/bin/true', []));
  const bare = await measure(() => run('/usr/bin/bwrap', [...BARE, '/usr/bin/true']));
  const ours = await measure(async () => {
    const { id } = await controller.create(createBody.parse({}));
    await exec(controller, id);
    await controller.destroy(id);
  });
  report(
    `${AT_ONCE} runs at once, made, used and removed: ${ours.toFixed(0)} ms (${((AT_ONCE / ours) * 1000).toFixed(0)} a second); plain spawns ${plain.toFixed(0)} ms (${(ours / plain).toFixed(1)}×), bare bubblewrap ${bare.toFixed(0)} ms (${(ours / bare).toFixed(1)}×)`,
  );
}

async function exec(controller: SandboxController, id: string, argv = ['/usr/bin/true']): Promise<void> {
  const log = await controller.exec(id, execBody.parse({ argv }));
  for await (const event of log.follow(-1, new AbortController().signal))
    if (event.t === 'exit' && event.code !== 0) throw new Error('the command failed');
}

async function run(file: string, args: string[]): Promise<void> {
  const [code] = (await once(spawn(file, args, { stdio: 'ignore' }), 'close')) as [number];
  if (code !== 0) throw new Error(`${file} failed`);
}

if (import.meta.main) await bench((line) => void process.stdout.write(`${line}\n`));
