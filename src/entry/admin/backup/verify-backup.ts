// Whether a backup is complete and unchanged, and every receipt chain in its dump holds; without a database. The dump has
// receipts in no order, and may have many: each chain is checked by sums over its links, which need no order. In an intact
// chain every hash but the last is the `prev` of the receipt after it, so that those cancel out.
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { genesisHash, isHashOf } from '../../../receipts/receipt.ts';
import { DATABASE_DUMP, findDamage, type Manifest, readManifest } from './manifest.ts';
import { runTool } from './run-tool.ts';

export interface VerifiedBackup {
  readonly ok: boolean;
  readonly version: string;
  readonly createdAt: string;
  readonly files: number;
  readonly receipts: number;
  readonly streams: number;
  readonly faults: readonly string[];
}

interface Chain {
  count: number;
  last: number;
  head: Buffer;
  readonly links: Buffer;
}

export async function verifyBackup(given: string): Promise<VerifiedBackup> {
  const directory = resolve(given);
  const { manifest } = await readManifest(directory);
  const faults = await findDamage(directory, manifest);
  // A damaged dump cannot be read.
  const chains = faults.length > 0 ? undefined : await verifyDumpedChains(directory, manifest);
  const all = [...faults, ...(chains?.faults ?? [])];
  return {
    ok: all.length === 0,
    version: manifest.version,
    createdAt: manifest.createdAt,
    files: manifest.files.length,
    receipts: chains?.receipts ?? 0,
    streams: chains?.streams ?? 0,
    faults: all,
  };
}

async function verifyDumpedChains(
  directory: string,
  { schema }: Manifest,
): Promise<{ receipts: number; streams: number; faults: string[] }> {
  const chains = new Map<string, Chain>();
  const faults: string[] = [];
  let columns: readonly string[] | undefined;
  await runTool({
    program: 'pg_restore',
    args: ['--data-only', `--schema=${schema}`, '--table=receipt', '--file=-', join(directory, DATABASE_DUMP)],
    line(line) {
      const [, names] = /^COPY .*\breceipt \((.+)\) FROM stdin;$/.exec(line) ?? [];
      if (names !== undefined) columns = names.split(', ');
      else if (line === '\\.') columns = undefined;
      else if (columns) takeReceipt(chains, faults, readRow(columns, line));
    },
  });
  for (const [stream, chain] of chains)
    if (!holds(stream, chain)) faults.push(`the receipts of ${stream} are not a chain`);
  return {
    receipts: [...chains.values()].reduce((sum, { count }) => sum + count, 0),
    streams: chains.size,
    faults,
  };
}

function takeReceipt(chains: Map<string, Chain>, faults: string[], row: Readonly<Record<string, string>>): void {
  const { stream = '', idx = '', body = '' } = row;
  const [index, prev, hash] = [Number(idx), bytesOf(row['prev']), bytesOf(row['hash'])];
  if (!isHashOf(hash, prev, body)) faults.push(`receipt ${index} of ${stream} does not match its hash`);
  const chain = chains.get(stream) ?? { count: 0, last: -1, head: Buffer.alloc(0), links: Buffer.alloc(32) };
  chains.set(stream, chain);
  chain.count++;
  if (index > chain.last) [chain.last, chain.head] = [index, hash];
  toggle(chain.links, index, hash);
  toggle(chain.links, index - 1, prev);
}

function holds(stream: string, { count, last, head, links }: Chain): boolean {
  const rest = Buffer.from(links);
  toggle(rest, last, head);
  toggle(rest, -1, genesisHash(stream));
  return count === last + 1 && rest.every((byte) => byte === 0);
}

function toggle(sum: Buffer, index: number, hash: Buffer): void {
  const digest = createHash('sha256').update(`${index}:`).update(hash).digest();
  for (const [at, byte] of digest.entries()) sum[at] = (sum[at] ?? 0) ^ byte;
}

/** A line of COPY in text format. */
function readRow(columns: readonly string[], line: string): Record<string, string> {
  return Object.fromEntries(line.split('\t').map((value, at) => [columns[at] ?? '', unescapeText(value)]));
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescapeText(value: string): string {
  return value.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}

function bytesOf(text = ''): Buffer {
  return Buffer.from(text.replace(/^\\x/, ''), 'hex');
}
