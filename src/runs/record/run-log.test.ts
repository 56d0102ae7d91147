import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../reading/run-events.ts';
import { addDetails, appendRunLog, createDetailReader, RUN_LOG } from './run-log.ts';
import { cutEvents } from '../reading/run-events.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-run-log-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const log = (): string => join(directory, RUN_LOG, 'log.ndjson');
const event = (detail?: unknown): RunEvent => ({
  id: 1,
  type: 'job.progress',
  at: '',
  actor: '',
  status: 'running',
  attempt: 1,
  data: { attempt: 1, progress: { type: 'model', ...(detail === undefined ? {} : { detail }) } },
});

it('adds the stored detail to the event that names it, even if stored later', async () => {
  const read = createDetailReader(directory);
  const first = await appendRunLog(directory, { text: 'one' });
  expect(await read(event(first))).toMatchObject({ detail: { text: 'one' } });
  const second = await appendRunLog(directory, { output: 'two\nlines' });
  expect(await read(event(second))).toMatchObject({ detail: { output: 'two\nlines' } });
  expect(await read(event())).toEqual(event());
  expect(await read(event({ sha256: 'unknown' }))).toEqual(event({ sha256: 'unknown' }));
});

it('skips entries that do not match their hash, and continues after an incomplete line', async () => {
  const digest = await appendRunLog(directory, { text: 'true' });
  await writeFile(log(), (await readFile(log(), 'utf8')).replace('true', 'false'));
  expect(await createDetailReader(directory)(event(digest))).toEqual(event(digest));
  await appendFile(log(), '\n{"sha256":"broken');
  const next = await appendRunLog(directory, { text: 'next' });
  expect(await createDetailReader(directory)(event(next))).toMatchObject({ detail: { text: 'next' } });
});

it('accepts no more once it is full', async () => {
  expect(await appendRunLog(directory, { text: 'x'.repeat(33 * 1024 * 1024) })).toBeUndefined();
});

it('reads for a page of events the entries that it names, as many as are small enough together', async () => {
  const texts = ['a'.repeat(700_000), 'b'.repeat(200_000), 'c'.repeat(200_000), 'd'.repeat(3_000_000), 'e'];
  const events: RunEvent[] = [];
  for (const [id, text] of texts.entries()) events.push({ ...event(await appendRunLog(directory, { text })), id });
  const pages: number[][] = [];
  for (let rest: readonly RunEvent[] = events; rest.length > 0;) {
    const page = cutEvents(rest);
    const shown = await addDetails(directory, page);
    expect(shown.map(({ id, detail }) => (detail as { text: string }).text === texts[id])).toEqual(
      page.map(() => true),
    );
    pages.push(page.map(({ id }) => id));
    rest = rest.slice(page.length);
  }
  expect(pages).toEqual([[0, 1], [2], [3], [4]]);
  expect(await addDetails(join(directory, 'none'), [event()])).toEqual([event()]);
});
