// Threads over HTTP: search, pins, the archive, deleting several, exports and links.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addOrganization, join, type TestOrganization } from '../../../test/support/people.ts';
import { type Client, openSettingsWeb, type SettingsWeb } from '../../../test/support/http/web-app.ts';
import { newId } from '../../base/ids.ts';
import { appendMessage } from '../../threads/messages.ts';
import { insertThread } from '../../threads/threads.ts';
import type { Thread } from '../../contract/threads.ts';
import { EXPORTS } from '../shell/admission/limits.ts';

let web: SettingsWeb;
let owner: Client;
let member: Client;
let org: TestOrganization;
beforeAll(async () => {
  web = await openSettingsWeb();
  owner = await web.signIn('Olga');
  org = await addOrganization(web.db, owner);
  member = await web.signIn('Kai');
  await join(web.db, org.id, member, 'member');
});
afterAll(() => web.close());

async function newThread(title: string, texts: readonly string[] = [], of: Client = owner): Promise<string> {
  const id = newId('thr');
  await insertThread(web.db, {
    id,
    organizationId: org.id,
    workspaceId: org.defaultId,
    workspacePicked: false,
    userId: of.id,
    title,
  });
  for (const [position, text] of texts.entries())
    await appendMessage(web.db, id, {
      id: newId('msg', Date.now() + position),
      role: position % 2 === 0 ? 'user' : 'assistant',
      parts: [{ type: 'text', text }],
      metadata: position % 2 === 0 ? {} : { model: 'a/b' },
    });
  return id;
}

async function list(query = ''): Promise<Thread[]> {
  const { body } = await owner.call('GET', `/api/threads?organization=${org.id}${query}`);
  return body['threads'] as unknown as Thread[];
}

const search = (who: Client, query: string) => who.call('GET', `/api/threads/search?organization=${org.id}&${query}`);

describe('search', () => {
  it('finds messages with marked snippets, page by page', async () => {
    const id = await newThread('Animals', ['One <i>heron</i>', 'two herons', 'three herons']);
    const first = await search(owner, 'q=heron&limit=2');
    expect(first.status).toBe(200);
    const { results, cursor } = first.body as unknown as {
      results: { thread: Thread; message: { id: string; role: string }; snippet: object[] }[];
      cursor: string;
    };
    expect(results).toMatchObject([
      { thread: { id, title: 'Animals' }, message: { role: 'user' } },
      { message: { role: 'assistant' } },
    ]);
    expect(results[0]?.snippet).toEqual([{ text: 'three ' }, { text: 'herons', match: true }]);
    const rest = await search(owner, `q=heron&limit=2&cursor=${cursor}`);
    expect(rest.body).toMatchObject({
      results: [{ snippet: [{ text: 'One <i>' }, { text: 'heron', match: true }, { text: '</i>' }] }],
    });
    expect(rest.body).not.toHaveProperty('cursor');
    expect((await search(member, 'q=heron')).body).toEqual({ results: [] });
  });

  it('refuses strangers, and what is not a search', async () => {
    expect((await search(await web.signIn(), 'q=heron')).status).toBe(404);
    for (const query of ['', 'q=', `q=${'x'.repeat(201)}`, 'q=a&cursor=thr_1', 'q=a&limit=51'])
      expect((await search(owner, query)).status, query).toBe(400);
    expect((await search(owner, 'q=%26%7C%21')).body).toEqual({ results: [] });
  });
});

describe('a page around a message', () => {
  it('says where earlier and later messages are', async () => {
    const id = await newThread('Long', ['a', 'b', 'c', 'd', 'e', 'f']);
    const read = async (query: string) => {
      const { status, body } = await owner.call('GET', `/api/threads/${id}?${query}`);
      const { thread, before, after } = body as {
        thread?: { messages: { id: string; parts: [{ text: string }] }[] };
      } & {
        before?: number;
        after?: number;
      };
      return { status, messages: thread?.messages ?? [], before, after };
    };
    const say = ({ messages, before, after }: Awaited<ReturnType<typeof read>>) => [
      messages.map(({ parts: [{ text }] }) => text).join(''),
      before,
      after,
    ];
    const latest = await read('limit=2');
    expect(say(latest)).toEqual(['ef', 4, undefined]);
    const c = (await read('limit=6')).messages[2]?.id;
    expect(say(await read(`limit=2&around=${c}`))).toEqual(['cd', 2, 3]);
    expect(say(await read('limit=2&after=3'))).toEqual(['ef', 4, undefined]);
    expect(say(await read('limit=2&before=2'))).toEqual(['ab', undefined, 1]);
    expect(say(await read('limit=2&around=msg_gone'))).toEqual(['ef', 4, undefined]);
    expect((await read(`after=1&around=${c}`)).status).toBe(400);
    expect((await read('after=1&before=3')).status).toBe(400);
  });
});

describe('the list', () => {
  it('has pinned threads first, over pages, and archived ones only on request', async () => {
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c', 'd']) ids.push(await newThread(`List ${title}`));
    const [a = '', b = '', , d = ''] = ids;
    expect((await owner.call('PATCH', `/api/threads/${a}`, { pinned: true })).body).toMatchObject({
      thread: { id: a, title: 'List a', pinned: true },
    });
    await owner.call('PATCH', `/api/threads/${b}`, { pinned: true });
    await owner.call('PATCH', `/api/threads/${d}`, { archived: true });
    const titles = async (query: string): Promise<string[]> =>
      (await list(`&search=List${query}`)).map(({ title }) => title);
    expect(await titles('')).toEqual(['List b', 'List a', 'List c']);
    expect(await titles('&show=archived')).toEqual(['List d']);
    expect(await titles('&show=all')).toEqual(['List b', 'List a', 'List d', 'List c']);

    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await owner.call(
        'GET',
        `/api/threads?organization=${org.id}&search=List&limit=1${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      );
      paged.push(...(page.body['threads'] as unknown as Thread[]).map(({ title }) => title));
      cursor = page.body['cursor'];
    } while (cursor !== undefined);
    expect(paged).toEqual(['List b', 'List a', 'List c']);

    const restored = await owner.call('PATCH', `/api/threads/${d}`, { archived: false, title: 'List e' });
    expect(restored.body['thread']).not.toHaveProperty('archived');
    await owner.call('PATCH', `/api/threads/${b}`, { pinned: false });
    expect(await titles('')).toEqual(['List a', 'List e', 'List c', 'List b']);
  });

  it('is the owner’s: nobody else pins, archives or renames', async () => {
    const id = await newThread('Mine');
    expect((await member.call('PATCH', `/api/threads/${id}`, { pinned: true })).status).toBe(404);
    expect((await owner.call('PATCH', `/api/threads/${id}`, { pinned: 'yes' })).status).toBe(400);
  });
});

it('deletes several at once, and only the caller’s', async () => {
  const [mine, kept, theirs] = [await newThread('x'), await newThread('y'), await newThread('z', [], member)];
  const answer = await owner.call('POST', '/api/threads/delete', {
    organization: org.id,
    threads: [mine, theirs, newId('thr')],
  });
  expect(answer.body).toEqual({ deleted: [mine] });
  expect((await owner.call('GET', `/api/threads/${mine}`)).status).toBe(404);
  expect((await owner.call('GET', `/api/threads/${kept}`)).status).toBe(200);
  expect((await member.call('GET', `/api/threads/${theirs}`)).status).toBe(200);
  const elsewhere = await addOrganization(web.db, owner);
  expect(
    (await owner.call('POST', '/api/threads/delete', { organization: elsewhere.id, threads: [kept] })).body,
  ).toEqual({ deleted: [] });
  expect((await owner.call('POST', '/api/threads/delete', { organization: org.id, threads: [] })).status).toBe(400);
});

it('a long message is shown by its beginning, and is whole on request and in an export', async () => {
  const long = `${'Ein Gruß, "zitiert". '.repeat(100_000)}Ende`;
  const id = await newThread('Long', [long, 'short']);
  type Shown = { id: string; parts: [{ text: string }]; wholeBytes?: number };
  const { thread, before } = (await owner.call('GET', `/api/threads/${id}`)).body as unknown as {
    thread: { messages: [Shown, Shown] };
    before?: number;
  };
  const [cut, short] = thread.messages;
  expect([before, short.parts[0].text, short.wholeBytes]).toEqual([undefined, 'short', undefined]);
  expect(long.startsWith(cut.parts[0].text) && cut.parts[0].text.length < 70_000).toBe(true);
  expect(cut.wholeBytes).toBeGreaterThan(2_000_000);
  const whole = await owner.call('GET', `/api/threads/${id}/messages/${cut.id}`);
  expect(whole.status).toBe(200);
  const { message } = whole.body as unknown as { message: Shown };
  expect([message.id, message.parts[0].text === long, message.wholeBytes]).toEqual([cut.id, true, undefined]);
  expect((await member.call('GET', `/api/threads/${id}/messages/${cut.id}`)).status).toBe(404);
  expect((await owner.call('GET', `/api/threads/${id}/messages/msg_none`)).status).toBe(404);
  const exported = (await owner.call('GET', `/api/threads/${id}/export?format=json`)).body as unknown as {
    messages: Shown[];
  };
  expect(exported.messages.map(({ parts }) => parts[0].text === long)).toEqual([true, false]);
});

describe('an export', () => {
  it('has the whole conversation, as JSON and as Markdown', async () => {
    const texts = Array.from({ length: 120 }, (_, position) => `text ${position}`);
    const id = await newThread('Plans *and* more', texts);
    const json = await owner.call('GET', `/api/threads/${id}/export?format=json`);
    expect(json.body).toMatchObject({ thread: { id, title: 'Plans *and* more', organization: org.id } });
    const messages = json.body['messages'] as unknown as { parts: { text: string }[] }[];
    expect(messages.map(({ parts }) => parts[0]?.text)).toEqual(texts);
    const { text } = await owner.call('GET', `/api/threads/${id}/export`);
    expect(text).toMatch(
      /^# Plans \\\*and\\\* more\n\n## You, \d{4}-\d\d-\d\d \d\d:\d\d UTC\n\ntext 0\n\n## Answer, a\/b, /,
    );
    expect(text).toContain('text 119');
  });

  it('is a download of the owner’s alone', async () => {
    const id = await newThread('Ünï/cödé "x"', ['hello']);
    const { status, headers } = await owner.call('GET', `/api/threads/${id}/export?format=markdown`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(headers.get('content-disposition')).toContain(`filename*=UTF-8''%C3%9Cn%C3%AF%20c%C3%B6d%C3%A9%20x.md`);
    expect((await member.call('GET', `/api/threads/${id}/export?format=json`)).status).toBe(404);
    expect((await owner.call('GET', `/api/threads/${id}/export?format=pdf`)).status).toBe(400);
  });
});

it('a person has two exports at once; another is refused until one of them has ended', async () => {
  const id = await newThread(
    'Long',
    Array.from({ length: 300 }, () => 'x'.repeat(10_000)),
  );
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => owner.call('GET', `/api/threads/${id}/export?format=json`)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(EXPORTS.each);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) expect([status, headers.get('retry-after')]).toEqual([429, '5']);
  expect((await owner.call('GET', `/api/threads/${id}/export?format=json`)).status).toBe(200);
});

it('a link is made, opened, and closed by the policy of the organization', async () => {
  const id = await newThread('Shared', ['question', 'answer']);
  expect((await owner.call('GET', `/api/threads/${id}/share`)).body).toEqual({});
  const { share } = (await owner.call('PUT', `/api/threads/${id}/share`)).body as unknown as { share: { id: string } };
  expect((await list()).find((thread) => thread.id === id)).toMatchObject({ shared: true });
  const opened = await member.call('GET', `/api/shares/${share.id}`);
  expect(opened.body).toMatchObject({
    share: { title: 'Shared', sharedBy: 'Olga', organization: org.id, messages: [{ role: 'user' }, { model: 'a/b' }] },
  });
  expect((await member.call('GET', `/api/threads/${id}`)).status).toBe(404);

  const policy = `/api/organizations/${org.id}/policy`;
  const refused = await member.call('PATCH', policy, { disableSharing: true });
  expect(refused.body['error']).toBe('Only organization owners or admins can manage policies.');
  expect((await owner.call('PATCH', policy, { disableSharing: true })).body['disableSharing']).toBe(true);
  expect((await member.call('GET', `/api/shares/${share.id}`)).text).toBe(
    (await member.call('GET', `/api/shares/${newId('shr')}`)).text,
  );
  expect((await owner.call('PUT', `/api/threads/${id}/share`)).body['error']).toBe('sharing_disabled');
  await owner.call('PATCH', policy, { disableSharing: false });
  expect((await member.call('GET', `/api/shares/${share.id}`)).status).toBe(200);
  expect((await owner.call('DELETE', `/api/threads/${id}/share`)).body).toEqual({ ok: true });
  expect((await member.call('GET', `/api/shares/${share.id}`)).status).toBe(404);
});
