import { inLanguage } from '../../../language/language.ts';

export const chatClientStrings = inLanguage('chatClientStrings', {
  title: 'Use it with',
  text: (workspace: string): string =>
    `Editors, agents and libraries that work with OpenAI or Anthropic can use the models of ${workspace}. Choose one and paste its configuration.`,
  client: 'Use it with',
  model: 'Model',
  noModel: 'No models are available',
  noModelText: 'Owners and admins choose the allowed models in the organization settings.',
  address: 'Chat API address',
  addressText: 'For OpenAI clients. Leave out /v1 for Anthropic clients.',
  makeToken: 'Create a token',
  tokenMissing:
    'Replace YOUR_TOKEN with your token, which needs the scope chat, or create one to fill it in. With the scopes connect:read and connect:write it also works for apps (Set up a client).',
  tokenMade:
    'Your token is filled in below until you leave this page. It acts on your behalf, so keep it secret. With the scopes connect:read and connect:write it also works for apps (Set up a client).',
  reach: (slug: string): string =>
    `A token limited to this workspace needs nothing else. With any other token, send the header x-service-workspace: ${slug}.`,
  token: 'Token, once per terminal',
  terminal: 'In a terminal',
  project: 'In your project',
  settings: 'In the settings',
  tryIt: 'Try it',
  notes: {
    'claude-code':
      'Start claude in the same terminal. Its aliases, subagents and background requests use the same model, so no other model has to be allowed.',
    codex: 'Start codex in the same terminal. It reads the token from the environment.',
    opencode:
      'Start opencode in the same terminal. To limit the settings to one project, put them in its opencode.json.',
    'qwen-code': 'Start qwen in the same terminal.',
    cursor: 'Cursor calls the address from its own servers, so it must be reachable from the internet.',
    continue: 'Continue reads the token from ~/.continue/.env.',
    'openai-typescript': 'Supports chat.completions, responses, embeddings and models.',
    'openai-python': 'Supports chat.completions, responses, embeddings and models.',
    'anthropic-typescript': 'The address has no /v1, because the SDK adds it.',
    'ai-sdk': 'Uses the Responses API. For Chat Completions, use openai.chat(…).',
    langchain: 'For ChatAnthropic from @langchain/anthropic, set anthropicApiUrl without /v1.',
    curl: 'The answer arrives as server-sent events. Leave out "stream" to get it in one piece.',
  },
});
