// PostgreSQL's own tools. The address is given in their environment, because a command line is visible to everyone on
// the machine; what they say may contain an address, so its password is struck out.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { processEnvironment } from '../../../base/config.ts';
import { splitHosts } from '../../../base/postgres-hosts.ts';
import { OperatorError } from '../operator-error.ts';

export interface ToolRun {
  readonly program: 'pg_dump' | 'pg_restore';
  readonly args: readonly string[];
  /** Absent for a tool that only reads a file. */
  readonly url?: string;
  /** Called for each line of its output. */
  readonly line?: (line: string) => void;
}

const SAID_MAX = 2_000;
/** Parameters of a URL that libpq reads from its environment. */
const PARAMETERS: Readonly<Record<string, string>> = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  host: 'PGHOST',
};

export async function runTool({ program, args, url, line }: ToolRun): Promise<void> {
  const child = spawn(program, args, {
    env: { PATH: processEnvironment()['PATH'], LANG: 'C.UTF-8', ...(url === undefined ? {} : environmentOf(url)) },
    stdio: ['ignore', line ? 'pipe' : 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => (said = (said + piece).slice(-SAID_MAX)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code] = await Promise.all([
    ended.catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(
        error.code === 'ENOENT' ? `${program} is not installed here` : `${program} cannot be run (${error.code})`,
        "Install PostgreSQL's client programs, at least as new as the server (Debian: postgresql-client).",
      );
    }),
    line && child.stdout ? readLines(child.stdout, line) : undefined,
  ]);
  if (code === 0) return;
  const password = url === undefined ? '' : decodeURIComponent(new URL(splitHosts(url)[0]).password);
  const reason = (password === '' ? said : said.replaceAll(password, '[secret]')).trim().split('\n').at(-1) ?? '';
  throw new OperatorError(`${program} failed: ${reason}`, 'Fix that, then run the command again.');
}

async function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): Promise<void> {
  for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) take(text);
}

function environmentOf(text: string): Record<string, string> {
  const urls = splitHosts(text).map((one) => new URL(one));
  const [url = new URL(text)] = urls;
  const given: Record<string, string> = {
    PGHOST: urls.map(({ hostname }) => hostname.replace(/^\[|\]$/g, '')).join(','),
    PGPORT: urls.map(({ port }) => port || '5432').join(','),
    // As the service does: of several hosts, the one that can be written to.
    ...(urls.length > 1 ? { PGTARGETSESSIONATTRS: 'read-write' } : {}),
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    PGCONNECT_TIMEOUT: '20',
  };
  for (const [name, variable] of Object.entries(PARAMETERS)) {
    const value = url.searchParams.get(name);
    if (value !== null) given[variable] = value;
  }
  return given;
}
