// Tools that the client runs, for a model whose provider knows functions only: what is sent, and what comes back.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createStreamEncoder, encodeResponse, type Answer } from './encode-answer.ts';
import { encodeMessagesRequest } from './messages/encode-request.ts';
import { mappedTools, shortenNames } from './name-tools.ts';
import type { NeutralEvent, NeutralRequest, Protocol } from './neutral.ts';
import { PROTOCOLS } from './protocols.ts';
import type { Loose } from './read-fields.ts';

const GRAMMAR = { type: 'grammar', syntax: 'lark', definition: 'start: "*** Begin Patch"' };
const TOOLS = [
  {
    type: 'function',
    name: 'exec_command',
    parameters: { type: 'object', properties: { cmd: { type: 'string' } } },
    strict: false,
  },
  { type: 'custom', name: 'apply_patch', description: 'Edits.', format: GRAMMAR },
  {
    type: 'namespace',
    name: 'agents',
    description: 'Other agents.',
    tools: [
      {
        type: 'function',
        name: 'spawn',
        description: 'Starts one.',
        parameters: { type: 'object' },
        defer_loading: true,
      },
      { type: 'custom', name: 'say' },
    ],
  },
  {
    type: 'tool_search',
    execution: 'client',
    description: 'Finds tools.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  },
  { type: 'local_shell' },
  { type: 'shell', environment: { type: 'local' } },
];
const decode = (more: Loose): NeutralRequest => PROTOCOLS.responses.decodeRequest({ model: 'm', input: 'hi', ...more });
const namesOf = ({ tools }: NeutralRequest): string[] => tools.map(({ name }) => name);

function callEvents(name: string, json: string): NeutralEvent[] {
  return [
    { type: 'start', id: 'x', model: 'y' },
    { type: 'tool-start', index: 0, id: 'call_1', name },
    ...[...json].map((text) => ({ type: 'tool-arguments', index: 0, text }) as const),
    { type: 'tool-end', index: 0 },
    { type: 'finish', reason: 'tool-calls' },
  ];
}

function answer(
  surface: Protocol,
  request: NeutralRequest,
  name: string,
  json: string,
): { frames: Loose[]; whole: Loose } {
  const how: Answer = {
    key: 'k',
    model: 'm',
    createdSeconds: 1,
    includeUsage: false,
    request: {},
    tools: mappedTools(request.tools),
  };
  const encoder = createStreamEncoder(surface, how);
  const stream = callEvents(name, json)
    .map((event) => encoder.encode(event))
    .join('');
  const frames = stream.split('\n\n').flatMap((frame) => {
    const data = /data: (\{.*)/.exec(frame)?.[1];
    return data === undefined ? [] : [JSON.parse(data) as Loose];
  });
  const whole = JSON.parse(
    encodeResponse(
      surface,
      {
        id: 'x',
        model: 'y',
        finish: 'tool-calls',
        parts: [{ type: 'tool-call', id: 'call_1', name, arguments: json }],
      },
      how,
    ),
  ) as Loose;
  return { frames, whole };
}

describe('tools of a Responses client', () => {
  test('become functions with unique names', () => {
    const request = decode({ tools: TOOLS });
    expect(namesOf(request)).toEqual([
      'exec_command',
      'apply_patch',
      'agents__spawn',
      'agents__say',
      'tool_search',
      'local_shell',
      'shell',
    ]);
    expect(request.tools[1]).toMatchObject({
      description: expect.stringMatching(/^Edits\.[^]*lark grammar/) as string,
      schema: { required: ['input'] },
    });
    expect(request.tools[2]?.description).toBe(
      'Starts one.\n\nAbout agents, to which this tool belongs: Other agents.',
    );
    expect(
      encodeMessagesRequest(request, { model: 'm', defaultMaxTokens: 9, thinking: 'none', sampling: true })['tools'],
    ).toMatchObject([
      { name: 'exec_command' },
      { name: 'apply_patch', input_schema: { type: 'object', required: ['input'] } },
      {},
      {},
      {},
      {},
      {},
    ]);
  });

  test('may be in input items, and are offered once', () => {
    const input = [
      { type: 'additional_tools', role: 'developer', tools: TOOLS.slice(1, 3) },
      { role: 'user', content: 'go' },
      { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { query: 'agents' } },
      { type: 'tool_search_output', call_id: 'c1', execution: 'client', status: 'completed', tools: TOOLS.slice(2, 3) },
    ];
    const request = decode({ input });
    expect(namesOf(request)).toEqual(['apply_patch', 'agents__spawn', 'agents__say']);
    expect(request.messages.slice(1)).toMatchObject([
      { role: 'assistant', parts: [{ name: 'tool_search', arguments: '{"query":"agents"}' }] },
      {
        role: 'tool',
        results: [{ id: 'c1', parts: [{ text: 'These tools can be called now: agents__spawn, agents__say' }] }],
      },
    ]);
  });

  test('keep their names and kinds in the history', () => {
    const input = [
      { role: 'user', content: 'go' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      { type: 'function_call', call_id: 'c1', namespace: 'agents', name: 'spawn', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** "x"\n' },
      {
        type: 'local_shell_call',
        call_id: 'c3',
        status: 'completed',
        action: { type: 'exec', command: ['ls'], env: {} },
      },
      {
        type: 'shell_call',
        call_id: 'c4',
        action: { commands: ['ls', 'pwd'], timeout_ms: null, max_output_length: null },
      },
      { type: 'apply_patch_call', call_id: 'c5', status: 'completed', operation: { type: 'delete_file', path: 'a' } },
      { type: 'function_call_output', call_id: 'c1', output: 'started' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'patched' }] },
      { type: 'local_shell_call_output', id: 'c3', output: 'a b' },
      {
        type: 'shell_call_output',
        call_id: 'c4',
        output: [
          { stdout: 'a\n', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
          { stdout: '', stderr: 'slow', outcome: { type: 'timeout' } },
        ],
      },
      { type: 'apply_patch_call_output', call_id: 'c5', status: 'failed', output: 'no such file' },
      { type: 'function_call_output', namespace: 'slack', name: 'notifications', output: 'Alice mentioned you.' },
      {
        type: 'agent_message',
        author: '/root/a',
        recipient: '/root',
        content: [
          { type: 'input_text', text: 'Payload:\n' },
          { type: 'encrypted_content', encrypted_content: 'done' },
          { type: 'encrypted_content', encrypted_content: 'gAAAAABo-x_Y=' },
        ],
      },
    ];
    expect(decode({ input, tools: TOOLS }).messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        parts: [
          { name: 'agents__spawn', arguments: '{"a":1}' },
          { name: 'apply_patch', arguments: JSON.stringify({ input: '*** "x"\n' }) },
          { name: 'local_shell', arguments: '{"command":["ls"],"env":{}}' },
          { name: 'shell', arguments: '{"commands":["ls","pwd"]}' },
          { arguments: '{"type":"delete_file","path":"a"}' },
        ],
      },
      {
        role: 'tool',
        results: [
          { id: 'c1', parts: [{ text: 'started' }] },
          { id: 'c2', parts: [{ text: 'patched' }] },
          { id: 'c3', parts: [{ text: 'a b' }] },
          { id: 'c4', parts: [{ text: 'a\n\n(exit code 0)\n\nslow\n(timed out)' }] },
          { id: 'c5', isError: true },
        ],
      },
      { role: 'user', parts: [{ text: 'From the tool slack.notifications:' }, { text: 'Alice mentioned you.' }] },
      { role: 'user', parts: [{ text: 'Payload:\ndone' }] },
    ]);
  });

  test.each([
    [{ type: 'function', name: 'exec_command' }, { type: 'named', name: 'exec_command' }, 7],
    [{ type: 'function', name: 'spawn', namespace: 'agents' }, { type: 'named', name: 'agents__spawn' }, 7],
    [{ type: 'custom', name: 'apply_patch' }, { type: 'named', name: 'apply_patch' }, 7],
    [{ type: 'shell' }, { type: 'named', name: 'shell' }, 7],
    [
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [
          { type: 'custom', name: 'apply_patch' },
          { type: 'namespace', name: 'agents' },
          { type: 'local_shell' },
        ],
      },
      { type: 'required' },
      4,
    ],
  ])('can be chosen: %j', (choice, toolChoice, count) => {
    expect(decode({ tools: TOOLS, tool_choice: choice })).toMatchObject({ toolChoice, tools: { length: count } });
  });

  test.each([
    ['exec_command', '{"cmd":"ls"}', { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' }],
    ['agents__spawn', '{"a":1}', { type: 'function_call', namespace: 'agents', name: 'spawn', arguments: '{"a":1}' }],
    [
      'apply_patch',
      '{"input":"*** Begin\\n"}',
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin\n' },
    ],
    ['agents__say', '{"input":"hi"}', { type: 'custom_tool_call', namespace: 'agents', name: 'say', input: 'hi' }],
    ['tool_search', '{"query":"x"}', { type: 'tool_search_call', execution: 'client', arguments: { query: 'x' } }],
    [
      'local_shell',
      '{"command":["ls"]}',
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], env: {} } },
    ],
    [
      'shell',
      '{"commands":["ls"]}',
      {
        type: 'shell_call',
        action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
        environment: { type: 'local' },
      },
    ],
    ['nobody_offered', '{}', { type: 'function_call', name: 'nobody_offered', arguments: '{}' }],
  ])('a call of %s comes back as the client knows it', (name, json, item) => {
    const { frames, whole } = answer('responses', decode({ tools: TOOLS }), name, json);
    const expected = { id: expect.any(String) as string, status: 'completed', call_id: 'call_1', ...item };
    expect((whole['output'] as Loose[])[0]).toEqual(expected);
    expect(frames.find(({ type }) => type === 'response.output_item.done')?.['item']).toEqual(expected);
    expect(frames.at(-1)).toMatchObject({ response: { output: [expected] } });
    expect(frames.find(({ type }) => type === 'response.output_item.added')?.['item']).toMatchObject({
      type: item.type,
      status: 'in_progress',
    });
  });

  test('text for a custom tool is streamed as text', () => {
    const { frames } = answer('responses', decode({ tools: TOOLS }), 'apply_patch', '{"input":"a\\n\\u00e9"}');
    expect(
      frames
        .filter(({ type }) => type === 'response.custom_tool_call_input.delta')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe('a\né');
    expect(frames.find(({ type }) => type === 'response.custom_tool_call_input.done')).toMatchObject({
      input: 'a\né',
      output_index: 0,
      item_id: 'ctc_k_0',
    });
    expect(frames.some(({ type }) => String(type).startsWith('response.function_call'))).toBe(false);
  });
});

describe('custom tools of a Chat Completions client', () => {
  const tools = [
    {
      type: 'custom',
      custom: {
        name: 'sql',
        description: 'Runs SQL.',
        format: { type: 'grammar', grammar: { syntax: 'regex', definition: 'SELECT .*' } },
      },
    },
    { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
  ];
  const messages = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '1' },
  ];

  test('become functions, in the history too, and can be chosen', () => {
    const request = PROTOCOLS.chat.decodeRequest({
      model: 'm',
      messages,
      tools,
      tool_choice: { type: 'custom', custom: { name: 'sql' } },
    });
    expect(request).toMatchObject({
      tools: [
        { name: 'sql', description: expect.stringContaining('regular expression:\nSELECT .*') as string },
        { name: 'f' },
      ],
      toolChoice: { type: 'named', name: 'sql' },
    });
    expect(request.messages[1]).toMatchObject({ parts: [{ name: 'sql', arguments: '{"input":"SELECT 1"}' }] });
    const allowed = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'custom', custom: { name: 'sql' } }] },
    };
    expect(namesOf(PROTOCOLS.chat.decodeRequest({ model: 'm', messages, tools, tool_choice: allowed }))).toEqual([
      'sql',
    ]);
  });

  test('are called with text', () => {
    const { frames, whole } = answer(
      'chat',
      PROTOCOLS.chat.decodeRequest({ model: 'm', messages, tools }),
      'sql',
      '{"input":"SELECT 2"}',
    );
    const call = { id: 'call_1', type: 'custom', custom: { name: 'sql', input: 'SELECT 2' } };
    expect(whole).toMatchObject({ choices: [{ message: { tool_calls: [call] } }] });
    const deltas = frames.flatMap(({ choices }) =>
      (choices as { delta: { tool_calls?: { custom: { input: string } }[] } }[]).flatMap(
        ({ delta }) => delta.tool_calls ?? [],
      ),
    );
    expect(deltas[0]).toEqual({ index: 0, ...call, custom: { name: 'sql', input: '' } });
    expect(deltas.map(({ custom }) => custom.input).join('')).toBe('SELECT 2');
  });
});

describe('tools of a Messages client', () => {
  const long = `mcp__${'server'.repeat(12)}__tool`;
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: long, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'x' }] },
  ];
  const body = {
    model: 'm',
    max_tokens: 9,
    messages,
    tools: [
      { name: long, input_schema: { type: 'object' } },
      { name: 'f', input_schema: { type: 'object' } },
    ],
    tool_choice: { type: 'tool', name: long },
  };

  test('get a shorter name if OpenAI does not allow the length, and are called by their own', () => {
    const request = shortenNames(PROTOCOLS.messages.decodeRequest(body));
    const [name = '', other] = namesOf(request);
    expect([name.length, other]).toEqual([64, 'f']);
    expect(request).toMatchObject({ toolChoice: { name }, messages: [{}, { parts: [{ name }] }, {}] });
    const { frames, whole } = answer('messages', request, name, '{"a":1}');
    expect(whole['content']).toMatchObject([{ type: 'tool_use', name: long, input: { a: 1 } }]);
    expect(frames.find(({ type }) => type === 'content_block_start')).toMatchObject({ content_block: { name: long } });
    const { tools: _tools, tool_choice: _choice, ...without } = body;
    expect(shortenNames(PROTOCOLS.messages.decodeRequest(without)).messages[1]).toMatchObject({ parts: [{ name }] });
  });

  test('keep names that every provider takes', () => {
    const request = PROTOCOLS.messages.decodeRequest({
      ...body,
      messages: messages.slice(0, 1),
      tools: body.tools.slice(1),
      tool_choice: { type: 'auto' },
    });
    expect(shortenNames(request)).toBe(request);
  });
});

test('a call always maps back to one of the tools', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', 'a__b', 'shell'), fc.string({ minLength: 1, maxLength: 80 }));
  const leaf = fc.oneof(
    name.map((given) => ({ type: 'function', name: given })),
    name.map((given) => ({ type: 'custom', name: given })),
  );
  const tool = fc.oneof(
    leaf,
    fc.record({ type: fc.constant('namespace'), name, tools: fc.array(leaf, { maxLength: 3 }) }),
  );
  fc.assert(
    fc.property(fc.array(tool, { minLength: 1, maxLength: 6 }), fc.nat(), (tools, pick) => {
      const request = decode({ tools });
      const called = request.tools[pick % Math.max(1, request.tools.length)];
      if (called === undefined) return;
      const { whole } = answer('responses', request, called.name, '{"input":"x"}');
      const item = (whole['output'] as Loose[])[0] ?? {};
      const offered = tools.flatMap((given): Loose[] =>
        'tools' in given ? given.tools.map((inner) => ({ ...inner, namespace: given.name })) : [given],
      );
      expect(
        offered.some(
          (given) =>
            `${String(given['type'])}${given['type'] === 'custom' ? '_tool' : ''}_call` === item['type'] &&
            given['name'] === item['name'] &&
            given['namespace'] === item['namespace'],
        ),
      ).toBe(true);
      const again = decode({ tools, input: [{ role: 'user', content: 'x' }, item] });
      expect(again.messages.at(-1)).toMatchObject({ parts: [{ name: called.name, arguments: '{"input":"x"}' }] });
    }),
  );
});
