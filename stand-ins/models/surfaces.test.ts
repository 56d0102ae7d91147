import { expect, test } from 'vitest';
import type { Refusal } from './refusal.ts';
import { SURFACES, type SurfacePath } from './surfaces.ts';

const PATHS = Object.keys(SURFACES) as SurfacePath[];
const TOOL = { name: 'look', schema: { type: 'object' } };

/** One conversation, in the words of each surface. */
const BODIES: Record<SurfacePath, Record<string, unknown>> = {
  '/v1/chat/completions': {
    model: 'm',
    max_completion_tokens: 50,
    stream: true,
    messages: [
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look at this' },
          { type: 'image_url', image_url: { url: 'data:' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  },
  '/v1/responses': {
    model: 'm',
    max_output_tokens: 50,
    stream: true,
    instructions: 'Be kind.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look at this' },
          { type: 'input_image', image_url: 'data:' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'a cat' },
    ],
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }, { type: 'web_search' }],
  },
  '/v1/messages': {
    model: 'm',
    max_tokens: 50,
    stream: true,
    system: [{ type: 'text', text: 'Be kind.' }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look at this' },
          { type: 'image', source: {} },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'look', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'a cat' },
          { type: 'text', text: 'Go on' },
        ],
      },
    ],
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
  },
};

test.each(PATHS)('%s reads the same conversation as the others', (path) => {
  const asked = SURFACES[path].read(BODIES[path]);
  expect(asked).toMatchObject({
    model: 'm',
    system: 'Be kind.',
    maxTokens: 50,
    stream: true,
    tools: [TOOL],
    toolChoice: 'auto',
  });
  expect(asked.items.filter(({ kind }) => kind !== 'assistant')).toEqual([
    { kind: 'user', text: 'Look at this', attachments: 1 },
    { kind: 'call', id: 'c1', name: 'look' },
    { kind: 'result', id: 'c1', text: 'a cat' },
  ]);
});

function refusalOf(path: SurfacePath, body: unknown): Refusal | undefined {
  try {
    SURFACES[path].read(body);
    return undefined;
  } catch (error) {
    return error as Refusal;
  }
}

test.each(PATHS)('%s refuses a body that is not one, and names the field', (path) => {
  expect(refusalOf(path, { ...BODIES[path], model: 7 })).toMatchObject({ code: 'bad_request', field: 'model' });
  expect(refusalOf(path, 'text')).toMatchObject({ code: 'bad_request', field: undefined });
  expect(refusalOf(path, { ...BODIES[path], messages: [], input: [] })).toMatchObject({
    code: 'bad_request',
    field: path === '/v1/responses' ? 'input' : 'messages',
  });
});

test('tools that Codex hands in with the conversation are read as those beside it', () => {
  const tools = [
    {
      type: 'namespace',
      name: 'functions',
      tools: [
        { type: 'custom', name: 'exec' },
        { type: 'function', name: 'wait', parameters: { type: 'object' } },
      ],
    },
  ];
  const { tools: read, items } = SURFACES['/v1/responses'].read({
    model: 'm',
    input: [
      { type: 'additional_tools', role: 'developer', tools },
      { role: 'user', content: 'Hi' },
    ],
  });
  expect(read).toEqual([
    { name: 'exec', namespace: 'functions', freeform: true, schema: {} },
    { name: 'wait', namespace: 'functions', schema: { type: 'object' } },
  ]);
  expect(items).toEqual([{ kind: 'user', text: 'Hi', attachments: 0 }]);
});
