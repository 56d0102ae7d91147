// What Codex 0.166 sends to /v1/responses, in the three shapes that it knows: for models that it has never heard of,
// for models with a search for tools, and for its newest models, whose tools stand in the input. Shortened.
import { sealText } from '../../../stand-ins/models/rules/sealed-content.ts';

type Loose = Readonly<Record<string, unknown>>;

const object = (properties: Loose, ...required: string[]): Loose => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const string = { type: 'string' };
const fn = (name: string, parameters: Loose): Loose => ({
  type: 'function',
  name,
  description: `The tool ${name}.`,
  strict: false,
  parameters,
});

const EXEC = fn('exec_command', object({ cmd: string, workdir: string }, 'cmd'));
const PATCH = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files. This is a FREEFORM tool.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
};
const AGENTS = {
  type: 'namespace',
  name: 'multi_agent_v1',
  description: 'Tools for spawning and managing sub-agents.',
  tools: [
    fn('spawn_agent', object({ message: string })),
    fn('wait_agent', object({ targets: { type: 'array', items: string } }, 'targets')),
  ],
};
const SEARCH = {
  type: 'tool_search',
  execution: 'client',
  description: '# Tool discovery',
  parameters: object({ query: string, limit: { type: 'number' } }, 'query'),
};
const WEB = { type: 'web_search', external_web_access: false, search_content_types: ['text', 'image'] };

/** The namespace in which Codex puts the tools of an MCP server. */
const mcpNamespace = (server: string, tool: string): Loose => ({
  type: 'namespace',
  name: `mcp__${server}`,
  description: `Tools of ${server}.`,
  tools: [fn(tool, object({ q: string }))],
});

const TURN = {
  turn_id: 't',
  thread_id: 's',
  session_id: 's',
  'x-codex-installation-id': 'i',
  'x-codex-turn-metadata': '{"request_kind":"turn"}',
};
const message = (role: string, text: string): Loose => ({
  type: 'message',
  id: `msg_${role}`,
  role,
  content: [{ type: 'input_text', text }],
});
const CONTEXT = [
  message('developer', 'You are a coding agent.'),
  message('user', '<environment_context><cwd>/project</cwd></environment_context>'),
  message('user', 'list the files'),
];
const COMMON = {
  stream: true,
  store: false,
  tool_choice: 'auto',
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 's',
  client_metadata: TURN,
};

export const CODEX_REQUESTS = {
  unknown: {
    ...COMMON,
    input: CONTEXT,
    parallel_tool_calls: true,
    reasoning: { summary: 'auto' },
    tools: [
      EXEC,
      fn('view_image', object({ path: string }, 'path')),
      AGENTS,
      mcpNamespace('service', 'list_connections'),
      { type: 'web_search', external_web_access: false },
    ],
  },
  searching: {
    ...COMMON,
    input: CONTEXT,
    parallel_tool_calls: true,
    reasoning: { effort: 'medium' },
    text: { verbosity: 'low' },
    tools: [EXEC, PATCH, SEARCH, WEB],
  },
  lite: {
    ...COMMON,
    input: [
      {
        type: 'additional_tools',
        id: 'at_1',
        role: 'developer',
        tools: [
          {
            type: 'namespace',
            name: 'functions',
            description: '',
            tools: [
              {
                type: 'custom',
                name: 'exec',
                description: 'Runs JavaScript.',
                format: { type: 'grammar', syntax: 'lark', definition: 'start: SOURCE' },
              },
              fn('wait', object({ cell_id: string })),
            ],
          },
          { ...AGENTS, name: 'collaboration' },
        ],
      },
      ...CONTEXT,
    ],
    parallel_tool_calls: false,
    reasoning: { effort: 'low', context: 'all_turns' },
    text: { verbosity: 'low' },
  },
} as const satisfies Record<string, Loose>;

export const SEALED_BY_OPENAI = sealText('reasoning of OpenAI');

/** How the conversation goes on after each kind of call. */
export const CODEX_HISTORY: readonly Loose[] = [
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: SEALED_BY_OPENAI },
  {
    type: 'message',
    id: 'msg_a',
    role: 'assistant',
    phase: 'commentary',
    content: [{ type: 'output_text', text: 'Looking.' }],
  },
  {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    name: 'exec_command',
    arguments: '{"cmd":"ls"}',
    internal_chat_message_metadata_passthrough: { turn_id: 't', create_time: 1.5 },
  },
  { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: 'Output:\na.txt\n' },
  {
    type: 'function_call',
    id: 'fc_2',
    call_id: 'call_2',
    namespace: 'multi_agent_v1',
    name: 'spawn_agent',
    arguments: '{"message":"x"}',
  },
  { type: 'function_call_output', id: 'fco_2', call_id: 'call_2', output: [{ type: 'input_text', text: 'agent 1' }] },
  {
    type: 'custom_tool_call',
    id: 'ctc_1',
    status: 'completed',
    call_id: 'call_3',
    name: 'apply_patch',
    input: '*** Begin Patch\n*** End Patch\n',
  },
  { type: 'custom_tool_call_output', id: 'ctco_1', call_id: 'call_3', output: 'Success.' },
  {
    type: 'tool_search_call',
    id: 'tsc_1',
    call_id: 'call_4',
    status: 'completed',
    execution: 'client',
    arguments: { query: 'agents', limit: 8 },
  },
  {
    type: 'tool_search_output',
    id: 'tso_1',
    call_id: 'call_4',
    status: 'completed',
    execution: 'client',
    tools: [{ ...AGENTS, tools: AGENTS.tools.map((tool) => ({ ...tool, defer_loading: true })) }],
  },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'weather' } },
  {
    type: 'agent_message',
    id: 'am_1',
    author: '/root/a',
    recipient: '/root',
    content: [{ type: 'input_text', text: 'done' }],
  },
  message('user', 'go on'),
];
