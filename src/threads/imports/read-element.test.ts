import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHATGPT,
  CLAUDE,
  CLAUDE_PROJECTS,
  gptNode,
  LIBRECHAT,
  LIBRECHAT_TREE,
  said,
} from '../../../test/support/imports/export-samples.ts';
import { isStorableJson } from '../../base/storable-json.ts';
import { type ImportedChat, type ImportedRow, MOST_MESSAGES, readElement } from './read-element.ts';

const NOW = Date.UTC(2026, 0, 1);
const read = (element: unknown) => readElement(Buffer.from(JSON.stringify(element)), NOW);

function readChat(element: unknown): ImportedChat & { rows: ImportedRow[]; shownRows: ImportedRow[] } {
  const found = read(element);
  if (found.kind !== 'chat') throw new Error(`left out: ${JSON.stringify(found)}`);
  const rows = found.batches.flatMap((batch) => JSON.parse(batch) as ImportedRow[]);
  return { ...found, rows, shownRows: rows.filter(({ position }) => position !== null) };
}

describe('ChatGPT', () => {
  it('reads the branch that was shown, and keeps the other as a version of the question', () => {
    const { rows, ...chat } = readChat(CHATGPT);
    expect(chat).toMatchObject({
      source: 'chatgpt',
      sourceId: CHATGPT.conversation_id,
      title: 'Trip to <b>Lisbon</b>',
      createdAt: '2023-11-14T22:13:20.500Z',
      updatedAt: '2023-11-14T22:28:20.250Z',
      archived: true,
      project: { id: 'g-p-68abcdef0123456789' },
      shown: 2,
      messages: 4,
      notes: { settings: 1 },
    });
    const [q2, a2, ...others] = rows;
    expect(q2).toMatchObject({ position: 0, parent_id: '', role: 'user', created_at: '2023-11-14T22:16:40.000Z' });
    expect(q2?.parts).toEqual([
      { type: 'file', file: 0 },
      { type: 'file', file: 1 },
      { type: 'text', text: 'Where is this?' },
    ]);
    expect(chat.files).toEqual([
      { name: 'notes.txt', reference: 'file-Notes' },
      { name: 'file_0001', reference: 'file_0001' },
    ]);
    expect(a2).toMatchObject({ position: 1, role: 'assistant', metadata: { model: 'gpt-5' } });
    expect(a2?.parts).toEqual([
      {
        type: 'reasoning',
        text: 'Looking\n\nA tram.\n\npython\n\n```\nprint(1)\n```\n\npython\n\n```\n1\n```',
      },
      { type: 'text', text: 'In Lisbon. ([map](https://example.test))' },
    ]);
    const question = others.find(({ role }) => role === 'user');
    const answer = others.find(({ role }) => role === 'assistant');
    expect(question).toMatchObject({ position: null, parent_id: '' });
    expect(answer).toMatchObject({ position: null, parent_id: question?.id, metadata: { model: 'gpt-4o' } });
  });

  it('keeps the steps before an answer that was tried again', () => {
    const { rows, shown } = readChat({
      conversation_id: 'c',
      title: '',
      current_node: 'a2',
      mapping: Object.fromEntries([
        gptNode('q', null, { role: 'user', content: said('Question?') }),
        gptNode('step', 'q', { role: 'tool', name: 'web', content: said('found') }),
        gptNode('a1', 'step', { role: 'assistant', content: said('one'), at: 1_700_000_001 }),
        gptNode('a2', 'step', { role: 'assistant', content: said('two'), at: 1_700_000_002 }),
      ]),
    });
    expect(shown).toBe(3);
    const texts = rows.map(({ position, parts }) => [position, parts[0]?.type === 'file' ? '' : parts[0]]);
    expect(texts).toEqual([
      [0, { type: 'text', text: 'Question?' }],
      [1, { type: 'reasoning', text: 'web\n\n```\nfound\n```' }],
      [2, { type: 'text', text: 'two' }],
      [null, { type: 'text', text: 'one' }],
    ]);
    expect(rows[3]?.parent_id).toBe(rows[1]?.id);
  });

  it('reads content of a type that it does not know by its text, and counts it if there is none', () => {
    const chat = readChat({
      id: 'only-id',
      mapping: Object.fromEntries([
        gptNode('a', null, { role: 'assistant', content: { content_type: 'super_widget', text: 'shown' } }),
        gptNode('b', 'a', { role: 'assistant', content: { content_type: 'super_widget', widget: {} } }),
      ]),
    });
    expect(chat).toMatchObject({ sourceId: 'only-id', messages: 1, notes: { 'unknown-part': 1 } });
    expect(chat.rows[0]?.parts).toEqual([{ type: 'text', text: 'shown' }]);
  });
});

describe('Claude', () => {
  it('reads messages, thoughts, artifacts and the text of attachments', () => {
    const chat = readChat(CLAUDE);
    expect(chat).toMatchObject({
      source: 'claude',
      title: 'Recipe',
      project: { id: 'proj-1', name: 'Kitchen' },
      shown: 2,
      messages: 2,
      files: [
        { name: 'pantry.csv', text: 'rice,beans' },
        { name: 'fridge.png', reference: 'fridge.png' },
      ],
    });
    expect(chat.rows[1]?.parts).toEqual([
      { type: 'reasoning', text: 'Rice and beans.' },
      { type: 'text', text: '**Plan**\n\n- rice' },
      { type: 'reasoning', text: 'artifacts\n\n```\nOK\n```' },
      { type: 'text', text: 'Rice and beans.' },
    ]);
  });

  it('follows parents where the export has them', () => {
    const [question, answer] = CLAUDE.chat_messages;
    const chat = readChat({
      ...CLAUDE,
      current_leaf_message_uuid: 'm2',
      chat_messages: [
        { ...question, parent_message_uuid: '00000000-0000-4000-8000-000000000000' },
        { ...answer, parent_message_uuid: 'm1' },
        { ...answer, uuid: 'm3', parent_message_uuid: 'm1' },
      ],
    });
    expect(chat).toMatchObject({ shown: 2, messages: 3 });
  });

  it('reads projects with their instructions, and not the example', () => {
    expect(CLAUDE_PROJECTS.map(read)).toMatchObject([
      { kind: 'project', sourceId: 'proj-1', title: 'Kitchen', instructions: 'Metric units.', notes: { document: 1 } },
      { kind: 'left-out', reason: 'example' },
    ]);
    expect(read({ ...CLAUDE_PROJECTS[0], prompt_template: 'x'.repeat(9_000) })).toMatchObject({
      notes: { 'instructions-cut': 1 },
    });
  });
});

describe('LibreChat', () => {
  it('reads a list with parents', () => {
    const { rows, ...chat } = readChat(LIBRECHAT);
    expect(chat).toMatchObject({ source: 'librechat', title: 'Regex', shown: 2, messages: 3 });
    expect(rows.map(({ position, metadata: { model } }) => [position, model])).toEqual([
      [0, undefined],
      [1, 'gpt-4o'],
      [null, 'gpt-4-turbo'],
    ]);
  });

  it('reads a tree, also one that is as deep as it is long', () => {
    expect(readChat(LIBRECHAT_TREE)).toMatchObject({ shown: 3, messages: 4 });
    let deep: object = { messageId: 'end', text: 'end', isCreatedByUser: true };
    for (let depth = 0; depth < 1_500; depth++)
      deep = { messageId: `d${depth}`, text: 'x', isCreatedByUser: depth % 2 === 0, children: [deep] };
    expect(readChat({ ...LIBRECHAT_TREE, messagesTree: [deep] }).messages).toBeGreaterThan(1_000);
  });

  it('takes the order where nothing says what follows what', () => {
    const messages = ['a', 'b', 'c'].map((text, index) => ({ text, isCreatedByUser: index % 2 === 0 }));
    expect(readChat({ conversationId: 'x', title: 't', messages })).toMatchObject({ shown: 3, messages: 3 });
  });
});

describe('hostile exports', () => {
  it.each([
    ['not JSON', 'nonsense', 'damaged'],
    ['a number', '1', 'unknown-format'],
    ['another object', '{"a":1}', 'unknown-format'],
    ['no messages', '{"mapping":{},"title":"t"}', 'empty'],
  ])('names what is wrong: %s', (_, text, reason) => {
    expect(readElement(Buffer.from(text), NOW)).toMatchObject({ kind: 'left-out', reason });
  });

  it('stores text with a zero character or half a pair, and dates far off', () => {
    const chat = readChat({
      ...LIBRECHAT,
      title: 'a\0b\uD800',
      createdAt: '9999-01-01',
      messages: [{ messageId: 'm', text: 'x\0\uDC00', isCreatedByUser: true, createdAt: '0001-01-01' }],
    });
    expect(isStorableJson(chat)).toBe(true);
    expect(isStorableJson(chat.rows)).toBe(true);
    expect(chat.title).toBe('a\uFFFDb\uFFFD');
    expect(chat.createdAt).toBe(new Date(NOW).toISOString());
  });

  it('leaves out a conversation with too many messages', () => {
    const messages = Array.from({ length: MOST_MESSAGES + 1 }, (_, index) => ({
      messageId: `m${index}`,
      parentMessageId: `m${index - 1}`,
      text: 'x',
      isCreatedByUser: index % 2 === 0,
    }));
    expect(read({ conversationId: 'x', title: 'Long', messages })).toEqual({
      kind: 'left-out',
      title: 'Long',
      reason: 'too-many-messages',
    });
  });

  it('gives a conversation without an id one by its content', () => {
    const element = { ...CLAUDE, uuid: undefined };
    expect(readChat(element).sourceId).toMatch(/^[0-9a-f]{64}$/);
    expect(readChat(element).sourceId).toBe(readChat(element).sourceId);
  });

  it('never throws, whatever the bytes are', () => {
    const samples = [CHATGPT, CLAUDE, LIBRECHAT, LIBRECHAT_TREE].map((sample) => Buffer.from(JSON.stringify(sample)));
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(), fc.uint8Array({ maxLength: 8 }), (sample, at, bytes) => {
        const broken = Buffer.from(sample);
        broken.set(bytes, at % (broken.length - 8));
        expect(['chat', 'project', 'left-out']).toContain(readElement(broken, NOW).kind);
      }),
    );
  });

  it('never throws, whatever the values are', () => {
    const shaped = fc.record({
      mapping: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
      chat_messages: fc.option(fc.array(fc.jsonValue())),
      conversationId: fc.string(),
      messages: fc.jsonValue(),
      title: fc.jsonValue(),
    });
    fc.assert(
      fc.property(shaped, (element) => {
        const found = read(element);
        if (found.kind === 'chat') expect(isStorableJson(JSON.parse(found.batches[0] ?? ''))).toBe(true);
      }),
    );
  });
});
