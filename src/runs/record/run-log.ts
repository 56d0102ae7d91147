// What a run said and did, for the people who may see it: content that receipts only name by hash. One line per entry, in
// the run's directory beside its artifacts, and removed with them.
import { appendFile, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../base/canonical-json.ts';
import { digestOf } from './run.ts';

/** A directory of its own, so that the log is not listed as an artifact. */
export const RUN_LOG = 'run-log';
const FILE = 'log.ndjson';
const MOST_BYTES = 32 * 1024 * 1024;

export type Digest = ReturnType<typeof digestOf>;

/** Stores an entry and returns its digest. Undefined once the log is full: the run goes on without it. */
export async function appendRunLog(runDirectory: string, detail: Json): Promise<Digest | undefined> {
  const directory = join(runDirectory, RUN_LOG);
  const path = join(directory, FILE);
  const digest = digestOf(detail);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size + digest.bytes > MOST_BYTES) return undefined;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // The newline comes first: a worker that died may have left an incomplete line.
  await appendFile(path, `\n${JSON.stringify({ sha256: digest.sha256, detail })}`, { mode: 0o600 });
  return digest;
}

/** The part of an entry that is for the attempt that goes on with the run: what the model said, as it is sent back to it. */
const FOR_THE_ENGINE = 'journal';

/** What people see of an entry. */
function shown(detail: Json): Json {
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return detail;
  return Object.fromEntries(Object.entries(detail).filter(([name]) => name !== FOR_THE_ENGINE));
}

/** Adds the log entry that an event names. The log is read again when an event names an unknown one. */
export function createDetailReader(
  runDirectory: string,
): <Event extends { readonly data: unknown }>(event: Event) => Promise<Event & { readonly detail?: Json }> {
  let known = new Map<string, Json>();
  return async (event) => {
    const sha256 = namedDetail(event.data);
    if (sha256 === undefined) return event;
    if (!known.has(sha256)) known = await readRunLog(runDirectory, () => true);
    const detail = known.get(sha256);
    return detail === undefined ? event : { ...event, detail: shown(detail) };
  };
}

/** Adds the log entries that some events name, as people see them. */
export async function addDetails<Event extends { readonly data: unknown }>(
  runDirectory: string,
  events: readonly Event[],
): Promise<(Event & { readonly detail?: Json })[]> {
  const found = await readDetails(runDirectory, events);
  return found.map((event) => (event.detail === undefined ? event : { ...event, detail: shown(event.detail) }));
}

/** The log entries that some events name, whole. The others are not parsed. */
export async function readDetails<Event extends { readonly data: unknown }>(
  runDirectory: string,
  events: readonly Event[],
): Promise<(Event & { readonly detail?: Json })[]> {
  const named = new Set(events.map(({ data }) => namedDetail(data)));
  const known = await readRunLog(runDirectory, (sha256) => named.has(sha256));
  return events.map((event) => {
    const detail = known.get(namedDetail(event.data) ?? '');
    return detail === undefined ? event : { ...event, detail };
  });
}

/** How large the log entry is that an event names. */
export function detailBytes(data: unknown): number {
  const { progress } = (data ?? {}) as { progress?: { detail?: { bytes?: unknown } } };
  const bytes = progress?.detail?.bytes;
  return typeof bytes === 'number' ? bytes : 0;
}

const BEGINNING = '{"sha256":"';

async function readRunLog(runDirectory: string, wants: (sha256: string) => boolean): Promise<Map<string, Json>> {
  const entries = new Map<string, Json>();
  const file = await open(join(runDirectory, RUN_LOG, FILE)).catch(() => undefined);
  if (!file) return entries;
  for await (const line of file.readLines()) {
    if (line.startsWith(BEGINNING) && !wants(line.slice(BEGINNING.length, BEGINNING.length + 64))) continue;
    const entry = parseEntry(line);
    // Entries that do not match their hash are skipped: the log is trusted no more than any other file.
    if (entry && digestOf(entry.detail).sha256 === entry.sha256) entries.set(entry.sha256, entry.detail);
  }
  return entries;
}

function parseEntry(line: string): { sha256: string; detail: Json } | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as { sha256: string; detail: Json };
  } catch {
    return undefined;
  }
}

function namedDetail(data: unknown): string | undefined {
  const { progress } = (data ?? {}) as { progress?: { detail?: { sha256?: unknown } } };
  const sha256 = progress?.detail?.sha256;
  return typeof sha256 === 'string' ? sha256 : undefined;
}
