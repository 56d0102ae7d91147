import { EFFORTS } from '../../../contract/models.ts';
import { type Target, TRANSLATED_FOR } from '../fields/cells.ts';
import { checkFields } from '../fields/check-fields.ts';
import { MESSAGES_FIELDS } from '../fields/messages-fields.ts';
import {
  type Effort,
  type NeutralRequest,
  type NeutralTool,
  type OutputFormat,
  type Reasoning,
  type ToolChoice,
} from '../neutral.ts';
import {
  createFaults,
  getBody,
  isAbsent,
  isObject,
  readChoice,
  readFlag,
  readName,
  readNumber,
  readObject,
  readObjects,
  readOptionalText,
  TOKEN_COUNT,
  type Faults,
  type Loose,
} from '../read-fields.ts';
import { readStop } from '../read-stop.ts';
import { checkNamedTool, readFunctionTool } from '../read-tools.ts';
import { decodeMessagesConversation } from './decode-conversation.ts';

/** A Messages body for a model with another protocol. */
export function decodeMessagesRequest(input: unknown, target: Target = TRANSLATED_FOR.messages): NeutralRequest {
  const body = getBody(input);
  const faults = createFaults();
  checkFields(body, MESSAGES_FIELDS.request, target, faults);
  const tools = decodeTools(body['tools'], faults);
  const choice = isAbsent(body['tool_choice']) ? undefined : readObject(body['tool_choice'], 'tool_choice', faults);
  const toolChoice = choice === undefined ? undefined : decodeChoice(choice, faults);
  checkNamedTool({ tools, toolChoice }, faults);
  const output = isAbsent(body['output_config']) ? {} : readObject(body['output_config'], 'output_config', faults);
  if (isAbsent(body['max_tokens'])) faults.add('max_tokens', 'is required');
  const request: NeutralRequest = {
    model: readName(body['model'], 'model', faults),
    ...decodeMessagesConversation(body, faults),
    tools,
    toolChoice,
    parallelToolCalls:
      choice !== undefined &&
      readFlag(choice['disable_parallel_tool_use'], 'tool_choice.disable_parallel_tool_use', faults) === true
        ? false
        : undefined,
    maxOutputTokens: readNumber(body['max_tokens'], 'max_tokens', faults, TOKEN_COUNT),
    temperature: readNumber(body['temperature'], 'temperature', faults, { min: 0, max: 1 }),
    topP: readNumber(body['top_p'], 'top_p', faults, { min: 0, max: 1 }),
    stop: readStop(body['stop_sequences'], 'stop_sequences', faults),
    format: decodeFormat(output['format'] ?? body['output_format'], faults),
    reasoning: decodeReasoning(body, output, faults),
    user: isAbsent(body['metadata'])
      ? undefined
      : readOptionalText(readObject(body['metadata'], 'metadata', faults)['user_id'], 'metadata.user_id', faults),
    stream: readFlag(body['stream'], 'stream', faults) ?? false,
  };
  faults.throwAny();
  return request;
}

function decodeTools(value: unknown, faults: Faults): NeutralTool[] {
  const tools: NeutralTool[] = [];
  for (const { item, at } of readObjects(value, 'tools', faults)) {
    if (isAbsent(item['type']) || item['type'] === 'custom')
      tools.push(readFunctionTool(item, at, 'input_schema', faults));
    else
      faults.add(
        `${at}.type`,
        `the tool ${String(item['type'])} runs at Anthropic and is not available for this model`,
      );
  }
  return tools;
}

function decodeChoice(choice: Loose, faults: Faults): ToolChoice | undefined {
  const type = readChoice(choice['type'], 'tool_choice.type', faults, ['auto', 'any', 'tool', 'none']);
  if (type === 'tool') return { type: 'named', name: readName(choice['name'], 'tool_choice.name', faults) };
  if (type === 'any') return { type: 'required' };
  return type === undefined ? undefined : { type };
}

function decodeFormat(value: unknown, faults: Faults): OutputFormat | undefined {
  if (isAbsent(value)) return undefined;
  const format = readObject(value, 'output_config.format', faults);
  if (readChoice(format['type'], 'output_config.format.type', faults, ['json_schema']) === undefined) return undefined;
  return {
    type: 'json-schema',
    name: 'answer',
    schema: readObject(format['schema'], 'output_config.format.schema', faults),
    strict: true,
  };
}

function decodeReasoning(body: Loose, output: Loose, faults: Faults): Reasoning | undefined {
  const effort =
    lastEffort(body['messages'], faults) ?? readChoice(output['effort'], 'output_config.effort', faults, EFFORTS);
  if (isAbsent(body['thinking'])) return effort === undefined ? undefined : { effort };
  const thinking = readObject(body['thinking'], 'thinking', faults);
  const type = readChoice(thinking['type'], 'thinking.type', faults, [
    'enabled',
    'disabled',
    'adaptive',
    'between_tools',
  ]);
  if (type === 'disabled') return { effort: 'none' };
  const budgetTokens =
    type === 'enabled'
      ? readNumber(thinking['budget_tokens'], 'thinking.budget_tokens', faults, TOKEN_COUNT)
      : undefined;
  return { effort, budgetTokens, summary: thinking['display'] !== 'omitted' };
}

/** Instructions in the middle may change the effort for what follows; the answer comes after all of them. */
function lastEffort(messages: unknown, faults: Faults): Effort | undefined {
  if (!Array.isArray(messages)) return undefined;
  let found: Effort | undefined;
  for (const [index, message] of (messages as readonly unknown[]).entries()) {
    if (!isObject(message) || message['role'] !== 'system' || !isObject(message['output_config'])) continue;
    found =
      readChoice(message['output_config']['effort'], `messages.${index}.output_config.effort`, faults, EFFORTS) ??
      found;
  }
  return found;
}
