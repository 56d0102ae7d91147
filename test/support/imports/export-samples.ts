// Small exports in the formats of the three services, and archives around them.
import { deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the directory says, whatever is there. */
  readonly encrypted?: boolean;
}

/** A ZIP archive; the checksums are left out, because nothing here reads them. */
export function zip(files: readonly ZipFile[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, encrypted = false } of files) {
    const packed = deflateRawSync(content);
    const size = Buffer.byteLength(content);
    const title = Buffer.from(name);
    const header = Buffer.alloc(30);
    header.write('PK\u0003\u0004', 'latin1');
    header.writeUInt16LE(encrypted ? 1 : 0, 6);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(size, 22);
    header.writeUInt16LE(title.length, 26);
    const entry = Buffer.alloc(46);
    entry.write('PK\u0001\u0002', 'latin1');
    entry.writeUInt16LE(encrypted ? 1 : 0, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(title.length, 28);
    entry.writeUInt32LE(at, 42);
    local.push(header, title, packed);
    directory.push(entry, title);
    at += header.length + title.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, ...directory, end]);
}

/** The smallest picture. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface GptMessage {
  readonly role: 'user' | 'assistant' | 'system' | 'tool';
  readonly content: object;
  readonly at?: number;
  readonly model?: string;
  readonly metadata?: object;
  readonly name?: string;
  readonly recipient?: string;
}

export function gptNode(id: string, parent: string | null, message: GptMessage | null): [string, object] {
  return [
    id,
    {
      id,
      parent,
      children: [],
      message: message && {
        id,
        author: { role: message.role, name: message.name ?? null, metadata: {} },
        create_time: message.at ?? null,
        content: message.content,
        recipient: message.recipient ?? 'all',
        metadata: { ...(message.model === undefined ? {} : { model_slug: message.model }), ...message.metadata },
      },
    },
  ];
}

export const said = (...parts: readonly unknown[]): object => ({ content_type: 'text', parts });

/** A question that was edited, an answer with a step of a tool, a picture, and instructions that were hidden. */
export const CHATGPT = {
  title: 'Trip to <b>Lisbon</b>',
  create_time: 1_700_000_000.5,
  update_time: 1_700_000_900.25,
  conversation_id: '6a0f9d0e-0000-4000-8000-000000000001',
  current_node: 'a2',
  is_archived: true,
  gizmo_id: 'g-p-68abcdef0123456789',
  mapping: Object.fromEntries([
    gptNode('root', null, null),
    gptNode('sys', 'root', { role: 'system', content: said('') }),
    gptNode('ctx', 'sys', {
      role: 'user',
      content: { content_type: 'user_editable_context', user_profile: 'x', user_instructions: 'be brief' },
      metadata: { is_visually_hidden_from_conversation: true },
    }),
    gptNode('q1', 'ctx', { role: 'user', content: said('Where should I go?'), at: 1_700_000_100 }),
    gptNode('a1', 'q1', { role: 'assistant', content: said('To Porto.'), at: 1_700_000_110, model: 'gpt-4o' }),
    gptNode('q2', 'ctx', {
      role: 'user',
      content: {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_0001' }, 'Where is this?'],
      },
      at: 1_700_000_200,
      metadata: { attachments: [{ id: 'file-Notes', name: 'notes.txt', mimeType: 'text/plain' }] },
    }),
    gptNode('think', 'q2', {
      role: 'assistant',
      content: { content_type: 'thoughts', thoughts: [{ summary: 'Looking', content: 'A tram.' }] },
    }),
    gptNode('call', 'think', {
      role: 'assistant',
      content: { content_type: 'code', language: 'python', text: 'print(1)' },
      recipient: 'python',
    }),
    gptNode('out', 'call', {
      role: 'tool',
      name: 'python',
      content: { content_type: 'execution_output', text: '1' },
    }),
    gptNode('a2', 'out', {
      role: 'assistant',
      content: said('In Lisbon. \uE200cite\uE202turn0search0\uE201'),
      at: 1_700_000_210,
      model: 'gpt-5',
      metadata: {
        content_references: [
          { matched_text: '\uE200cite\uE202turn0search0\uE201', alt: '([map](https://example.test))' },
        ],
      },
    }),
  ]),
};

export const CLAUDE = {
  uuid: 'c1a0de00-0000-4000-8000-000000000001',
  name: 'Recipe',
  created_at: '2025-03-01T10:00:00.000000Z',
  updated_at: '2025-03-01T10:05:00.000000Z',
  account: { uuid: 'acc' },
  project: { uuid: 'proj-1', name: 'Kitchen' },
  chat_messages: [
    {
      uuid: 'm1',
      text: 'What can I cook?',
      content: [{ type: 'text', text: 'What can I cook?', citations: [] }],
      sender: 'human',
      created_at: '2025-03-01T10:00:01.000000Z',
      attachments: [{ file_name: 'pantry.csv', file_size: 12, file_type: 'csv', extracted_content: 'rice,beans' }],
      files: [{ file_name: 'fridge.png' }],
    },
    {
      uuid: 'm2',
      text: '',
      content: [
        { type: 'thinking', thinking: 'Rice and beans.' },
        { type: 'tool_use', name: 'artifacts', input: { title: 'Plan', type: 'text/markdown', content: '- rice' } },
        { type: 'tool_result', name: 'artifacts', content: [{ type: 'text', text: 'OK' }] },
        { type: 'text', text: 'Rice and beans.' },
      ],
      sender: 'assistant',
      created_at: '2025-03-01T10:00:05.000000Z',
      attachments: [],
      files: [],
    },
  ],
};

export const CLAUDE_PROJECTS = [
  {
    uuid: 'proj-1',
    name: 'Kitchen',
    description: 'Cooking',
    is_starter_project: false,
    prompt_template: 'Metric units.',
    created_at: '2025-02-01T10:00:00.000000Z',
    docs: [{ uuid: 'd', filename: 'a.md', content: 'text' }],
  },
  { uuid: 'proj-0', name: 'How to use Claude', is_starter_project: true, prompt_template: '', docs: [] },
];

const libreMessage = (messageId: string, parentMessageId: string, isCreatedByUser: boolean, extra: object) => ({
  messageId,
  parentMessageId,
  isCreatedByUser,
  sender: isCreatedByUser ? 'User' : 'GPT-4',
  createdAt: '2024-06-01T08:00:00.000Z',
  ...extra,
});
const NO_PARENT = '00000000-0000-0000-0000-000000000000';

export const LIBRECHAT = {
  conversationId: '11b3c4a7-0000-4000-8000-000000000001',
  endpoint: 'openAI',
  title: 'Regex',
  exportAt: '10:00:00 GMT+0000 (Coordinated Universal Time)',
  branches: true,
  recursive: false,
  options: { model: 'gpt-4-turbo' },
  messages: [
    libreMessage('l1', NO_PARENT, true, { text: 'Match digits' }),
    libreMessage('l2', 'l1', false, { text: '\\d+' }),
    libreMessage('l3', 'l1', false, {
      text: '',
      model: 'gpt-4o',
      content: [
        { type: 'think', think: 'Digits.' },
        { type: 'text', text: { value: '[0-9]+' } },
      ],
      createdAt: '2024-06-01T08:01:00.000Z',
    }),
  ],
};

export const LIBRECHAT_TREE = {
  conversationId: '11b3c4a7-0000-4000-8000-000000000002',
  endpoint: 'openAI',
  title: 'Tree',
  branches: true,
  recursive: true,
  options: { model: 'gpt-4-turbo' },
  messagesTree: [
    libreMessage('t1', NO_PARENT, true, {
      text: 'One',
      children: [
        libreMessage('t2', 't1', false, { text: 'Two', children: [] }),
        libreMessage('t3', 't1', false, {
          text: 'Three',
          children: [libreMessage('t4', 't3', true, { text: 'Four' })],
        }),
      ],
    }),
  ],
};

export const chatGptZip = (): Buffer =>
  zip([
    { name: 'export/conversations-000.json', content: JSON.stringify([CHATGPT]) },
    { name: 'export/file_0001-0c3e.png', content: PIXEL },
    { name: 'export/file-Notes-notes.txt', content: 'buy a ticket' },
    { name: 'export/user.json', content: '{"id":"user-1"}' },
    { name: 'export/chat.html', content: '<html></html>' },
  ]);

export const claudeZip = (): Buffer =>
  zip([
    { name: 'conversations.json', content: JSON.stringify([CLAUDE]) },
    { name: 'projects.json', content: JSON.stringify(CLAUDE_PROJECTS) },
    { name: 'users.json', content: '[{"uuid":"acc"}]' },
  ]);
