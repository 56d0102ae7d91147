// Every client that is run, in the order of the table.
import { AGENT_CLIENTS } from './agents.ts';
import type { ClientUnderTest } from './client.ts';
import { scriptClient } from './run-script.ts';

export const CLIENTS: readonly ClientUnderTest[] = [
  scriptClient('OpenAI SDK, Chat Completions', 'openai', 'openai', ['openai-chat.mjs']),
  scriptClient('OpenAI SDK, Responses', 'openai', 'openai', ['openai-responses.mjs']),
  scriptClient('Anthropic SDK', '@anthropic-ai/sdk', 'anthropic', ['anthropic.mjs']),
  scriptClient('AI SDK, OpenAI provider', '@ai-sdk/openai', 'openai', ['ai.mjs', 'responses']),
  scriptClient('AI SDK, OpenAI provider, chat', '@ai-sdk/openai', 'openai', ['ai.mjs', 'chat']),
  scriptClient('AI SDK, Anthropic provider', '@ai-sdk/anthropic', 'anthropic', ['ai.mjs', 'anthropic']),
  scriptClient('AI SDK, OpenAI-compatible provider', '@ai-sdk/openai-compatible', 'openai', ['ai.mjs', 'compatible']),
  ...AGENT_CLIENTS,
];
