import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { events, json, refuse } from '../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const project = {
  id: 'prj_1',
  organization: 'org_1',
  workspace: 'ws_1',
  name: 'Atlas',
  description: 'A line.',
  instructions: 'Be brief.',
  model: 'a/b',
  files: 1,
  sharing: 'use',
  rights: ['use', 'edit', 'manage'],
  managedBy: { id: 'usr_1', name: 'Ada', left: false },
  createdAt: AT,
  updatedAt: AT,
};
const file = {
  id: 'pfl_1',
  name: 'notes.md',
  type: 'text/markdown',
  size: 5,
  addedBy: 'Ada',
  state: 'failed' as const,
  reason: 'file_without_text',
  createdAt: AT,
};

async function newFile(name: string, text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'projects-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

it('lists every page of projects', async () => {
  stand.serve({
    'GET /api/projects': ({ query }) => json({ projects: [project], ...(query['cursor'] ? {} : { cursor: 'prj_1' }) }),
  });
  const listed = await stand.servicectl(['projects', '--workspace', 'lab', '--name', 'at']);
  expect(listed.stdout.match(/prj_1\tws_1\tuse\tAda\t1\ta\/b\tAtlas/g)).toHaveLength(2);
  expect(stand.requests()[0]?.query).toMatchObject({ workspace: 'lab', search: 'at' });
});

it('creates a project with instructions from a file', async () => {
  stand.serve({ 'POST /api/projects': () => json({ project }, 201) });
  const path = await newFile('instructions.md', 'Be brief.');
  const made = await stand.servicectl(['projects', 'create', 'Atlas', '--instructions', path, '--share', 'edit']);
  expect(made).toMatchObject({ code: 0, stdout: 'prj_1\n' });
  expect(stand.requests()[0]?.body).toMatchObject({ name: 'Atlas', instructions: 'Be brief.', sharing: 'edit' });
});

it('shares a project for use or to be changed, stops sharing it, and takes one over', async () => {
  stand.serve({
    'PUT /api/projects/prj_1/sharing': { project },
    'POST /api/projects/prj_1/take-over': { project },
  });
  const sent = async (...words: string[]): Promise<unknown> => {
    expect(await stand.servicectl(['projects', ...words])).toMatchObject({ code: 0 });
    return stand.requests().at(-1)?.body;
  };
  expect(await sent('share', 'prj_1')).toEqual({ sharing: 'use' });
  expect(await sent('share', 'prj_1', '--role', 'edit')).toEqual({ sharing: 'edit' });
  expect(await sent('unshare', 'prj_1')).toEqual({ sharing: 'private' });
  expect((await stand.servicectl(['projects', 'take-over', 'prj_1'])).stderr).toContain('You manage “Atlas” now.');
  expect(await stand.servicectl(['projects', 'share', 'prj_1', '--role', 'own'])).toMatchObject({ code: 2 });
});

it('shows a project and why a file cannot be read', async () => {
  stand.serve({ 'GET /api/projects/prj_1': { project }, 'GET /api/projects/prj_1/files': { files: [file] } });
  const { stdout } = await stand.servicectl(['projects', 'show', 'prj_1']);
  expect(stdout).toContain('Be brief.');
  expect(stdout).toContain('shared: use\nmanaged by: Ada\nyou may: use, edit, manage\n');
  expect(stdout).toContain('pfl_1\tfailed (file_without_text)\t5\tAda\tnotes.md');
});

it('adds files, and says which cannot be read', async () => {
  stand.serve({ 'POST /api/projects/prj_1/files': () => json({ file }, 201) });
  const path = await newFile('notes.md', 'hello');
  expect(await stand.servicectl(['projects', 'files', 'add', 'prj_1', path])).toMatchObject({
    code: 0,
    stderr: 'Added notes.md (pfl_1).\n',
  });
  expect(stand.requests()[0]?.body).toMatch(/name="file"; filename="notes\.md"[^]*hello/);
  expect(await stand.servicectl(['projects', 'files', 'add', 'prj_1', '/nowhere'])).toMatchObject({ code: 1 });
});

it('deletes only when told to', async () => {
  stand.serve({
    'GET /api/projects/prj_1': { project },
    'DELETE /api/projects/prj_1': { ok: true },
    'DELETE /api/projects/prj_1/files/pfl_1': { ok: true },
  });
  for (const words of [
    ['delete', 'prj_1'],
    ['files', 'delete', 'prj_1', 'pfl_1'],
  ]) {
    expect(await stand.servicectl(['projects', ...words])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['projects', ...words, '--yes'])).toMatchObject({ code: 0 });
  }
});

describe('chat --project', () => {
  const chunks = [
    { type: 'start', messageMetadata: { sources: [{ number: 1, file: 'pfl_1', name: 'notes.md' }] } },
    { type: 'text-delta', id: '0', delta: 'At noon ' },
    { type: 'text-delta', id: '0', delta: '[1].' },
    { type: 'finish', messageMetadata: { model: 'a/b' } },
    '[DONE]',
  ];

  it('asks in the project with its model, and names the sources', async () => {
    stand.serve({ 'GET /api/projects/prj_1': { project }, 'POST /api/chat': events(...chunks) });
    const asked = await stand.servicectl(['chat', 'When?', '--project', 'prj_1']);
    expect(asked).toMatchObject({ code: 0, stdout: 'At noon [1].\n', stderr: '[1] notes.md\n' });
    expect(stand.requests().at(-1)?.body).toMatchObject({
      project: 'prj_1',
      model: 'a/b',
      message: { text: 'When?' },
      mode: 'answer',
    });
    const { stdout } = await stand.servicectl(['chat', 'When?', '--project', 'prj_1', '--model', 'c/d', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ text: 'At noon [1].', metadata: { model: 'a/b' } });
    expect(stand.requests().at(-1)?.body).toMatchObject({ model: 'c/d' });
  });

  it('fails with the answer, and takes no other instructions or workspace', async () => {
    const model = ['--model', 'c/d'];
    stand.serve({ 'POST /api/chat': events({ type: 'error', errorText: 'It broke.' }) });
    const failed = await stand.servicectl(['chat', 'When?', '--project', 'prj_1', ...model]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('It broke.');
    stand.serve({ 'POST /api/chat': events(chunks[0]) });
    expect(await stand.servicectl(['chat', 'When?', '--project', 'prj_1', ...model])).toMatchObject({ code: 1 });
    stand.serve({ 'POST /api/chat': refuse(404, 'not_found') });
    expect(await stand.servicectl(['chat', 'When?', '--project', 'prj_9', ...model])).toMatchObject({ code: 1 });
    for (const words of [
      ['--system', 'x'],
      ['--workspace', 'lab'],
    ])
      expect(await stand.servicectl(['chat', 'When?', '--project', 'prj_1', ...words])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['chat', '--project', 'prj_1'], { input: '' })).toMatchObject({ code: 2 });
  });
});
