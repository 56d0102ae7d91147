// The configuration of common chat API clients. One table: the web app shows it, the documentation prints it, and
// `npm run test:clients` runs it for every client that npm installs. Pure.
import { chatClientStrings as strings } from './chat-client-strings.ts';

export interface ChatClientOptions {
  /** The public origin. */
  readonly origin: string;
  readonly model: string;
  /** The model's context window in tokens: clients that do not know the model need it to compact in time. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Undefined until one is created. */
  readonly token: string | undefined;
}

export interface ChatSnippet {
  readonly title: string;
  readonly language: 'sh' | 'ts' | 'py' | 'toml' | 'json' | 'yaml' | 'text';
  readonly text: string;
  /** The file for the text: in the home directory with `~/`, otherwise in a project. Absent for terminal commands. */
  readonly file?: string;
  /** A test request. */
  readonly isTry?: true;
}

interface ChatClient {
  readonly name: string;
  /** The npm package, if there is one. */
  readonly package?: string;
  /** Absent if the token is not read from the environment. */
  readonly noVariable?: true;
  readonly snippets: (options: ChatClientOptions & { readonly api: string }) => readonly ChatSnippet[];
}

export const CHAT_TOKEN = 'YOUR_TOKEN';
const VARIABLE = 'SERVICE_TOKEN';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const exportLines = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}="${value}"`)
    .join('\n');
const terminal = (text: string): ChatSnippet => ({ title: strings.terminal, language: 'sh', text });
const tryIt = (text: string): ChatSnippet => ({ title: strings.tryIt, language: 'sh', text, isTry: true });
const inFile = (file: string, language: ChatSnippet['language'], text: string): ChatSnippet => ({
  title: file,
  language,
  file,
  text,
});
const inProject = (file: string, language: ChatSnippet['language'], text: string): ChatSnippet => ({
  title: `${strings.project}: ${file}`,
  language,
  file,
  text,
});

/** One that is not set means a model that the person may not have, or that came out after the catalogue. */
const CLAUDE_CODE_MODELS = [
  'ANTHROPIC_MODEL',
  'ANTHROPIC_DEFAULT_OPUS_MODEL',
  'ANTHROPIC_DEFAULT_SONNET_MODEL',
  'ANTHROPIC_DEFAULT_HAIKU_MODEL',
  'CLAUDE_CODE_SUBAGENT_MODEL',
];

export const CHAT_CLIENTS = {
  'claude-code': {
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    // It knows the context windows of Anthropic's models. Its names for models of a size mean the newest ones, which may
    // not be known or allowed here.
    snippets: ({ origin, model, contextWindow }) => [
      terminal(
        exportLines({
          ANTHROPIC_BASE_URL: origin,
          ANTHROPIC_AUTH_TOKEN: `$${VARIABLE}`,
          ...Object.fromEntries(CLAUDE_CODE_MODELS.map((variable) => [variable, model])),
          ...(model.includes('claude') ? {} : { CLAUDE_CODE_AUTO_COMPACT_WINDOW: String(contextWindow) }),
        }),
      ),
      tryIt('claude -p "Say hello"'),
    ],
  },
  codex: {
    name: 'Codex CLI',
    package: '@openai/codex',
    snippets: ({ api, model, contextWindow }) => [
      inFile(
        '~/.codex/config.toml',
        'toml',
        [
          `model = "${model}"`,
          `model_context_window = ${contextWindow}`,
          'model_provider = "service"',
          '',
          '[model_providers.service]',
          'name = "Service"',
          `base_url = "${api}"`,
          `env_key = "${VARIABLE}"`,
          'wire_api = "responses"',
        ].join('\n'),
      ),
      tryIt('codex exec --skip-git-repo-check "Say hello"'),
    ],
  },
  opencode: {
    name: 'opencode',
    package: 'opencode-ai',
    snippets: ({ api, model, contextWindow, maxOutputTokens }) => [
      inFile(
        '~/.config/opencode/opencode.json',
        'json',
        json({
          $schema: 'https://opencode.ai/config.json',
          model: `service/${model}`,
          provider: {
            service: {
              npm: '@ai-sdk/openai-compatible',
              name: 'Service',
              options: { baseURL: api, apiKey: `{env:${VARIABLE}}` },
              models: { [model]: { limit: { context: contextWindow, output: maxOutputTokens } } },
            },
          },
        }),
      ),
      tryIt('opencode run "Say hello"'),
    ],
  },
  'qwen-code': {
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    snippets: ({ api, model }) => [
      terminal(exportLines({ OPENAI_BASE_URL: api, OPENAI_API_KEY: `$${VARIABLE}`, OPENAI_MODEL: model })),
      tryIt('qwen -p "Say hello"'),
    ],
  },
  cursor: {
    name: 'Cursor',
    noVariable: true,
    snippets: ({ api, model, token = CHAT_TOKEN }) => [
      {
        title: `${strings.settings}: Models, API Keys`,
        language: 'text',
        text: [
          `OpenAI API Key            ${token}`,
          `Override OpenAI Base URL  ${api}`,
          `Add custom model          ${model}`,
        ].join('\n'),
      },
    ],
  },
  continue: {
    name: 'Continue',
    noVariable: true,
    snippets: ({ api, model, token = CHAT_TOKEN }) => [
      inFile(
        '~/.continue/config.yaml',
        'yaml',
        [
          'name: Service',
          'version: 1.0.0',
          'schema: v1',
          'models:',
          `  - name: ${model}`,
          '    provider: openai',
          `    model: ${model}`,
          `    apiBase: ${api}`,
          `    apiKey: \${{ secrets.${VARIABLE} }}`,
          '    roles: [chat, edit, apply]',
        ].join('\n'),
      ),
      inFile('~/.continue/.env', 'sh', `${VARIABLE}=${token}`),
    ],
  },
  'openai-typescript': {
    name: 'OpenAI SDK (TypeScript)',
    package: 'openai',
    snippets: ({ api, model }) => [
      inProject(
        'hello.ts',
        'ts',
        [
          "import OpenAI from 'openai';",
          '',
          `const client = new OpenAI({ baseURL: '${api}', apiKey: process.env.${VARIABLE} });`,
          `const response = await client.responses.create({ model: '${model}', input: 'Say hello' });`,
          'console.log(response.output_text);',
        ].join('\n'),
      ),
      tryIt('node hello.ts'),
    ],
  },
  'openai-python': {
    name: 'OpenAI SDK (Python)',
    snippets: ({ api, model }) => [
      inProject(
        'hello.py',
        'py',
        [
          'import os',
          'from openai import OpenAI',
          '',
          `client = OpenAI(base_url="${api}", api_key=os.environ["${VARIABLE}"])`,
          `response = client.responses.create(model="${model}", input="Say hello")`,
          'print(response.output_text)',
        ].join('\n'),
      ),
      tryIt('python hello.py'),
    ],
  },
  'anthropic-typescript': {
    name: 'Anthropic SDK (TypeScript)',
    package: '@anthropic-ai/sdk',
    snippets: ({ origin, model }) => [
      inProject(
        'hello.ts',
        'ts',
        [
          "import Anthropic from '@anthropic-ai/sdk';",
          '',
          `const client = new Anthropic({ baseURL: '${origin}', apiKey: process.env.${VARIABLE} });`,
          `const message = await client.messages.create({ model: '${model}', max_tokens: 1024, messages: [{ role: 'user', content: 'Say hello' }] });`,
          'console.log(message.content);',
        ].join('\n'),
      ),
      tryIt('node hello.ts'),
    ],
  },
  'ai-sdk': {
    name: 'AI SDK',
    package: 'ai',
    snippets: ({ api, model }) => [
      inProject(
        'hello.ts',
        'ts',
        [
          "import { createOpenAI } from '@ai-sdk/openai';",
          "import { generateText } from 'ai';",
          '',
          `const openai = createOpenAI({ baseURL: '${api}', apiKey: process.env.${VARIABLE} });`,
          `const { text } = await generateText({ model: openai('${model}'), prompt: 'Say hello' });`,
          'console.log(text);',
        ].join('\n'),
      ),
      tryIt('node hello.ts'),
    ],
  },
  langchain: {
    name: 'LangChain',
    package: '@langchain/openai',
    snippets: ({ api, model }) => [
      inProject(
        'hello.ts',
        'ts',
        [
          "import { ChatOpenAI } from '@langchain/openai';",
          '',
          `const model = new ChatOpenAI({ model: '${model}', apiKey: process.env.${VARIABLE}, configuration: { baseURL: '${api}' } });`,
          "const answer = await model.invoke('Say hello');",
          'console.log(answer.text);',
        ].join('\n'),
      ),
      tryIt('node hello.ts'),
    ],
  },
  curl: {
    name: 'curl',
    snippets: ({ api, model }) => [
      terminal(
        [
          `curl -N ${api}/chat/completions \\`,
          `  -H "Authorization: Bearer $${VARIABLE}" \\`,
          '  -H "Content-Type: application/json" \\',
          `  -d '{"model": "${model}", "stream": true, "messages": [{"role": "user", "content": "Say hello"}]}'`,
        ].join('\n'),
      ),
    ],
  },
} as const satisfies Record<keyof typeof strings.notes, ChatClient>;

export type ChatClientId = keyof typeof CHAT_CLIENTS;
export const CHAT_CLIENT_IDS = Object.keys(CHAT_CLIENTS) as ChatClientId[];

export const chatAddress = (origin: string): string => `${origin}/v1`;

/** In the order to paste them; the token comes first if it is an environment variable. */
export function chatSnippetsFor(client: ChatClientId, options: ChatClientOptions): readonly ChatSnippet[] {
  const { noVariable, snippets }: ChatClient = CHAT_CLIENTS[client];
  const rest = snippets({ ...options, api: chatAddress(options.origin) });
  return noVariable
    ? rest
    : [{ title: strings.token, language: 'sh', text: `export ${VARIABLE}=${options.token ?? CHAT_TOKEN}` }, ...rest];
}
