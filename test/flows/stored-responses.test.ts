// Responses that are stored, and requests that refer to them, through the official clients.
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { dropOldResponses } from '../../src/stored-responses/drop-old-responses.ts';
import { signThinking } from '../../stand-ins/models/rules/sealed-content.ts';
import { mintToken } from '../../src/tenancy/tokens/mint-token.ts';
import { type ChatGateway, type Member, startChatGateway } from '../support/http/chat-gateway.ts';
import { addPerson, join, joinWorkspace } from '../support/people.ts';
import { CONNECT_KEY } from '../support/http/web-app.ts';

let gateway: ChatGateway;
let member: Member;
beforeAll(async () => {
  gateway = await startChatGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  gateway.upstream.reset();
  member = await gateway.newMember();
});

const OPENAI_MODEL = 'openai/gpt-5-mini';
const ANTHROPIC_MODEL = 'anthropic/claude-sonnet-4-5';
const MODELS = [OPENAI_MODEL, ANTHROPIC_MODEL] as const;

const openai = async (options: { token?: string; workspace?: string } = {}): Promise<OpenAI> =>
  new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: options.token ?? (await member.token()),
    maxRetries: 0,
    ...(options.workspace === undefined ? {} : { defaultHeaders: { 'x-service-workspace': options.workspace } }),
  });

interface Sent {
  readonly input?: readonly Record<string, unknown>[];
  readonly messages?: readonly { role: string; content: unknown }[];
  readonly store?: boolean;
  readonly include?: readonly string[];
  readonly instructions?: string;
  readonly system?: unknown;
  readonly previous_response_id?: string;
}
const sent = (index: number): Sent => gateway.upstream.requests.at(index)?.json as Sent;

/** The texts that the provider was sent, in their order, whatever its protocol. */
function saidTo(index: number): string[] {
  const { input = [], messages = [] } = sent(index);
  return [...input, ...messages].flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : ((content ?? []) as { text?: string }[]).flatMap(({ text }) => text ?? []),
  );
}

async function saveKeys(): Promise<void> {
  for (const provider of ['openai', 'anthropic'])
    await member.saveKey(provider, member.organization.defaultId, `sk-${provider}`);
}

async function codeOf(request: Promise<unknown>): Promise<unknown> {
  const failure = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure instanceof OpenAI.APIError ? [failure.status, failure.code, failure.param] : failure;
}

describe.each(
  MODELS.flatMap((model) => (['platform', 'own-key'] as const).map((credential) => ({ model, credential }))),
)('on $model, paid by $credential', ({ model, credential }) => {
  beforeEach(async () => {
    if (credential === 'own-key') await saveKeys();
  });

  it('a conversation goes on from the previous response, whole and streamed, without its instructions', async () => {
    const client = await openai();
    gateway.upstream.respond({ text: 'One.' });
    const first = await client.responses.create({ model, input: 'Count: one?', instructions: 'Be brief.' });
    gateway.upstream.respond({ text: 'Two.' });
    const stream = await client.responses.create({
      model,
      input: [{ role: 'user', content: 'And then?' }],
      previous_response_id: first.id,
      stream: true,
    });
    let second = '';
    for await (const event of stream) if (event.type === 'response.completed') second = event.response.id;
    gateway.upstream.respond({ text: 'Three.' });
    const third = await client.responses.create({ model, input: 'And after that?', previous_response_id: second });

    expect(third.output_text).toBe('Three.');
    expect(saidTo(-1)).toEqual(['Count: one?', 'One.', 'And then?', 'Two.', 'And after that?']);
    expect([sent(-1).previous_response_id, sent(-1).instructions, sent(-1).system]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(third._request_id).toBeDefined();
  });

  it("the AI SDK's default provider holds a tool loop of three steps", async () => {
    const provider = createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: await member.token() });
    gateway.upstream.respond({
      text: 'First I multiply.',
      toolCalls: [{ name: 'multiply', arguments: { a: 6, b: 7 }, id: 'one' }],
    });
    gateway.upstream.respond({ toolCalls: [{ name: 'multiply', arguments: { a: 42, b: 2 }, id: 'two' }] });
    gateway.upstream.respond({ text: 'Eighty-four.' });
    const multiply = tool({
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => String(a * b),
    });
    const { text, steps } = await generateText({
      model: provider(model),
      prompt: 'Multiply.',
      tools: { multiply },
      stopWhen: isStepCount(5),
      maxRetries: 0,
    });
    expect([text, steps.length]).toEqual(['Eighty-four.', 3]);
    expect(JSON.stringify(sent(-1))).toContain('First I multiply.');
    expect(JSON.stringify(sent(-1))).not.toContain('item_reference');

    gateway.upstream.respond({ toolCalls: [{ name: 'multiply', arguments: { a: 2, b: 2 }, id: 'three' }] });
    gateway.upstream.respond({ text: 'Four.' });
    const streamed = streamText({
      model: provider(model),
      prompt: 'Again.',
      tools: { multiply },
      stopWhen: isStepCount(5),
      maxRetries: 0,
    });
    expect(await streamed.text).toBe('Four.');
  });

  it('a response can be read, listed and deleted', async () => {
    const client = await openai();
    gateway.upstream.respondByDefault({ text: 'Hello.' });
    const first = await client.responses.create({ model, input: 'Who are you?' });
    const second = await client.responses.create({
      model,
      input: [{ role: 'user', content: 'And who am I?' }],
      previous_response_id: first.id,
      metadata: { kept: 'yes' },
    });
    expect(second).toMatchObject({ store: true, previous_response_id: first.id });
    expect(await client.responses.retrieve(second.id)).toMatchObject({
      id: second.id,
      object: 'response',
      status: 'completed',
      store: true,
      previous_response_id: first.id,
      output: second.output,
    });

    const listed = await client.responses.inputItems.list(second.id, { order: 'asc' });
    expect(listed.data.map((item) => 'content' in item && JSON.stringify(item.content))).toEqual([
      expect.stringContaining('Who are you?'),
      expect.stringContaining('Hello.'),
      expect.stringContaining('And who am I?'),
    ]);
    const ids: string[] = [];
    for await (const item of client.responses.inputItems.list(second.id, { limit: 1 })) ids.push(String(item.id));
    expect(ids).toEqual(listed.data.map(({ id }) => id).toReversed());
    expect(await codeOf(client.responses.inputItems.list(second.id, { after: 'msg_nobody' }))).toEqual([
      400,
      'invalid_request',
      'after',
    ]);
    await client.responses.create({
      model,
      input: [
        { type: 'item_reference', id: ids[2] ?? '' },
        { role: 'user', content: 'Once more.' },
      ],
    });
    expect(saidTo(-1)).toEqual(['Who are you?', 'Once more.']);

    await client.responses.delete(first.id);
    expect(await codeOf(client.responses.retrieve(first.id))).toEqual([404, 'response_not_found', null]);
    expect(await codeOf(client.responses.delete(first.id))).toEqual([404, 'response_not_found', null]);
    expect((await client.responses.retrieve(second.id)).id).toBe(second.id);
    for (const id of [first.id, second.id])
      expect(await codeOf(client.responses.create({ model, input: 'Go on.', previous_response_id: id }))).toEqual([
        400,
        'previous_response_not_found',
        'previous_response_id',
      ]);
  });

  it('an answer that was cut short is stored as that, one that the client left is not', async () => {
    const client = await openai();
    gateway.upstream.respond({ text: 'Too lo', end: 'length' });
    const cut = await client.responses.create({ model, input: 'Tell me everything.', stream: true });
    let id = '';
    for await (const event of cut) if (event.type === 'response.incomplete') id = event.response.id;
    expect(await client.responses.retrieve(id)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });

    const never = Promise.withResolvers<void>();
    gateway.upstream.respond({ text: 'A long story that never ends', until: never.promise });
    const left = await client.responses.create({ model, input: 'Tell me more.', stream: true });
    for await (const event of left) if (event.type === 'response.created') break;
    await (
      await gateway.upstream.request(1)
    ).aborted;
    never.resolve();
    expect(await stored()).toEqual([id]);
  });
});

async function stored(): Promise<string[]> {
  const { rows } = await gateway.db.query<{ id: string }>(
    'select id from :schema.stored_response where organization_id = $1 order by created_at, id',
    [member.organization.id],
  );
  return rows.map(({ id }) => id);
}

describe('what is stored', () => {
  it('is there before the client sees that the answer has ended, and is sealed', async () => {
    gateway.upstream.respondByDefault({ text: 'A secret of ours.' });
    for (const model of MODELS) {
      const locked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const lock = gateway.db.transaction(async (tx) => {
        await tx.query('lock table :schema.stored_response in exclusive mode');
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      const stream = await (await openai()).responses.create({ model, input: 'Say it.', stream: true });
      const seen: string[] = [];
      const read = (async () => {
        for await (const { type } of stream) seen.push(type);
      })();
      await expect
        .poll(
          async () =>
            (
              await gateway.db.query(
                "select from pg_locks l join pg_class c on c.oid = l.relation where not l.granted and c.relname = 'stored_response'",
              )
            ).rowCount,
        )
        .toBeGreaterThan(0);
      expect(seen).not.toContain('response.completed');
      release.resolve();
      await Promise.all([read, lock]);
      expect(seen.at(-1)).toBe('response.completed');
    }
    const { rows } = await gateway.db.query<{ ciphertext: Buffer }>(
      'select ciphertext || output_ciphertext as ciphertext from :schema.stored_response where organization_id = $1',
      [member.organization.id],
    );
    expect(rows).toHaveLength(2);
    for (const { ciphertext } of rows) expect(ciphertext.toString('latin1')).not.toContain('secret');
  });

  it('is lost with a failing store, the answer is not', async () => {
    gateway.upstream.respondByDefault({ text: 'Here it is.' });
    await gateway.db.query('alter table :schema.stored_response rename to stored_response_away');
    try {
      for (const model of MODELS) {
        expect((await (await openai()).responses.create({ model, input: 'Hello' })).output_text).toBe('Here it is.');
        const stream = await (await openai()).responses.create({ model, input: 'Hello', stream: true });
        const types: string[] = [];
        for await (const { type } of stream) types.push(type);
        expect(types.at(-1)).toBe('response.completed');
      }
    } finally {
      await gateway.db.query('alter table :schema.stored_response_away rename to stored_response');
    }
  });

  it('is nothing with store: false, and no statement is spent on it', async () => {
    const statements: string[] = [];
    const stop = gateway.watchStatements((sql) => void statements.push(sql));
    for (const model of MODELS)
      expect(await (await openai()).responses.create({ model, input: 'Hello', store: false })).toMatchObject({
        store: false,
      });
    stop();
    expect(statements.filter((sql) => sql.includes('stored_response'))).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  it('is nothing at the provider on platform credit, where everybody shares the key; reasoning comes back encrypted', async () => {
    await (
      await openai()
    ).responses.create({
      model: OPENAI_MODEL,
      input: [
        { type: 'reasoning', id: 'rs_gone', summary: [] },
        { role: 'user', content: 'Hello' },
      ],
    });
    expect(sent(0)).toMatchObject({
      store: false,
      include: ['reasoning.encrypted_content'],
      input: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('goes with its person, its workspace and its time', async () => {
    const client = await openai();
    const named = await gateway.db.query<{ id: string }>(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ('ws_' || md5(random()::text), $1, 'lab', 'Lab', 'named') returning id",
      [member.organization.id],
    );
    const lab = named.rows[0]?.id ?? '';
    await joinWorkspace(gateway.db, member.organization.id, lab, member, 'owner');
    const inLab = await (
      await openai({ workspace: lab })
    ).responses.create({ model: ANTHROPIC_MODEL, input: 'In the lab.' });
    const first = await client.responses.create({ model: ANTHROPIC_MODEL, input: 'Old.' });
    const next = await client.responses.create({
      model: ANTHROPIC_MODEL,
      input: 'Young.',
      previous_response_id: first.id,
    });
    const old = await client.responses.create({ model: ANTHROPIC_MODEL, input: 'Old too.' });
    await gateway.db.query(
      "update :schema.stored_response set created_at = now() - interval '31 days' where id = any($1::text[])",
      [[first.id, old.id]],
    );
    expect(await codeOf(client.responses.retrieve(old.id))).toEqual([404, 'response_not_found', null]);
    await dropOldResponses(gateway.db, 30);
    // What a later response continues is kept with it, but can no longer be retrieved.
    expect((await stored()).toSorted()).toEqual([inLab.id, first.id, next.id].toSorted());
    expect(
      await codeOf(
        client.responses.create({ model: ANTHROPIC_MODEL, input: 'Go on.', previous_response_id: first.id }),
      ),
    ).toEqual([400, 'previous_response_not_found', 'previous_response_id']);
    await client.responses.create({
      model: ANTHROPIC_MODEL,
      input: 'Go on.',
      previous_response_id: next.id,
      store: false,
    });
    expect(saidTo(-1)).toContain('Old.');

    await gateway.db.query('delete from :schema.workspace where id = $1', [lab]);
    expect((await stored()).toSorted()).toEqual([first.id, next.id].toSorted());
    await gateway.db.query("update :schema.stored_response set created_at = now() - interval '31 days' where id = $1", [
      next.id,
    ]);
    await dropOldResponses(gateway.db, 30);
    expect(await stored()).toEqual([]);
    await client.responses.create({ model: ANTHROPIC_MODEL, input: 'Again.' });
    await gateway.db.query('delete from :schema.organization_member where user_id = $1', [member.id]);
    expect(await stored()).toEqual([]);
  });

  it('is bounded for one person: the oldest go first', async () => {
    const client = await openai();
    const ids: string[] = [];
    for (const input of ['One.', 'Two.', 'Three.'])
      ids.push((await client.responses.create({ model: ANTHROPIC_MODEL, input })).id);
    await dropOldResponses(gateway.db, 30, { personResponses: 2, personBytes: 1_000_000 });
    expect(await stored()).toEqual(ids.slice(1));
    const { rows } = await gateway.db.query<{ bytes: number }>(
      'select bytes from :schema.stored_response where id = $1',
      [ids[2]],
    );
    await dropOldResponses(gateway.db, 30, { personResponses: 2, personBytes: rows[0]?.bytes ?? 0 });
    expect(await stored()).toEqual(ids.slice(2));
  });
});

describe('what another person has stored', () => {
  const refer = async (client: OpenAI, model: string, id: string, item: string): Promise<unknown[]> => [
    await codeOf(client.responses.create({ model, input: 'Go on.', previous_response_id: id })),
    await codeOf(
      client.responses.create({
        model,
        input: [
          { type: 'item_reference', id: item },
          { role: 'user', content: 'Go on.' },
        ],
      }),
    ),
    await codeOf(client.responses.retrieve(id)),
    await codeOf(client.responses.delete(id)),
    await codeOf(client.responses.inputItems.list(id)),
  ];
  const REFUSED = [
    [400, 'previous_response_not_found', 'previous_response_id'],
    [400, 'invalid_request', 'input.0'],
    [404, 'response_not_found', null],
    [404, 'response_not_found', null],
    [404, 'response_not_found', null],
  ];

  it.each(MODELS)(
    'is not there on %s: for another organization, person or workspace, on platform credit and on the key that they share',
    async (model) => {
      const { id, output } = await (await openai()).responses.create({ model, input: 'Mine.' });
      const item = output[0]?.id ?? '';
      const stranger = await gateway.newMember();
      const colleague = await addPerson(gateway.db);
      await join(gateway.db, member.organization.id, colleague, 'member');
      const { token } = await mintToken(
        { db: gateway.db, key: CONNECT_KEY, clock: systemClock },
        {
          userId: colleague.id,
          organizationId: member.organization.id,
          workspaceId: undefined,
          scopes: ['chat'],
          lifetimeSeconds: 600,
        },
      );
      const callers = [
        await openai({ token: await stranger.token() }),
        await openai({ token }),
        await openai({ workspace: 'global' }),
      ];
      for (const client of callers) {
        expect(await refer(client, model, id, item)).toEqual(REFUSED);
        expect(await refer(client, model, 'resp_never', 'msg_never')).toEqual(REFUSED);
      }
      await saveKeys();
      const shared = callers[1] as OpenAI;
      expect((await refer(shared, model, id, item)).slice(0, 2)).toEqual(REFUSED.slice(0, 2));
      expect(gateway.upstream.requests).toHaveLength(1);
      expect((await (await openai()).responses.retrieve(id)).id).toBe(id);
    },
  );

  it('is nothing for a token of another workspace, without the scope, or revoked', async () => {
    const { id } = await (await openai()).responses.create({ model: ANTHROPIC_MODEL, input: 'Mine.' });
    expect(
      await codeOf((await openai({ token: await member.token({ scopes: ['jobs:read'] }) })).responses.retrieve(id)),
    ).toEqual([403, 'insufficient_scope', null]);
    const bound = await openai({
      token: await member.token({ workspaceId: member.organization.globalId }),
      workspace: 'default',
    });
    expect(await codeOf(bound.responses.retrieve(id))).toEqual([403, 'workspace_membership_required', null]);
    const revoked = await openai({ token: await member.token({ name: 'to be revoked' }) });
    expect((await revoked.responses.retrieve(id)).id).toBe(id);
    await gateway.db.query('update :schema.connect_token set revoked_at = now() where user_id = $1', [member.id]);
    for (const ask of [
      () => revoked.responses.retrieve(id),
      () => revoked.responses.delete(id),
      () => revoked.responses.create({ model: ANTHROPIC_MODEL, input: 'Go on.', previous_response_id: id }),
    ])
      expect(await codeOf(ask())).toEqual([401, 'unauthenticated', null]);
  });
});

describe('a reference', () => {
  it('that is not stored here is passed on where a key of the organization pays OpenAI, and its answer is then not stored', async () => {
    await saveKeys();
    const client = await openai();
    gateway.upstream.allow({
      'an earlier response is one that was kept':
        'whether the reference reaches the provider is all that is asked here',
    });
    await client.responses.create({ model: OPENAI_MODEL, input: 'Go on.', previous_response_id: 'resp_at_openai' });
    expect(sent(0)).toMatchObject({
      previous_response_id: 'resp_at_openai',
      input: [{ role: 'user', content: 'Go on.' }],
    });
    expect(await stored()).toEqual([]);
    expect(
      await codeOf(
        client.responses.create({ model: ANTHROPIC_MODEL, input: 'Go on.', previous_response_id: 'resp_at_openai' }),
      ),
    ).toEqual([400, 'previous_response_not_found', 'previous_response_id']);
  });

  it('is bounded as what it stands for: a budget that covers the words alone does not cover the conversation', async () => {
    const client = await openai();
    const { id } = await client.responses.create({
      model: OPENAI_MODEL,
      input: 'x'.repeat(200_000),
      max_output_tokens: 16,
    });
    const { spent } = await member.budget();
    await member.setCredit(spent + 20_000);
    await gateway.db.query("update :schema.organization set plan = 'free' where id = $1", [member.organization.id]);
    expect(
      (await client.responses.create({ model: OPENAI_MODEL, input: 'Go on.', max_output_tokens: 16 })).status,
    ).toBe('completed');
    expect(
      await codeOf(
        client.responses.create({
          model: OPENAI_MODEL,
          input: 'Go on.',
          max_output_tokens: 16,
          previous_response_id: id,
        }),
      ),
    ).toEqual([429, 'quota_exceeded', null]);
  });

  it('counts at each of its positions, and is refused before a provider is asked', async () => {
    const client = await openai();
    const { id } = await client.responses.create({ model: OPENAI_MODEL, input: 'x'.repeat(2_000_000) });
    const { data } = await client.responses.inputItems.list(id);
    const item = { type: 'item_reference' as const, id: data[0]?.id ?? '' };
    const asked = gateway.upstream.requests.length;
    expect(
      await codeOf(client.responses.create({ model: OPENAI_MODEL, input: Array.from({ length: 1_000 }, () => item) })),
    ).toEqual([413, 'request_too_large', 'input']);
    expect(gateway.upstream.requests.length).toBe(asked);
  });

  it('is of no use to a former member of the workspace', async () => {
    const { rows } = await gateway.db.query<{ id: string }>(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ('ws_' || md5(random()::text), $1, 'lab', 'Lab', 'named') returning id",
      [member.organization.id],
    );
    const lab = rows[0]?.id ?? '';
    await joinWorkspace(gateway.db, member.organization.id, lab, member, 'owner');
    const client = await openai({ workspace: lab });
    const { id } = await client.responses.create({ model: ANTHROPIC_MODEL, input: 'In the lab.' });
    // Behind the back of what is remembered of the person.
    await gateway.db.query('alter table :schema.workspace_member disable trigger user');
    await gateway.db.query('delete from :schema.workspace_member where workspace_id = $1', [lab]);
    await gateway.db.query('alter table :schema.workspace_member enable trigger user');
    expect(await codeOf(client.responses.retrieve(id))).toEqual([404, 'response_not_found', null]);
    expect(
      await codeOf(client.responses.create({ model: ANTHROPIC_MODEL, input: 'Go on.', previous_response_id: id })),
    ).toEqual([400, 'previous_response_not_found', 'previous_response_id']);
  });

  it('comes after the checks before it', async () => {
    expect(
      await codeOf(
        (await openai()).responses.create({
          model: 'openai/nobody',
          input: 'Go on.',
          previous_response_id: 'resp_never',
        }),
      ),
    ).toEqual([404, 'model_not_found', null]);
    await member.setPolicy({ disabled_models: [ANTHROPIC_MODEL] });
    expect(
      await codeOf(
        (await openai()).responses.create({
          model: ANTHROPIC_MODEL,
          input: 'Go on.',
          previous_response_id: 'resp_never',
        }),
      ),
    ).toEqual([403, expect.stringContaining('policy_denied'), null]);
  });

  it('goes from one provider to the other, reasoning that the other cannot read left behind', async () => {
    await saveKeys();
    const client = await openai();
    gateway.upstream.respond({ text: 'From Anthropic.' });
    const first = await client.responses.create({
      model: ANTHROPIC_MODEL,
      input: [
        { role: 'user', content: 'Hello.' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: `anthropic-signature:${signThinking('')}` },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Go on.' },
      ],
    });
    await client.responses.create({ model: OPENAI_MODEL, input: 'And you?', previous_response_id: first.id });
    expect(saidTo(-1)).toEqual(['Hello.', 'Yes?', 'Go on.', 'From Anthropic.', 'And you?']);
    expect(JSON.stringify(sent(-1))).not.toContain('anthropic-signature');
  });

  it('is refused, and nothing is stored, while the organization requires zero data retention; what was stored goes', async () => {
    await saveKeys();
    const { id, output } = await (await openai()).responses.create({ model: OPENAI_MODEL, input: 'Before.' });
    await member.setPolicy({ require_zdr: true });
    const client = await openai();
    expect(await client.responses.create({ model: ANTHROPIC_MODEL, input: 'Meanwhile.' })).toMatchObject({
      store: false,
    });
    for (const model of MODELS) {
      expect(await codeOf(client.responses.create({ model, input: 'Go on.', previous_response_id: id }))).toEqual([
        400,
        'invalid_request',
        'previous_response_id',
      ]);
      expect(
        await codeOf(client.responses.create({ model, input: [{ type: 'item_reference', id: output[0]?.id ?? '' }] })),
      ).toEqual([400, 'invalid_request', 'input.0']);
    }
    expect(await codeOf(client.responses.retrieve(id))).toEqual([404, 'response_not_found', null]);
    await dropOldResponses(gateway.db, 30);
    expect(await stored()).toEqual([]);
  });
});

describe.each([
  ['a retention of no days', { SERVICE_RESPONSES_RETENTION_DAYS: '0' }],
  ['no key to seal with', { SERVICE_CONNECTION_ENCRYPTION_KEY_B64: '' }],
])('with %s', (_name, environment) => {
  let bare: ChatGateway;
  beforeAll(async () => {
    bare = await startChatGateway(environment);
  });
  afterAll(() => bare.close());

  it('nothing is stored, and a reference is refused by its place and with the reason', async () => {
    const client = new OpenAI({
      baseURL: `${bare.url}/v1`,
      apiKey: await (await bare.newMember()).token(),
      maxRetries: 0,
    });
    for (const model of MODELS) {
      const answer = await client.responses.create({ model, input: 'Hello', store: true });
      expect(answer).toMatchObject({ store: false });
      const { id } = answer;
      await expect(client.responses.create({ model, input: 'Go on.', previous_response_id: id })).rejects.toThrow(
        'previous_response_id: responses are not stored on this deployment',
      );
      expect(await codeOf(client.responses.retrieve(id))).toEqual([404, 'response_not_found', null]);
    }
    expect((await bare.db.query('select from :schema.stored_response')).rowCount).toBe(0);
  });
});
