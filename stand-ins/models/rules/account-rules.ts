// What self-hosted OpenAI-compatible servers (Ollama, vLLM, llama.cpp) are documented to accept. Such servers mostly
// ignore unknown fields; here these are refused, so that a limit or setting cannot get lost unnoticed.
import { invalidValue, missingParameter, unknownParameter } from './openai-refusals.ts';
import { CHAT_RULES, type ChatRequest } from './chat-rules.ts';
import { entriesOf, firstOf, isGiven } from './loose.ts';
import type { Rules } from './rule.ts';

const OLLAMA = 'https://docs.ollama.com/api/openai-compatibility';
const VLLM = 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server';

const FIELDS = [
  'model',
  'messages',
  'frequency_penalty',
  'presence_penalty',
  'response_format',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning_effort',
  'reasoning',
  'user',
  'n',
  'logprobs',
  'top_logprobs',
  'logit_bias',
];
const ROLES = ['system', 'user', 'assistant', 'tool'];
const PARTS = ['text', 'image_url', 'input_audio', 'file', 'refusal'];

export const ACCOUNT_RULES = {
  'top-level fields are known': {
    docs: OLLAMA,
    refuse: ({ body }) =>
      firstOf(Object.keys(body), (name) => (FIELDS.includes(name) ? undefined : unknownParameter(name))),
  },
  'the required fields are there': {
    docs: OLLAMA,
    refuse: ({ body }) =>
      firstOf(['model', 'messages'], (name) => (isGiven(body[name]) ? undefined : missingParameter(name))),
  },
  'roles are known': {
    docs: OLLAMA,
    refuse: ({ body }) =>
      firstOf(entriesOf(body['messages']), ({ value, at }) =>
        ROLES.includes(String(value['role'])) ? undefined : invalidValue(value['role'], ROLES, `messages[${at}].role`),
      ),
  },
  'parts are of a known type': {
    docs: VLLM,
    refuse: ({ body }) =>
      firstOf(entriesOf(body['messages']), ({ value, at }) =>
        firstOf(entriesOf(value['content']), (part) =>
          PARTS.includes(String(part.value['type']))
            ? undefined
            : invalidValue(part.value['type'], PARTS, `messages[${at}].content[${part.at}].type`),
        ),
      ),
  },
  'tools are functions': {
    docs: OLLAMA,
    refuse: ({ body }) =>
      firstOf(entriesOf(body['tools']), ({ value, at }) =>
        value['type'] === 'function' ? undefined : invalidValue(value['type'], ['function'], `tools[${at}].type`),
      ),
  },
  'results answer the calls before them': CHAT_RULES['results answer the calls before them'],
} as const satisfies Rules<ChatRequest>;
