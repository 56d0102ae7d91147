import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { addOrganization, addPerson, join } from '../../test/support/people.ts';
import { newId } from '../base/ids.ts';
import { encodeChatRequest } from '../model-providers/codecs/chat/encode-request.ts';
import { encodeMessagesRequest } from '../model-providers/codecs/messages/encode-request.ts';
import type { Loose } from '../model-providers/codecs/read-fields.ts';
import { decodeResponsesRequest } from '../model-providers/codecs/responses/decode-request.ts';
import type { Database } from '../store/database.ts';
import { createStoredResponses, type ResponseStore } from './create-stored-responses.ts';
import { expandReferences } from './expand-references.ts';
import { findReferences } from './find-references.ts';
import { STORED_LIMITS, type StoredOwner } from './stored-response.ts';

let db: Database;
let store: ResponseStore;
let owner: StoredOwner;
let close: () => Promise<void>;
const wrappingKey = randomBytes(32);

beforeAll(async () => {
  db = await openTestDatabase();
  const person = await addPerson(db);
  const { id, defaultId } = await addOrganization(db, person);
  owner = { organizationId: id, workspaceId: defaultId, userId: person.id };
  const responses = createStoredResponses({ db, log: quiet, wrappingKey, days: 30 });
  close = () => responses.close();
  store = responses.store as ResponseStore;
});
afterAll(async () => {
  await close();
  await db.close();
});

const text = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.constantFrom('Grüße, 世界 🌍', '\u0000', '"quoted"\n', ' '),
);
const user: fc.Arbitrary<Loose> = fc.oneof(
  text.map((content) => ({ role: 'user', content })),
  text.map((content) => ({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: content },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ],
  })),
);
interface Turn {
  readonly input: readonly Loose[];
  readonly output: readonly Loose[];
}
/** What a client says, and what the model answers: mostly text, often with calls, whose results come with the next turn. */
const turns: fc.Arbitrary<Turn[]> = fc
  .array(fc.tuple(fc.array(user, { minLength: 1, maxLength: 2 }), text, fc.nat(2), text), {
    minLength: 1,
    maxLength: 5,
  })
  .map((drawn) => {
    let results: Loose[] = [];
    return drawn.map(([said, answer, calls, result]) => {
      const input = [...results, ...said];
      const names = Array.from({ length: calls }, () => newId('call'));
      results = names.map((call_id) => ({ type: 'function_call_output', call_id, output: result }));
      const output = [
        {
          id: newId('rs'),
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: answer }],
          encrypted_content: 'anthropic-signature:sealed',
        },
        {
          id: newId('msg'),
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: answer, annotations: [], logprobs: [] }],
        },
        ...names.map((call_id) => ({
          id: newId('fc'),
          type: 'function_call',
          status: 'completed',
          call_id,
          name: 'look_up',
          arguments: JSON.stringify({ q: answer }),
        })),
      ];
      return { input, output };
    });
  });

async function expand(body: Loose, at = owner): Promise<Loose> {
  const references = findReferences(body);
  if (!references) return body;
  const expanded = expandReferences(body, references, await store.load(at, references, () => {}));
  expect([...expanded.missing]).toEqual([]);
  return expanded.body;
}

/** What both providers would be sent. */
function sentFor(body: Loose): unknown[] {
  const request = decodeResponsesRequest({ model: 'm', ...body });
  return [
    encodeMessagesRequest(request, { model: 'm', defaultMaxTokens: 100, thinking: 'budget', sampling: true }),
    encodeChatRequest(request, { model: 'm', maxTokensField: 'max_tokens', reasoning: false, sampling: true }),
  ];
}

const keep = async (turn: Turn, previousId: string | null, id = newId('resp')): Promise<string> => {
  await store.keep(owner, 'response', {
    previousId,
    input: turn.input,
    response: { id, object: 'response', status: 'completed', output: turn.output },
  });
  return id;
};
const LAST = { role: 'user', content: 'Go on.' };

describe('a conversation that is stored and referred to', () => {
  it('by previous response, looks to the provider like one that is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (conversation) => {
        let previousId: string | null = null;
        for (const turn of conversation) previousId = await keep(turn, previousId);
        const whole = [...conversation.flatMap(({ input, output }) => [...input, ...output]), LAST];
        const body = await expand({ previous_response_id: previousId, input: [LAST] });
        expect(body).toEqual({ input: whole });
        expect(sentFor(body)).toEqual(sentFor({ input: whole }));
      }),
      { numRuns: 40 },
    );
  });

  it('by items, looks to the provider like one that is sent again', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (conversation) => {
        const referring: Loose[] = [];
        for (const turn of conversation) {
          const { input } = await expand({ input: [...referring, ...turn.input] });
          await keep({ input: input as Loose[], output: turn.output }, null);
          referring.push(...turn.input, ...turn.output.map(({ id }) => ({ type: 'item_reference', id })));
        }
        const whole = [...conversation.flatMap(({ input, output }) => [...input, ...output]), LAST];
        const body = await expand({ input: [...referring, LAST] });
        expect(body).toEqual({ input: whole });
        expect(sentFor(body)).toEqual(sentFor({ input: whole }));
      }),
      { numRuns: 40 },
    );
  });

  it('reports its size before it is read', async () => {
    const id = await keep({ input: [LAST], output: [] }, null);
    const refused = new Error('no room');
    await expect(
      store.load(owner, { previousId: id, items: new Map() }, (bytes) => {
        expect(bytes).toBeGreaterThan(50);
        throw refused;
      }),
    ).rejects.toBe(refused);
  });

  it('returns an item without reading the conversation before it', async () => {
    const item = { id: newId('msg'), type: 'message', role: 'assistant', content: [] };
    await keep({ input: [{ role: 'user', content: 'x'.repeat(100_000) }], output: [item] }, null);
    let taken = 0;
    const { items } = await store.load(
      owner,
      { previousId: undefined, items: new Map([[0, item.id]]) },
      (bytes) => void (taken = bytes),
    );
    expect(items.get(item.id)).toEqual(item);
    expect(taken).toBeLessThan(1_000);
  });

  it('is counted at each position that refers to an item, before anything is built from it', async () => {
    const item = { id: newId('msg'), type: 'message', role: 'assistant', content: 'x'.repeat(400_000) };
    const id = await keep({ input: [{ role: 'user', content: 'y'.repeat(300_000) }], output: [item] }, null);
    const load = (ids: readonly string[]) => {
      const taken: number[] = [];
      const items = new Map(ids.map((one, index) => [index, one]));
      return store
        .load(owner, { previousId: undefined, items }, (bytes) => void taken.push(bytes))
        .then(({ tooLong, bytes }) => ({ tooLong, bytes, taken: taken.reduce((sum, one) => sum + one, 0) }));
    };
    const input = `msg_${id.replace('resp_', '')}_in_0`;
    const once = await load([item.id, input]);
    expect(once).toMatchObject({ tooLong: false });
    const often = await load(Array.from({ length: 20 }, () => [item.id, input]).flat());
    expect(often).toMatchObject({ tooLong: false, bytes: 20 * once.bytes });
    expect(often.taken).toBeGreaterThanOrEqual(often.bytes);
    // As much is read as for one position.
    expect(await load(Array.from({ length: 1_000 }, () => item.id))).toMatchObject({
      tooLong: true,
      taken: expect.toSatisfy((taken: number) => taken < 500_000),
    });
    await expect(load(Array.from({ length: STORED_LIMITS.references + 1 }, () => item.id))).rejects.toMatchObject({
      code: 'invalid_request',
      details: { input: expect.any(String) },
    });
  });

  it('is not read at all if the responses that hold its items are too large together', async () => {
    const items = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const item = { id: newId('msg'), type: 'message' };
        const id = await keep({ input: [], output: [item] }, null);
        await db.query('update :schema.stored_response set output_bytes = $2 where id = $1', [
          id,
          STORED_LIMITS.conversationBytes / 2,
        ]);
        return item.id;
      }),
    );
    const take = (): never => {
      throw new Error('was read');
    };
    expect(await store.load(owner, { previousId: undefined, items: new Map(items.entries()) }, take)).toMatchObject({
      tooLong: true,
    });
  });

  it('is refused as a whole if it has become too long', async () => {
    const first = await keep({ input: [LAST], output: [] }, null);
    await db.query('update :schema.stored_response set bytes = $2 where id = $1', [
      first,
      STORED_LIMITS.conversationBytes,
    ]);
    const second = await keep({ input: [LAST], output: [] }, first);
    const loaded = await store.load(owner, { previousId: second, items: new Map() }, () => {});
    expect([loaded.conversation, loaded.tooLong]).toEqual([undefined, true]);

    await db.query(
      `insert into :schema.stored_response (organization_id, workspace_id, user_id, id, kind, previous_id, item_ids, bytes, output_bytes, ciphertext, iv, auth_tag, output_ciphertext, output_iv, output_auth_tag, key_version)
       select $1, $2, $3, 'resp_long_' || n, 'response', 'resp_long_' || n - 1, '{}', 10, 0, '', iv, tag, '', iv, tag, 1 from (select decode(repeat('00', 12), 'hex') as iv, decode(repeat('00', 16), 'hex') as tag) made, generate_series(1, $4::int) n`,
      [owner.organizationId, owner.workspaceId, owner.userId, STORED_LIMITS.conversationResponses + 5],
    );
    expect(
      await store.load(
        owner,
        { previousId: `resp_long_${STORED_LIMITS.conversationResponses + 5}`, items: new Map() },
        () => {},
      ),
    ).toMatchObject({ conversation: undefined, tooLong: true });
  });

  it('is not found if a part of it is gone', async () => {
    const first = await keep({ input: [LAST], output: [] }, null);
    const second = await keep({ input: [LAST], output: [] }, first);
    expect(await store.remove(owner, first)).toBe(true);
    expect(await store.load(owner, { previousId: second, items: new Map() }, () => {})).toMatchObject({
      conversation: undefined,
      tooLong: false,
    });
    expect((await store.findConversation(owner, 'response', second, () => {})).turns).toBeUndefined();
    expect((await store.find(owner, second, () => {}))?.id).toBe(second);
  });
});

describe('a stored row', () => {
  it("does not open as another person's, under another id, as the answer to another, or with another key", async () => {
    const other = await join(db, owner.organizationId, await addPerson(db), 'member');
    const id = await keep({ input: [LAST], output: [] }, null);
    const copy = newId('resp');
    await db.query(
      `insert into :schema.stored_response (organization_id, workspace_id, user_id, id, kind, previous_id, item_ids, bytes, output_bytes, ciphertext, iv, auth_tag, output_ciphertext, output_iv, output_auth_tag, key_version)
       select organization_id, workspace_id, owner, name, kind, previous, item_ids, bytes, output_bytes, ciphertext, iv, auth_tag, output_ciphertext, output_iv, output_auth_tag, key_version from :schema.stored_response,
              (values ($2, $1, null), ($3, $4, null), ($3, $5, $1)) as made (owner, name, previous) where id = $1`,
      [id, other.id, owner.userId, copy, `${copy}x`],
    );
    expect(await store.find({ ...owner, userId: other.id }, id, () => {})).toBeUndefined();
    expect(await store.find(owner, copy, () => {})).toBeUndefined();
    expect(await store.find(owner, `${copy}x`, () => {})).toBeUndefined();
    expect((await store.find(owner, id, () => {}))?.id).toBe(id);
    const rekeyed = createStoredResponses({ db, log: quiet, wrappingKey: randomBytes(32), days: 30 });
    expect(await rekeyed.store?.find(owner, id, () => {})).toBeUndefined();
    await rekeyed.close();
  });

  it('is not created for an answer that is in progress, has no id, or is larger than a conversation may be', async () => {
    const count = async (): Promise<number> => (await db.query('select from :schema.stored_response')).rowCount;
    const before = await count();
    for (const response of [
      { id: 'resp_queued', status: 'queued' },
      { status: 'completed' },
      { id: 'a\u0000b', status: 'completed' },
      { id: 'resp_huge', status: 'completed', output: ['x'.repeat(STORED_LIMITS.conversationBytes)] },
    ])
      await store.keep(owner, 'response', { previousId: null, input: [], response });
    expect(await count()).toBe(before);
  });
});
