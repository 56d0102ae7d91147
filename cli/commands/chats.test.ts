import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { content, refuse } from '../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const thread = { id: 'thr_1', title: 'Plans', workspace: 'ws_1', createdAt: AT, updatedAt: AT, pinned: true as const };

it('lists chats, with their marks and the next page', async () => {
  stand.serve({ 'GET /api/threads': { threads: [thread], cursor: 'next' } });
  const listed = await stand.servicectl(['chats', '--title', 'plan', '--archived', '--limit', '1']);
  expect(listed.stdout).toContain('thr_1\t2026-01-02T03:04:05.000Z\tpinned\tPlans');
  expect(listed.stderr).toContain('servicectl chats list --cursor next');
  expect(stand.requests()[0]?.query).toMatchObject({ search: 'plan', show: 'archived', limit: '1' });
  expect(await stand.servicectl(['chats', '--limit', '0'])).toMatchObject({ code: 2 });
});

it('searches messages', async () => {
  const snippet = [{ text: 'the ' }, { text: 'heron', match: true as const }];
  stand.serve({
    'GET /api/threads/search': {
      results: [{ thread, message: { id: 'msg_1', role: 'user', createdAt: AT }, snippet }],
    },
  });
  const found = await stand.servicectl(['chats', 'search', 'heron', 'nest', '--workspace', 'lab']);
  expect(found.stdout).toContain('thr_1\t2026-01-02T03:04:05.000Z\tyou\tPlans\tthe heron');
  expect(stand.requests()[0]?.query).toMatchObject({ q: 'heron nest', workspace: 'lab' });
});

it('exports a chat to standard output or a new file', async () => {
  stand.serve({ 'GET /api/threads/thr_1/export': content('text/markdown', '# Plans\n') });
  expect(await stand.servicectl(['chats', 'export', 'thr_1'])).toMatchObject({ code: 0, stdout: '# Plans\n' });
  expect(stand.requests()[0]?.query).toEqual({ format: 'markdown' });
  const directory = await mkdtemp(join(tmpdir(), 'chats-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'plans.md');
  expect(await stand.servicectl(['chats', 'export', 'thr_1', '--output', file])).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).toBe('# Plans\n');
  expect(await stand.servicectl(['chats', 'export', 'thr_1', '--output', file])).toMatchObject({ code: 1 });
  stand.serve({ 'GET /api/threads/thr_2/export': refuse(404, 'not_found') });
  expect(await stand.servicectl(['chats', 'export', 'thr_2'])).toMatchObject({ code: 1 });
});

it('renames, pins, archives and restores', async () => {
  stand.serve({ 'PATCH /api/threads/thr_1': { thread } });
  for (const [words, body] of [
    [['rename', 'thr_1', 'Other'], { title: 'Other' }],
    [['pin', 'thr_1'], { pinned: true }],
    [['unpin', 'thr_1'], { pinned: false }],
    [['archive', 'thr_1'], { archived: true }],
    [['restore', 'thr_1'], { archived: false }],
  ] as const) {
    expect(await stand.servicectl(['chats', ...words])).toMatchObject({ code: 0 });
    expect(stand.requests().at(-1)?.body).toEqual(body);
  }
});

it('shares a chat and takes the link back', async () => {
  const share = { id: 'shr_1', createdAt: AT, updatedAt: AT, messages: 2 };
  stand.serve({ 'PUT /api/threads/thr_1/share': { share }, 'DELETE /api/threads/thr_1/share': { ok: true } });
  expect((await stand.servicectl(['chats', 'share', 'thr_1'])).stdout).toMatch(/^http:\/\/.*\/shared\/shr_1\n$/);
  expect(await stand.servicectl(['chats', 'share', 'thr_1', '--stop'])).toMatchObject({ code: 0, stdout: '' });
});

it('deletes chats only when told to, and says which are not there', async () => {
  stand.serve({ 'POST /api/threads/delete': { deleted: ['thr_1'] } });
  expect(await stand.servicectl(['chats', 'delete', 'thr_1'])).toMatchObject({ code: 2 });
  expect(stand.requests()).toEqual([]);
  expect(await stand.servicectl(['chats', 'delete', 'thr_1', '--yes'])).toMatchObject({
    code: 0,
    stderr: 'Deleted 1 chat.\n',
  });
  expect(await stand.servicectl(['chats', 'delete', 'thr_1', 'thr_2', '--yes'])).toMatchObject({ code: 1 });
});

it('imports a file: sends it in parts, starts it and follows it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'chats-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'export.json');
  await writeFile(file, '[]');
  const counts = { size: 2, received: 2, progress: 1, taken: 3, present: 1, leftOut: 0 };
  const begun = {
    id: 'imp_1',
    organization: 'org_1',
    workspace: 'ws_1',
    name: 'export.json',
    createdAt: AT,
    ...counts,
  };
  const ended = (state: 'done' | 'failed', more: object) => ({
    'POST /api/imports': { import: { ...begun, state: 'uploading' } },
    'PUT /api/imports/imp_1/parts/0': { import: begun },
    'POST /api/imports/imp_1/start': { import: { ...begun, state: 'waiting' } },
    'GET /api/imports/imp_1': { import: { ...begun, state, endedAt: AT, ...more }, parts: [] },
  });
  stand.serve(ended('done', {}));
  const done = await stand.servicectl(['chats', 'import', file, '--workspace', 'lab', '--no-projects']);
  expect(done).toMatchObject({ code: 0 });
  expect(done.stderr).toContain('Imported: 3. Already here: 1. Not imported: 0.');
  expect(stand.requests().map(({ method, path }) => `${method} ${path}`)).toEqual(Object.keys(ended('done', {})));
  expect(stand.requests()[0]?.body).toMatchObject({ workspace: 'lab', name: 'export.json', size: 2, projects: false });
  stand.serve(ended('failed', { reason: 'file_damaged' }));
  const failed = await stand.servicectl(['chats', 'import', file, '--json']);
  expect(JSON.parse(failed.stdout)).toMatchObject({ import: { reason: 'file_damaged' } });
  expect((await stand.servicectl(['chats', 'import', join(directory, 'none.zip')])).code).not.toBe(0);
});
