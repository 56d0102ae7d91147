// Every client that is run, in the order of the table.
import { AGENT_CLIENTS } from './agents.ts';
import type { ClientUnderTest } from './client.ts';
import { LIBRARY_LINES } from './library-lines.ts';
import { MCP_CLIENTS } from './mcp-clients.ts';
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
  scriptClient('OpenAI Agents SDK', '@openai/agents', 'openai', ['agents.mjs', 'responses']),
  scriptClient('OpenAI Agents SDK, Chat Completions', '@openai/agents', 'openai', ['agents.mjs', 'chat']),
  scriptClient('LangChain and LangGraph, ChatOpenAI', '@langchain/openai', 'openai', ['langchain.mjs', 'openai']),
  scriptClient('LangChain and LangGraph, ChatOpenAI on Responses', '@langchain/openai', 'openai', [
    'langchain.mjs',
    'responses',
  ]),
  scriptClient('LangChain and LangGraph, ChatAnthropic', '@langchain/anthropic', 'anthropic', [
    'langchain.mjs',
    'anthropic',
  ]),
  scriptClient('Mastra', '@mastra/core', 'openai', ['mastra.mjs', 'chat']),
  scriptClient('Mastra, Responses', '@mastra/core', 'openai', ['mastra.mjs', 'responses']),
  scriptClient('LlamaIndex, OpenAI', '@llamaindex/openai', 'openai', ['llamaindex.mjs', 'openai']),
  scriptClient('LlamaIndex, OpenAI on Responses', '@llamaindex/openai', 'openai', ['llamaindex.mjs', 'responses']),
  scriptClient('LlamaIndex, Anthropic', '@llamaindex/anthropic', 'anthropic', ['llamaindex.mjs', 'anthropic']),
  scriptClient('Instructor, tools', '@instructor-ai/instructor', 'openai', ['instructor.mjs', 'TOOLS']),
  scriptClient('Instructor, JSON', '@instructor-ai/instructor', 'openai', ['instructor.mjs', 'JSON']),
  ...LIBRARY_LINES,
  ...MCP_CLIENTS,
];
