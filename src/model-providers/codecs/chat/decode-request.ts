import { type Target, TRANSLATED_FOR } from '../fields/cells.ts';
import { CHAT_FIELDS } from '../fields/chat-fields.ts';
import { checkFields } from '../fields/check-fields.ts';
import { EFFORTS } from '../../../contract/models.ts';
import type { NeutralRequest, OutputFormat } from '../neutral.ts';
import { readCacheKey } from '../read-cache-mark.ts';
import {
  createFaults,
  getBody,
  isAbsent,
  readChoice,
  readFlag,
  readName,
  readNumber,
  readObject,
  readOptionalText,
  TOKEN_COUNT,
  type Faults,
  type Loose,
} from '../read-fields.ts';
import { readSchemaFormat } from '../read-schema-format.ts';
import { readStop } from '../read-stop.ts';
import { decodeChatMessages } from './decode-messages.ts';
import { decodeChatChoice, decodeChatTools } from './decode-tools.ts';

/** A Chat Completions body for a model with another protocol. */
export function decodeChatRequest(input: unknown, target: Target = TRANSLATED_FOR.chat): NeutralRequest {
  const body = getBody(input);
  const faults = createFaults();
  checkFields(body, CHAT_FIELDS.request, target, faults);
  const named = decodeChatTools(body, faults);
  const request: NeutralRequest = {
    model: readName(body['model'], 'model', faults),
    ...decodeChatMessages(body['messages'], named.names, faults),
    ...decodeChatChoice(body['tool_choice'], named, faults),
    parallelToolCalls: readFlag(body['parallel_tool_calls'], 'parallel_tool_calls', faults),
    maxOutputTokens:
      readNumber(body['max_completion_tokens'], 'max_completion_tokens', faults, TOKEN_COUNT) ??
      readNumber(body['max_tokens'], 'max_tokens', faults, TOKEN_COUNT),
    temperature: readNumber(body['temperature'], 'temperature', faults, { min: 0, max: 2 }),
    topP: readNumber(body['top_p'], 'top_p', faults, { min: 0, max: 1 }),
    stop: readStop(body['stop'], 'stop', faults),
    seed: readNumber(body['seed'], 'seed', faults, {
      min: Number.MIN_SAFE_INTEGER,
      max: Number.MAX_SAFE_INTEGER,
      whole: true,
    }),
    format: decodeFormat(body['response_format'], faults),
    reasoning: decodeReasoning(body, faults),
    user:
      readOptionalText(body['safety_identifier'], 'safety_identifier', faults) ??
      readOptionalText(body['user'], 'user', faults),
    cache: readCacheKey(body, faults),
    stream: readFlag(body['stream'], 'stream', faults) ?? false,
  };
  faults.throwAny();
  return request;
}

function decodeFormat(value: unknown, faults: Faults): OutputFormat | undefined {
  if (isAbsent(value)) return undefined;
  const format = readObject(value, 'response_format', faults);
  const type = readChoice(format['type'], 'response_format.type', faults, ['text', 'json_object', 'json_schema']);
  if (type === 'json_object') return { type: 'json' };
  return type === 'json_schema'
    ? readSchemaFormat(format['json_schema'], 'response_format.json_schema', faults)
    : undefined;
}

function decodeReasoning(body: Loose, faults: Faults): NeutralRequest['reasoning'] {
  const effort = readChoice(body['reasoning_effort'], 'reasoning_effort', faults, EFFORTS);
  return effort === undefined ? undefined : { effort };
}
