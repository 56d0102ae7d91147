import { type Target, TRANSLATED_FOR } from '../fields/cells.ts';
import { checkFields } from '../fields/check-fields.ts';
import { RESPONSES_FIELDS } from '../fields/responses-fields.ts';
import { EFFORTS } from '../../../contract/models.ts';
import type { NeutralRequest, OutputFormat, Reasoning } from '../neutral.ts';
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
} from '../read-fields.ts';
import { readSchemaFormat } from '../read-schema-format.ts';
import { decodeResponsesInput } from './decode-input.ts';
import { decodeResponsesChoice, decodeResponsesTools } from './decode-tools.ts';

/** A Responses body for a model with another protocol. */
export function decodeResponsesRequest(input: unknown, target: Target = TRANSLATED_FOR.responses): NeutralRequest {
  const body = getBody(input);
  const faults = createFaults();
  checkFields(body, RESPONSES_FIELDS.request, target, faults);
  const named = decodeResponsesTools(body, faults);
  const conversation = decodeResponsesInput(body, named.names, faults);
  const request: NeutralRequest = {
    model: readName(body['model'], 'model', faults),
    ...conversation,
    ...decodeResponsesChoice(conversation.compacts ? 'none' : body['tool_choice'], named, faults),
    parallelToolCalls: readFlag(body['parallel_tool_calls'], 'parallel_tool_calls', faults),
    maxOutputTokens: readNumber(body['max_output_tokens'], 'max_output_tokens', faults, TOKEN_COUNT),
    temperature: readNumber(body['temperature'], 'temperature', faults, { min: 0, max: 2 }),
    topP: readNumber(body['top_p'], 'top_p', faults, { min: 0, max: 1 }),
    stop: [],
    format: decodeFormat(body['text'], faults),
    reasoning: decodeReasoning(body['reasoning'], faults),
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
  const text = readObject(value, 'text', faults);
  if (isAbsent(text['format'])) return undefined;
  const format = readObject(text['format'], 'text.format', faults);
  const type = readChoice(format['type'], 'text.format.type', faults, ['text', 'json_object', 'json_schema']);
  if (type === 'json_object') return { type: 'json' };
  return type === 'json_schema' ? readSchemaFormat(format, 'text.format', faults) : undefined;
}

function decodeReasoning(value: unknown, faults: Faults): Reasoning | undefined {
  if (isAbsent(value)) return undefined;
  const reasoning = readObject(value, 'reasoning', faults);
  const effort = readChoice(reasoning['effort'], 'reasoning.effort', faults, EFFORTS);
  const summary = !isAbsent(reasoning['summary'] ?? reasoning['generate_summary']);
  return effort === undefined && !summary ? undefined : { effort, summary };
}
