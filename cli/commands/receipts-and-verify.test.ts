import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { content, events, json, refuse } from '../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const STREAM = 'connect/ws_1';
const HASH = 'a'.repeat(64);
const receipt = (index: number) => ({
  stream: STREAM,
  index,
  kind: 'tool.called',
  at: AT,
  actor: 'user:usr_1',
  body: { tool: 'x' },
  prev: HASH,
  hash: HASH,
});
const row = (index: number): string => `${index}\t${AT}\ttool.called\tuser:usr_1\t{"tool":"x"}\n`;

describe('receipts', () => {
  it('lists the streams', async () => {
    stand.serve({ 'GET /runtime/service/stream': { streams: [{ stream: STREAM, head: { index: 2, hash: HASH } }] } });
    expect((await stand.servicectl(['receipts'])).stdout).toBe(`${STREAM}\t3\t2:${HASH}\n`);
  });

  it('shows part of a stream and says how to see more', async () => {
    stand.serve({
      'GET /runtime/service/stream': ({ query }) =>
        json({
          receipts: [1, 2, 3].map(receipt).slice(0, Number(query['limit'])),
          head: { index: 9, hash: HASH },
        }),
    });
    expect(await stand.servicectl(['receipts', STREAM, '--from', '1', '--limit', '2'])).toEqual({
      code: 0,
      stdout: row(1) + row(2),
      stderr: `To see more: servicectl receipts ${STREAM} --from 3\n`,
    });
  });

  it('--follow prints receipts until the service ends the stream', async () => {
    stand.serve({ 'GET /runtime/service/stream': events(receipt(0), receipt(1)) });
    expect(await stand.servicectl(['receipts', STREAM, '--follow'])).toMatchObject({
      code: 1,
      stdout: row(0) + row(1),
      stderr: expect.stringContaining('the service ended the stream'),
    });
  });

  it('--export writes a file and replaces one only with --force', async () => {
    stand.serve({ 'GET /runtime/service/export': content('application/x-ndjson', '{"stream":"x"}\n') });
    const file = join(stand.directory, 'audit.jsonl');
    const exported = (...more: string[]) => stand.servicectl(['receipts', STREAM, '--export', file, ...more]);
    expect(await exported()).toMatchObject({ code: 0, stderr: expect.stringContaining(`servicectl verify ${file}`) });
    expect(await readFile(file, 'utf8')).toBe('{"stream":"x"}\n');
    expect(await exported()).toMatchObject({ code: 1, stderr: expect.stringMatching(/already exists[\s\S]*--force/) });
    expect(await exported('--force')).toMatchObject({ code: 0 });
  });

  it('searches all streams with a filter, page by page', async () => {
    const asked: unknown[] = [];
    stand.serve({
      'GET /runtime/service/receipts': ({ query }) => {
        asked.push(query);
        const found = { ...receipt(asked.length), workspace: 'ws_1', person: 'usr_1', app: 'github', tool: 'x' };
        return json({ receipts: [found], cursor: `c${asked.length}` });
      },
    });
    const line = (index: number): string => `${AT}\ttool.called\tusr_1\tgithub\tx\t${STREAM}\t${index}\n`;
    expect(
      await stand.servicectl(['receipts', '--app', 'github', '--since', '2026-01-01T00:00Z', '--limit', '2']),
    ).toEqual({
      code: 0,
      stdout: line(1) + line(2),
      stderr: `There are more. To see them, raise --limit or set --until ${AT}.\n`,
    });
    expect(asked).toEqual([
      { app: 'github', since: '2026-01-01T00:00:00.000Z', limit: '2' },
      { app: 'github', since: '2026-01-01T00:00:00.000Z', limit: '1', cursor: 'c1' },
    ]);
  });

  it('says that nothing matches, and refuses a filter that makes no sense', async () => {
    stand.serve({ 'GET /runtime/service/receipts': { receipts: [] } });
    expect(await stand.servicectl(['receipts', '--tool', 'x'])).toMatchObject({ stderr: 'No receipts match.\n' });
    expect(await stand.servicectl(['receipts', '--since', 'soon'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--since takes a date or time'),
    });
    expect(await stand.servicectl(['receipts', STREAM, '--tool', 'x'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('filters search all streams'),
    });
  });

  it('fails without the scope', async () => {
    stand.serve({ 'GET /runtime/service/stream': refuse(403, 'insufficient_scope') });
    expect(await stand.servicectl(['receipts'])).toMatchObject({ code: 1 });
  });
});

describe('verify', () => {
  const verdict = { stream: STREAM, ok: true, count: 3, head: { index: 2, hash: HASH } };

  it('verifies every stream on the service', async () => {
    stand.serve({
      'GET /runtime/service/stream': { streams: [{ stream: STREAM, head: { index: 2, hash: HASH } }] },
      'GET /runtime/service/verify': verdict,
    });
    expect((await stand.servicectl(['verify'])).stdout).toBe(`${STREAM}\tok\t3\t2:${HASH}\n`);
  });

  it('fails for a broken stream, and for a head that it does not contain', async () => {
    stand.serve({ 'GET /runtime/service/verify': { ...verdict, ok: false, reason: 'hash_mismatch', index: 1 } });
    expect(await stand.servicectl(['verify', STREAM])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hash_mismatch at index 1: the text of the receipt does not match its hash'),
    });
    stand.serve({
      'GET /runtime/service/verify': verdict,
      'GET /runtime/service/stream': { receipts: [receipt(2)], head: { index: 2, hash: HASH } },
    });
    expect(await stand.servicectl(['verify', STREAM, '--head', `2:${HASH}`])).toMatchObject({ code: 0 });
    expect(await stand.servicectl(['verify', STREAM, '--head', `2:${'b'.repeat(64)}`])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('head_mismatch at index 2'),
    });
  });

  it('verifies an exported file offline', async () => {
    const file = join(stand.directory, 'audit.jsonl');
    await writeFile(file, exportOf('{"a":1}'));
    expect(await stand.servicectl(['verify', file, '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/"ok":true.*"count":1/),
    });
    expect(stand.requests()).toEqual([]);
    await writeFile(file, 'nothing of the kind');
    expect(await stand.servicectl(['verify', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not an exported stream'),
    });
  });
});

/** Written apart from the code under test, by the documented rule. */
function exportOf(text: string): string {
  const genesis = createHash('sha256').update(`receipt-stream/v1\0${STREAM}`).digest('hex');
  const hash = createHash('sha256').update(Buffer.from(genesis, 'hex')).update(text).digest('hex');
  const lines = [
    { format: 'receipt-stream/v1', stream: STREAM, genesis },
    { index: 0, prev: genesis, hash, text },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
