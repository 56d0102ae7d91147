import { describe, expect, it } from 'vitest';
import { json, refuse } from '../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const prompt = (some: object = {}) => ({
  id: 'prm_1',
  name: 'translate',
  text: 'Translate into {{language:German}}, {{tone}}:',
  createdBy: { id: 'usr_1', name: 'Ann' },
  createdAt: AT,
  updatedAt: AT,
  editable: true,
  ...some,
});
const SHARED = prompt({
  id: 'prm_2',
  text: 'Shared',
  workspace: { id: 'ws_1', slug: 'lab', name: 'Lab' },
  createdBy: { id: 'usr_2', name: 'Ben' },
});

describe('prompts', () => {
  it('lists them, with where they are shared and the next page', async () => {
    stand.serve({ 'GET /api/prompts': { prompts: [prompt(), SHARED], cursor: 'next' } });
    const listed = await stand.servicectl(['prompts', '--search', 'trans', '--workspace', 'lab', '--limit', '2']);
    expect(listed.stdout).toBe(
      'translate\t-\tAnn\tTranslate into {{language:German}}, {{tone}}:\ntranslate\tlab\tBen\tShared\n',
    );
    expect(listed.stderr).toContain('servicectl prompts list --cursor next');
    expect(stand.requests()[0]).toMatchObject({
      bearer: 'the-session',
      query: { organization: 'org_1', search: 'trans', workspace: 'lab', limit: '2' },
    });
    expect(await stand.servicectl(['prompts', '--limit', '0'])).toMatchObject({ code: 2 });
  });

  it('shows one by name, the own one first, or by ID', async () => {
    stand.serve({
      'GET /api/prompts': { prompts: [SHARED, prompt(), prompt({ id: 'prm_3', name: 'translate-more' })] },
    });
    expect((await stand.servicectl(['prompts', 'show', 'translate'])).stdout).toBe(
      'Translate into {{language:German}}, {{tone}}:\n',
    );
    expect((await stand.servicectl(['prompts', 'show', 'prm_2', '--jq', '.prompt.text'])).stdout).toBe('Shared\n');
    expect(await stand.servicectl(['prompts', 'show', 'nothing'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no prompt named nothing'),
    });
  });

  it('saves one for the person or for a workspace, also from standard input', async () => {
    stand.serve({ 'POST /api/prompts': () => json({ prompt: prompt() }, 201) });
    const saved = await stand.servicectl(['prompts', 'create', 'review', 'Review', 'this:', '-'], { input: 'more\n' });
    expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining('servicectl chat /translate') });
    expect(stand.requests()[0]?.body).toEqual({ organization: 'org_1', name: 'review', text: 'Review this:\n\nmore' });
    await stand.servicectl(['prompts', 'create', 'review', 'x', '--workspace', 'lab']);
    expect(stand.requests()[1]?.body).toMatchObject({ workspace: 'lab' });
    expect(await stand.servicectl(['prompts', 'create', 'review'])).toMatchObject({ code: 2 });
    stand.serve({ 'POST /api/prompts': refuse(409, 'prompt_name_taken') });
    expect(await stand.servicectl(['prompts', 'create', 'review', 'x'])).toMatchObject({ code: 1 });
  });

  it('deletes one, after a confirmation', async () => {
    stand.serve({ 'GET /api/prompts': { prompts: [prompt()] }, 'DELETE /api/prompts/prm_1': { ok: true } });
    expect(await stand.servicectl(['prompts', 'delete', 'translate'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['prompts', 'delete', 'translate', '--yes'])).toMatchObject({ code: 0 });
    expect(stand.requests().map(({ method }) => method)).toEqual(['GET', 'GET', 'DELETE']);
  });
});

describe('/name in a chat', () => {
  const answer = () => json({ choices: [{ message: { role: 'assistant', content: 'Hallo.' } }] });
  const asked = (): unknown =>
    (stand.requests().at(-1)?.body as { messages: { content: string }[] } | undefined)?.messages[0]?.content;

  it('stands for the prompt, filled, with what follows it', async () => {
    stand.serve({ 'GET /api/prompts': { prompts: [prompt()] }, 'POST /v1/chat/completions': answer });
    const words = ['chat', '/translate', 'Good', 'morning', '--var', 'tone=formal'];
    expect(await stand.servicectl(words)).toMatchObject({ code: 0, stdout: 'Hallo.\n' });
    expect(asked()).toBe('Translate into German, formal:\n\nGood morning');
  });

  it('is refused if the prompt or a value is missing, and a path is a question like any other', async () => {
    stand.serve({ 'GET /api/prompts': { prompts: [prompt()] }, 'POST /v1/chat/completions': answer });
    expect(await stand.servicectl(['chat', '/translate'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('needs a value for tone'),
    });
    expect(await stand.servicectl(['chat', '/translate', '--var', 'tone=x', '--var', 'other=x'])).toMatchObject({
      code: 2,
    });
    expect(await stand.servicectl(['chat', 'Hi', '--var', 'tone=x'])).toMatchObject({ code: 2 });
    expect(await stand.servicectl(['chat', '/nothing'])).toMatchObject({ code: 1 });
    expect(await stand.servicectl(['chat', '/etc/hosts?'])).toMatchObject({ code: 0 });
    expect(asked()).toBe('/etc/hosts?');
  });
});
