// Against programs that stand in for docker and podman, strict about their command lines.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DriverSandbox, SandboxDriver, SandboxSpec } from '../driver.ts';
import { withDefaults } from '../limits.ts';
import { dockerDriver } from './docker-driver.ts';
import type { EngineKind } from './engine-info.ts';
import { qualifyImage } from './provide-image.ts';
import { readSelfTest } from './self-test.ts';

const STAND_IN = join(import.meta.dirname, '..', '..', '..', 'test', 'support', 'sandbox', 'stand-in-engine.ts');
const DOCKER_INFO = {
  Runtimes: { runc: {} },
  SecurityOptions: ['name=seccomp,profile=builtin', 'name=cgroupns'],
  MemoryLimit: true,
  PidsLimit: true,
  CpuCfsQuota: true,
  CgroupVersion: '2',
};
const PODMAN_HOST = {
  cgroupControllers: ['cpuset', 'cpu', 'memory', 'pids'],
  cgroupVersion: 'v2',
  ociRuntime: { name: 'crun' },
  security: { rootless: false },
};
const INFO = { docker: DOCKER_INFO, podman: { host: PODMAN_HOST } };
const REPORT = `CapPrm: 0000000000000000\nCapEff: 0000000000000000\nCapBnd: 0000000000000000\nNoNewPrivs: 1\nSeccomp: 2\nuid: 1000\nwritten: \nsealed: \nroutes: \nmemory: 2147483648\nprocesses: 512\negress: open\n`;
const ENGINE_LIMITS = { memory: 'engine', processes: 'engine', disk: 'engine', cpu: 'engine', time: 'timer' };

let standIn: string;
let directory: string;
let drivers: SandboxDriver[];

interface Call {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An engine on the machine of the test: what it says of itself, and what it has. */
async function install(
  kind: EngineKind,
  state: { info?: unknown; images?: string[]; registry?: string[]; runtimes?: string[]; report?: string } = {},
): Promise<void> {
  const home = join(directory, kind);
  await mkdir(join(home, 'containers'), { recursive: true });
  await writeFile(join(home, 'engine.mjs'), standIn);
  await writeFile(
    join(home, 'program'),
    `#!/bin/sh\nexec '${process.execPath}' '${home}/engine.mjs' ${kind} '${home}' "$@"\n`,
  );
  await chmod(join(home, 'program'), 0o755);
  await writeFile(join(home, 'info'), JSON.stringify(state.info ?? INFO[kind]));
  await writeFile(join(home, 'images'), `${(state.images ?? ['an-image']).join('\n')}\n`);
  await writeFile(join(home, 'registry'), (state.registry ?? []).join('\n'));
  await writeFile(join(home, 'runtimes'), (state.runtimes ?? []).join('\n'));
  await writeFile(join(home, 'report'), state.report ?? REPORT);
}

function make(
  name: 'docker' | 'gvisor',
  kinds: readonly EngineKind[],
  settings: { image?: string; environment?: Record<string, string> } = {},
): SandboxDriver {
  const driver = dockerDriver({
    name,
    ...(name === 'gvisor' ? { runtime: 'runsc' } : {}),
    image: 'an-image',
    environment: {},
    dataDirectory: directory,
    programs: kinds.map((kind) => join(directory, kind, 'program')),
    ...settings,
  });
  drivers.push(driver);
  return driver;
}

const callsOf = async (kind: EngineKind): Promise<Call[]> =>
  (await readFile(join(directory, kind, 'calls'), 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Call);
const lastRun = async (kind: EngineKind): Promise<string> =>
  ((await callsOf(kind)).findLast(({ args }) => args[0] === 'run')?.args ?? []).join(' ');
const containersOf = (kind: EngineKind): Promise<string[]> => readdir(join(directory, kind, 'containers'));

async function open(kind: EngineKind, spec: Partial<SandboxSpec> = {}): Promise<DriverSandbox> {
  const driver = make('docker', [kind]);
  expect(await driver.probe()).toMatchObject({ ok: true });
  return driver.create({ id: 'sbx_1', limits: withDefaults({}), env: {}, ...spec });
}

async function outcome(
  sandbox: DriverSandbox,
  argv: string[],
  env: Record<string, string> = {},
  stdin?: string,
): Promise<unknown[]> {
  const command = await sandbox.exec({
    argv,
    env,
    cwd: '/workspace',
    ...(stdin === undefined ? {} : { stdin: Buffer.from(stdin) }),
  });
  return Promise.all([text(command.stdout), command.exited]);
}

beforeAll(async () => {
  standIn = stripTypeScriptTypes(await readFile(STAND_IN, 'utf8'));
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-docker-'));
  drivers = [];
});
afterEach(async () => {
  for (const driver of drivers) await driver.close();
  await rm(directory, { recursive: true, force: true });
});

describe.each(['docker', 'podman'] as const)('the docker driver on %s', (kind) => {
  it('tries a container out, and leaves none', async () => {
    await install(kind);
    expect(await make('docker', [kind]).probe()).toEqual({ ok: true, limits: ENGINE_LIMITS });
    expect(await containersOf(kind)).toEqual([]);
  });

  it('clears away what an earlier controller of this data directory left, and nothing else', async () => {
    await install(kind);
    await (await open(kind)).kill();
    await writeFile(join(directory, kind, 'containers', 'of-somebody-else'), 'service-sandbox=another');
    expect(await containersOf(kind)).toHaveLength(2);
    await make('docker', [kind]).probe();
    expect(await containersOf(kind)).toEqual(['of-somebody-else']);
  });

  it('makes containers without network, capabilities or a writable root, under every limit', async () => {
    await install(kind);
    const sandbox = await open(kind, { limits: withDefaults({ processes: 77, memoryBytes: 1e9, diskBytes: 8e8 }) });
    const line = await lastRun(kind);
    for (const part of [
      '--network none',
      '--read-only',
      '--cap-drop ALL',
      'no-new-privileges',
      '--user 1000:1000',
      '--ipc private',
      '--pull never',
      '--pids-limit 77',
      '--memory 1000000000',
      '--memory-swap 1000000000',
      '--cpus 2',
      'size=600000000',
    ])
      expect(line).toContain(part);
    expect(line).not.toMatch(/--runtime|--privileged|[ =]host\b|unconfined/);
    const sizes = [...line.matchAll(/(?:\/(?:workspace|tmp|home\/agent|dev\/shm):\S*size=|--shm-size )(\d+)/g)].map(
      (match) => Number(match[1]),
    );
    expect([sizes.length, sizes.reduce((sum, size) => sum + size, 0)]).toEqual([4, 8e8]);
    await sandbox.destroy();
    expect(await containersOf(kind)).toEqual([]);
  });

  it('runs commands, and shows their environment in no list of arguments', async () => {
    await install(kind);
    const sandbox = await open(kind, { env: { GREETING: 'of-the-sandbox' } });
    expect(
      await outcome(
        sandbox,
        ['sh', '-c', 'echo "$GREETING $WORD"; cat; exit 3'],
        { WORD: `it's "from"\nthe $environment` },
        'given',
      ),
    ).toEqual([`of-the-sandbox it's "from"\nthe $environment\ngiven`, { code: 3, signal: null }]);
    for (const { args } of await callsOf(kind)) expect(args.join(' ')).not.toMatch(/from|of-the-sandbox/);
  });

  it('gives a command what is streamed to it, as far as it reads', async () => {
    await install(kind);
    const sandbox = await open(kind);
    const exec = (argv: string[], stdin: Readable): Promise<unknown[]> =>
      sandbox
        .exec({ argv, env: {}, cwd: '/workspace', stdin, network: false })
        .then((command) => Promise.all([text(command.stdout), command.exited]));
    expect(await exec(['cat'], Readable.from([Buffer.from('in '), Buffer.from('pieces')]))).toEqual([
      'in pieces',
      { code: 0, signal: null },
    ]);
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(65_536, 'x');
      })(),
    );
    expect(await exec(['head', '-c', '3'], endless)).toEqual(['xxx', { code: 0, signal: null }]);
    expect(endless.destroyed).toBe(true);
  });

  it('gives the client a few variables of the controller, and none of a run', async () => {
    await install(kind);
    const own = {
      HOME: directory,
      XDG_RUNTIME_DIR: '/run/user/1',
      DOCKER_HOST: 'unix:///d',
      DOCKER_CONFIG: '/c',
      CONTAINER_HOST: 'unix:///p',
      CONTAINERS_CONF: '/e',
      CONTAINERS_STORAGE_CONF: '/s',
      CONTAINERS_REGISTRIES_CONF: '/r',
    };
    const driver = make('docker', [kind], {
      environment: { ...own, SERVICE_SANDBOX_TOKEN: 'secret', LD_PRELOAD: '/x', PATH: '/elsewhere' },
    });
    await driver.probe();
    const sandbox = await driver.create({
      id: 'sbx_1',
      limits: withDefaults({}),
      env: { HOME: '/h', DOCKER_HOST: 'unix:///r', LD_PRELOAD: '' },
    });
    expect(
      await outcome(
        sandbox,
        ['sh', '-c', 'echo "$HOME $DOCKER_HOST ${LD_PRELOAD-unset} $PATH"; env | grep -c _SERVICE'],
        { PATH: '/usr/bin:/bin' },
      ),
    ).toEqual(['/h unix:///r  /usr/bin:/bin\n0\n', { code: 1, signal: null }]);
    for (const { env } of await callsOf(kind)) {
      expect(env).toMatchObject({ ...own, PATH: '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin' });
      expect(
        Object.keys(env).filter(
          (name) =>
            !(name in own) && !['PATH', 'PWD', 'SHLVL', '_'].includes(name) && !name.startsWith('_SERVICE_VARIABLE_'),
        ),
      ).toEqual([]);
    }
  });

  it('ends a command also when it enters the container late, and goes on', async () => {
    await install(kind);
    const sandbox = await open(kind);
    await writeFile(join(directory, kind, 'late'), '');
    const command = await sandbox.exec({
      argv: ['sh', '-c', 'echo begun; exec sleep 600'],
      env: {},
      cwd: '/workspace',
    });
    await new Promise((resolve) => command.stdout.once('data', resolve));
    await sandbox.kill();
    expect(await command.exited).toEqual({ code: 137, signal: null });
    expect(await outcome(sandbox, ['echo', 'on'])).toEqual(['on\n', { code: 0, signal: null }]);
  });

  it('ends the container when no process can enter it', async () => {
    await install(kind);
    const sandbox = await open(kind);
    const command = await sandbox.exec({
      argv: ['sh', '-c', 'echo begun; exec sleep 600'],
      env: {},
      cwd: '/workspace',
    });
    await new Promise((resolve) => command.stdout.once('data', resolve));
    await writeFile(join(directory, kind, 'full'), '');
    await sandbox.kill();
    expect(await command.exited).toEqual({ code: 137, signal: null });
  });

  it('opens the egress socket to the user of the container, in a directory that nobody else can pass', async () => {
    await install(kind);
    const driver = make('docker', [kind]);
    await driver.probe();
    const egress = { directory: await driver.egressDirectory('sbx_1') };
    const socket = createServer().listen(join(egress.directory, 'proxy.sock'));
    await new Promise((resolve) => socket.once('listening', resolve));
    await chmod(join(egress.directory, 'proxy.sock'), 0o600);
    const sandbox = await driver.create({ id: 'sbx_1', limits: withDefaults({}), env: {}, egress });
    expect([sandbox.uid, await lastRun(kind)]).toEqual([
      undefined,
      expect.stringContaining(`source=${egress.directory},target=/run/egress,readonly`),
    ]);
    await (
      await sandbox.exec({ argv: ['true'], env: {}, cwd: '/workspace' })
    ).exited;
    expect((await stat(join(egress.directory, 'proxy.sock'))).mode & 0o777).toBe(0o666);
    expect((await stat(join(egress.directory, '..', '..', '..'))).mode & 0o777).toBe(0o700);
    socket.close();
  });

  it('refuses a container that is not secure, and leaves none', async () => {
    await install(kind, { report: REPORT.replace('memory: 2147483648', 'memory: max') });
    expect(await make('docker', [kind]).probe()).toMatchObject({
      ok: false,
      reason: 'the container is not secure: memory is not limited',
    });
    expect(await containersOf(kind)).toEqual([]);
  });

  it('refuses a container from which the egress proxy cannot be reached', async () => {
    await install(kind, { report: REPORT.replace('egress: open', 'egress: EACCES') });
    expect(await make('docker', [kind]).probe()).toMatchObject({
      ok: false,
      reason: 'a run cannot reach its egress proxy (EACCES)',
    });
  });
});

describe('a look from inside a container', () => {
  const plain = { limits: withDefaults({}), ownKernel: false };

  it('finds nothing where all holds', () => {
    expect(readSelfTest(REPORT, plain)).toEqual({ weaknesses: [], egress: 'open' });
    expect(readSelfTest(REPORT.replace('memory: 2147483648', 'memory: 2147418112'), plain).weaknesses).toEqual([]);
  });

  it.each([
    ['CapEff: 0000000000000000', 'CapEff: 00000000a80425fb'],
    ['CapBnd: 0000000000000000', 'CapBnd: 00000000a80425fb'],
    ['NoNewPrivs: 1', 'NoNewPrivs: 0'],
    ['Seccomp: 2', 'Seccomp: 0'],
    ['uid: 1000', 'uid: 0'],
    ['written: ', 'written: /var/tmp'],
    ['sealed: ', 'sealed: /tmp'],
    ['routes: ', 'routes: one'],
    ['memory: 2147483648', 'memory: max'],
    ['memory: 2147483648', 'memory: 9223372036854771712'],
    ['memory: 2147483648', 'memory: '],
    ['processes: 512', 'processes: max'],
  ])('notices a change from "%s" to "%s"', (from, to) =>
    expect(readSelfTest(REPORT.replace(from, to), plain).weaknesses).toHaveLength(1),
  );

  it('treats no answer as insecure', () =>
    expect(readSelfTest('', plain)).toMatchObject({ weaknesses: { length: 11 }, egress: 'unknown' }));

  it('asks gVisor only for what its kernel tells', () => {
    expect(
      readSelfTest(REPORT.replace(/^(?:NoNewPrivs|Seccomp|memory|processes).*\n/gm, ''), { ...plain, ownKernel: true })
        .weaknesses,
    ).toEqual([]);
    expect(readSelfTest('', { ...plain, ownKernel: true }).weaknesses).toHaveLength(7);
  });
});

describe('what the engine can do', () => {
  const rootlessPodman = (cgroupVersion: string, cgroupControllers: string[] | null): unknown => ({
    host: { ...PODMAN_HOST, cgroupVersion, cgroupControllers, security: { rootless: true } },
  });
  const rootless = { SecurityOptions: ['name=seccomp,profile=builtin', 'name=rootless'] };

  it.each<[string, EngineKind, unknown, string, RegExp]>([
    [
      'rootless podman on cgroup v1',
      'podman',
      rootlessPodman('v1', []),
      'rootless podman cannot limit memory and processes here, because the machine uses cgroup v1',
      /cgroup v2/,
    ],
    [
      'one that lists controllers it cannot use',
      'podman',
      rootlessPodman('v1', ['memory', 'pids']),
      'rootless podman cannot limit memory and processes here, because the machine uses cgroup v1',
      /cgroup v2/,
    ],
    [
      'rootless podman without delegation',
      'podman',
      rootlessPodman('v2', null),
      'rootless podman cannot limit memory and processes here, because the controllers are not delegated to this user',
      /Delegate=/,
    ],
    [
      'rootless Docker on cgroup v1',
      'docker',
      { ...DOCKER_INFO, ...rootless, MemoryLimit: false, PidsLimit: false, CgroupVersion: '1' },
      'rootless docker cannot limit memory and processes here, because the machine uses cgroup v1',
      /cgroup v2/,
    ],
    [
      'Docker on a kernel without the memory controller',
      'docker',
      { ...DOCKER_INFO, MemoryLimit: false },
      'docker cannot limit memory here',
      /cgroup_enable=memory/,
    ],
  ])('must be to limit memory and processes: %s is refused', async (_name, kind, info, reason, fix) => {
    await install(kind, { info });
    expect(await make('docker', [kind]).probe()).toEqual({
      ok: false,
      reason,
      fix: expect.stringMatching(fix) as unknown,
    });
    expect((await callsOf(kind)).map(({ args }) => args[0])).toEqual(['info']);
  });

  it.each<[EngineKind, unknown]>([
    ['podman', rootlessPodman('v2', ['memory', 'pids'])],
    ['docker', { ...DOCKER_INFO, ...rootless, CpuCfsQuota: false }],
  ])('may leave processor time out: then runs of %s have low priority', async (kind, info) => {
    await install(kind, { info });
    const sandbox = await open(kind);
    expect(await lastRun(kind)).not.toContain('--cpus');
    expect(await outcome(sandbox, ['nice'])).toEqual([expect.stringMatching(/^1[5-9]\n$/), { code: 0, signal: null }]);
    expect(await make('docker', [kind]).probe()).toMatchObject({
      ok: true,
      limits: { ...ENGINE_LIMITS, cpu: 'priority' },
      why: `${kind} cannot limit processor time here`,
    });
  });

  it('is asked of podman where docker does not answer', async () => {
    await install('docker', {
      info: {
        ServerErrors: [
          'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
        ],
      },
    });
    const refused = {
      ok: false,
      reason:
        'docker does not answer (Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?)',
    };
    expect(await make('docker', ['docker']).probe()).toMatchObject({
      ...refused,
      reason: refused.reason.replace('docker does', 'program does'),
    });
    await install('podman');
    expect(await make('docker', ['docker', 'podman']).probe()).toMatchObject({ ok: true });
  });

  it('is not asked where there is none', async () => {
    expect(await make('docker', []).probe()).toEqual({
      ok: false,
      reason: 'neither docker nor podman is installed',
      fix: expect.stringContaining('install') as unknown,
      absent: true,
    });
  });

  it('is told apart by its answer: podman may be installed as docker', async () => {
    await install('podman');
    await mkdir(join(directory, 'docker'));
    await writeFile(
      join(directory, 'docker', 'program'),
      `#!/bin/sh\necho 'Emulate Docker CLI using podman.' >&2\nexec '${join(directory, 'podman', 'program')}' "$@"\n`,
      { mode: 0o755 },
    );
    expect(await make('docker', ['docker']).probe()).toMatchObject({ ok: true });
    expect(await lastRun('podman')).toContain('--read-only-tmpfs=false');
  });
});

describe('the runtime of gVisor', () => {
  it('is used where Docker lists it', async () => {
    await install('docker');
    expect(await make('gvisor', ['docker']).probe()).toMatchObject({
      ok: false,
      reason: 'docker has no runtime runsc',
      absent: true,
    });
    await install('docker', {
      info: { ...DOCKER_INFO, Runtimes: { runc: {}, runsc: {} } },
      report: REPORT.replace(/^(?:NoNewPrivs|Seccomp|memory|processes).*\n/gm, ''),
    });
    expect(await make('gvisor', ['docker']).probe()).toEqual({ ok: true, limits: ENGINE_LIMITS });
    expect(await lastRun('docker')).toContain('--runtime runsc');
  });

  it('is used where podman answers when it is told to use it', async () => {
    await install('podman');
    expect(await make('gvisor', ['podman']).probe()).toMatchObject({
      ok: false,
      reason: 'podman has no runtime runsc',
      absent: true,
    });
    await install('podman', { runtimes: ['runsc'] });
    expect(await make('gvisor', ['podman']).probe()).toMatchObject({ ok: true });
    expect(await lastRun('podman')).toContain('--runtime runsc');
  });

  it('is refused under a rootless engine, where it enforces no limits', async () => {
    await install('podman', { info: { host: { ...PODMAN_HOST, security: { rootless: true } } }, runtimes: ['runsc'] });
    expect(await make('gvisor', ['podman']).probe()).toMatchObject({
      ok: false,
      reason: 'runsc enforces no limits under rootless podman',
    });
  });

  it('must let runs reach their proxy', async () => {
    await install('docker', {
      info: { ...DOCKER_INFO, Runtimes: { runsc: {} } },
      report: REPORT.replace('egress: open', 'egress: ECONNREFUSED'),
    });
    expect(await make('gvisor', ['docker']).probe()).toMatchObject({
      ok: false,
      reason: 'a run cannot reach its egress proxy (ECONNREFUSED)',
      fix: expect.stringContaining('--host-uds=open') as unknown,
    });
  });
});

describe('the image', () => {
  it.each([
    ['debian:bookworm', 'docker.io/library/debian:bookworm'],
    ['someone/tools', 'docker.io/someone/tools'],
    ['registry.example:5000/tools:1', 'registry.example:5000/tools:1'],
    ['localhost/sandbox', 'localhost/sandbox'],
    ['docker.io/library/debian:bookworm', 'docker.io/library/debian:bookworm'],
    ['sha256:0123456789ab', 'sha256:0123456789ab'],
  ])('%s is %s in full', (image, name) => expect(qualifyImage(image)).toBe(name));

  it.each<[EngineKind, string]>([
    ['docker', 'debian:bookworm'],
    ['podman', 'docker.io/library/debian:bookworm'],
  ])('is fetched by %s as %s, once', async (kind, name) => {
    await install(kind, { images: [], registry: [name] });
    for (let times = 0; times < 2; times++)
      expect(await make('docker', [kind], { image: 'debian:bookworm' }).probe()).toMatchObject({ ok: true });
    expect((await callsOf(kind)).filter(({ args }) => args[0] === 'pull').map(({ args }) => args.at(-1))).toEqual([
      name,
    ]);
    expect(await lastRun(kind)).toContain(` ${name} -c `);
  });

  it('of this machine comes before one of a registry', async () => {
    await install('podman', { images: ['mine:1'], registry: ['docker.io/library/mine:1'] });
    expect(await make('docker', ['podman'], { image: 'mine:1' }).probe()).toMatchObject({ ok: true });
    expect(await lastRun('podman')).toContain(' mine:1 -c ');
  });

  it('is named in the reason where it cannot be had', async () => {
    await install('podman', { images: [] });
    expect(await make('docker', ['podman'], { image: 'debian:bookworm' }).probe()).toEqual({
      ok: false,
      reason:
        'podman does not have the image docker.io/library/debian:bookworm and cannot fetch it (Error: initializing source: pinging container registry: no such host)',
      fix: 'fetch it by hand (podman pull docker.io/library/debian:bookworm), or name another in SERVICE_SANDBOX_IMAGE',
    });
  });
});
