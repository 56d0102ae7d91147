// A sandbox controller for tests that are not about confinement: the real one, at a real socket, over a driver that runs
// commands in a directory and confines nothing. It runs on every machine that the tests do.
import { spawn } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listenForCallers } from '../../../src/http/sandbox/listen.ts';
import { sandboxListener } from '../../../src/http/sandbox/sandbox-listener.ts';
import type { LimitMeans } from '../../../src/contract/sandbox-limits.ts';
import { createController } from '../../../src/sandbox/controller.ts';
import type {
  DriverSandbox,
  Exit,
  FileEntry,
  RunningCommand,
  SandboxDriver,
  WorkspaceFiles,
} from '../../../src/sandbox/driver.ts';
import { quiet } from '../database.ts';
import { freePort } from '../free-port.ts';

export interface UnconfinedSandbox {
  /** What a worker has to be told. */
  readonly environment: { readonly SERVICE_SANDBOX_URL: string; readonly SERVICE_SANDBOX_TOKEN: string };
  close(): Promise<void>;
}

const LIMITS: LimitMeans = {
  memory: 'watchdog',
  processes: 'watchdog',
  disk: 'watchdog',
  cpu: 'priority',
  time: 'timer',
};

export async function startUnconfinedSandbox(): Promise<UnconfinedSandbox> {
  const environment = {
    SERVICE_SANDBOX_URL: `http://127.0.0.1:${await freePort()}`,
    SERVICE_SANDBOX_TOKEN: 'sandbox-token-of-the-tests',
  };
  const controller = createController({ driver: DRIVER, limits: LIMITS, maxSandboxes: 1_000, log: quiet });
  const token = environment.SERVICE_SANDBOX_TOKEN;
  const listener = sandboxListener({
    controller,
    health: () => ({ ok: true, driver: DRIVER.name, limits: LIMITS, sandboxes: controller.size }),
    token,
    log: quiet,
  });
  const { close } = await listenForCallers(listener, { url: environment.SERVICE_SANDBOX_URL, token, host: undefined });
  return {
    environment,
    async close() {
      const closing = close();
      await controller.close();
      await closing;
    },
  };
}

const DRIVER: SandboxDriver = {
  name: 'bubblewrap',
  probe: async () => ({ ok: true, limits: LIMITS }),
  egressDirectory: () => mkdtemp(join(tmpdir(), 'service-egress-')),
  close: async () => {},
  async create(): Promise<DriverSandbox> {
    const workspace = await mkdtemp(join(tmpdir(), 'service-unconfined-'));
    const running = new Set<RunningCommand>();
    const kill = async (): Promise<void> => {
      const all = [...running];
      for (const one of all) one.kill();
      await Promise.all(all.map(({ exited }) => exited));
    };
    return {
      files: filesOf(workspace),
      uid: undefined,
      kill,
      stats: async () => ({}),
      async exec({ argv: [program = '', ...args], env }) {
        const child = spawn(program, args, {
          cwd: workspace,
          env: { PATH: '/usr/bin:/bin', ...env },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const exited = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
        const command = { stdout: child.stdout, stderr: child.stderr, exited, kill: () => void child.kill('SIGKILL') };
        running.add(command);
        void exited.then(() => running.delete(command));
        return command;
      },
      async destroy() {
        await kill();
        await rm(workspace, { recursive: true, force: true });
      },
    };
  },
};

/** What a run calls /workspace is the directory. */
function filesOf(workspace: string): WorkspaceFiles {
  const at = (path: string): string => join(workspace, path.replace(/^\/workspace\/?/, ''));
  const find = async (path: string): Promise<FileEntry | undefined> => {
    const found = await lstat(at(path)).catch(() => undefined);
    return (
      found && {
        name: path.split('/').at(-1) ?? '',
        type: found.isDirectory() ? 'directory' : found.isFile() ? 'file' : 'other',
        size: found.size,
      }
    );
  };
  return {
    find,
    async list(path) {
      const entries = await Promise.all((await readdir(at(path))).toSorted().map((name) => find(`${path}/${name}`)));
      return { entries: entries.filter((entry) => entry !== undefined) };
    },
    read: (path) => readFile(at(path)),
    async write(path, bytes) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), bytes);
    },
  };
}
