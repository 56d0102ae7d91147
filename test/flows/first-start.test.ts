// The first two commands of the README where things are not as usual: before anything is installed, on a copy of what
// npm start runs then; and the whole stack under a path, a home directory and a locale that are not the usual ones.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const COPIED = [
  'scripts/run.cjs',
  'scripts/run.mjs',
  'scripts/explain-install-fault.mjs',
  'src/stack/read-options.js',
  'src/stack/lines.js',
  'src/stack/file-faults.js',
];
/** Nothing listens there. */
const NO_REGISTRY = 'http://127.0.0.1:9';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let home: string;
let clone: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'service-first-'));
  clone = join(home, 'My Projekt äöü');
  for (const file of COPIED) await cp(join(ROOT, file), join(clone, file));
  const lock = {
    name: 'clone',
    lockfileVersion: 3,
    packages: { '': { dependencies: { absent: '1.0.0' } }, 'node_modules/absent': { version: '1.0.0' } },
  };
  await writeFile(
    join(clone, 'package.json'),
    JSON.stringify({ name: 'clone', type: 'module', dependencies: { absent: '1.0.0' } }),
  );
  await writeFile(join(clone, 'package-lock.json'), JSON.stringify(lock));
});
afterEach(async () => {
  await chmod(clone, 0o755);
  await rm(home, { recursive: true, force: true });
});

function run(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: clone,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      npm_config_registry: NO_REGISTRY,
      npm_config_fetch_retries: '0',
      npm_config_update_notifier: 'false',
      ...environment,
    },
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

const npmStart = (...args: string[]): Promise<Ended> => run(['scripts/run.cjs', 'stack', ...args]);

describe('before anything is installed', () => {
  it('npm start -- --help shows the options at once', async () => {
    const { code, stdout, stderr } = await npmStart('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('--data-dir DIR');
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('an option that does not exist is refused in one line', async () => {
    expect(await npmStart('--nonsense')).toEqual({
      code: 2,
      stdout: '',
      stderr: "service: Unknown option '--nonsense'. npm start -- --help shows the options.\n",
    });
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('a Node that is too old is named, with the one that is needed', async () => {
    const { code, stderr } = await run([
      '-e',
      "Object.defineProperty(process.versions, 'node', { value: '18.20.8' }); require('./scripts/run.cjs')",
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^service: this needs Node 20 or newer, but \S+ is v[\d.]+: install a newer Node and try again\n$/,
    );
  });

  it('a registry that cannot be reached leaves npm’s own message and one line of what to check', async () => {
    const { code, stdout, stderr } = await npmStart();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^installing packages, a minute or two {2}failed\nnpm error code ECONNREFUSED\n[\s\S]*\nservice: packages could not be installed: npm cannot reach its registry\.[^\n]*npm config get registry[^\n]*\n$/,
    );
    expect(await readdir(clone)).not.toContain('dist');
  });

  it('npm’s cache goes elsewhere where the home directory cannot be written', async () => {
    const { stderr } = await run(['scripts/run.cjs', 'stack'], { HOME: '/dev/null/home' });
    expect(stderr).toContain('npm error code ECONNREFUSED');
  });

  it(
    'a checkout that cannot be written is said before npm is called',
    leaveOut(process.getuid?.() === 0 ? 'root may write everywhere' : undefined, 'impossible'),
    async () => {
      await chmod(clone, 0o555);
      expect(await npmStart()).toEqual({
        code: 1,
        stdout: '',
        stderr: `service: packages cannot be installed in ${join(clone, 'node_modules')}: this user may not write there. Start it once as a user who may write there, or clone the repository to a directory of yours.\n`,
      });
    },
  );
});

describe('a start under a long path with spaces and umlauts, in another locale, without a home directory', () => {
  it('is like any other', async () => {
    const dataDirectory = join(home, 'Ein Verzeichnis für alles, was größer ist', 'x'.repeat(80), 'Daten');
    await mkdir(dataDirectory, { recursive: true });
    let stack: TestStack | undefined;
    try {
      stack = await startStack({
        dataDirectory,
        environment: { HOME: '/dev/null/home', LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
      });
      await stack.said(/^ {2}stop /m);
      expect(stack.output.stdout).toBe(`ready http://localhost:${stack.port}\n`);
      expect(stack.output.stderr).toMatch(
        /^ {2}models {2}are demo ones; for real ones set OPENAI_API_KEY or ANTHROPIC_API_KEY and start again$/m,
      );
      expect(stack.output.stderr).not.toMatch(/^(?:warning|error|service):/m);
      expect((await fetch(stack.url)).status).toBe(200);
      const [, socket = ''] = (await stack.state()).parts.sandbox?.url?.split('unix:') ?? [];
      expect(existsSync(socket)).toBe(true);
      expect(await sorted(stack.databaseUrl)).toBe('I Z a i z ä');
      await stack.stop();
      expect(existsSync(dirname(socket))).toBe(false);
    } finally {
      await stack?.stop();
    }
  });
});

async function sorted(databaseUrl: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ letters: string }>(
      "select string_agg(x, ' ' order by x) as letters from unnest(array['ä', 'z', 'Z', 'i', 'I', 'a']) x",
    );
    return rows[0]?.letters;
  } finally {
    await client.end();
  }
}
