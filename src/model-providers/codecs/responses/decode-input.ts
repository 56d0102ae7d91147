import { createConversation, type Conversation, type ConversationBuilder } from '../conversation.ts';
import type { InputPart, NeutralRequest, OutputPart, ReasoningPart } from '../neutral.ts';
import { lastMark, readCacheMark } from '../read-cache-mark.ts';
import { openSeal } from '../reasoning-seal.ts';
import {
  isAbsent,
  readName,
  readObjects,
  readOptionalText,
  readText,
  type Faults,
  type Loose,
} from '../read-fields.ts';
import type { ToolNames } from '../name-tools.ts';
import { readOriginalCall } from '../read-tools.ts';
import { readSummary, SUMMARY_REQUEST } from './compaction.ts';
import { decodeResponsesParts } from './decode-parts.ts';
import { decodeTypedItem, TYPED_ITEMS } from './decode-typed-item.ts';

interface Reading {
  readonly found: ConversationBuilder;
  readonly names: ToolNames;
  readonly faults: Faults;
}

export function decodeResponsesInput(
  body: Loose,
  names: ToolNames,
  faults: Faults,
): Conversation & Pick<NeutralRequest, 'compacts'> {
  const found = createConversation();
  const instructions = readOptionalText(body['instructions'], 'instructions', faults);
  if (instructions !== undefined && instructions !== '') found.addSystem(instructions);
  const { input } = body;
  let compacts: true | undefined;
  if (typeof input === 'string') found.addUser([{ type: 'text', text: input }]);
  else {
    const items = readObjects(input, 'input', faults);
    if (items.length === 0) faults.add('input', 'must be text or a list of at least one item');
    for (const { item, at } of items) decodeItem(item, at, { found, names, faults });
    const trigger = items.findIndex(({ item }) => item['type'] === 'compaction_trigger');
    compacts = trigger >= 0 || undefined;
    if (compacts && trigger < items.length - 1) faults.add(`input.${trigger}`, 'must be the last item');
  }
  return {
    compacts,
    system: found.system,
    systemCache: found.systemCache,
    messages: found.messages,
  };
}

/** Traces of tools that a provider ran: the answer that followed reflects their results. */
const TRACES: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'mcp_list_tools',
]);

function decodeItem(item: Loose, at: string, reading: Reading): void {
  const { found, faults } = reading;
  const type = item['type'] ?? 'message';
  const typed = TYPED_ITEMS.get(type);
  if (typed !== undefined) return decodeTypedItem(typed, item, at, reading);
  if (TRACES.has(type)) return;
  switch (type) {
    case 'message':
      return decodeMessage(item, at, found, faults);
    case 'agent_message':
      return found.addUser(decodeAgentMessage(item, at, faults));
    case 'function_call':
    case 'custom_tool_call': {
      const id = { value: item['call_id'], at: `${at}.call_id` };
      return found.addAssistant([
        readOriginalCall(type === 'function_call' ? 'function' : 'custom', id, { value: item, at }, reading),
      ]);
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return decodeOutput(item, at, reading);
    case 'reasoning': {
      const part = decodeReasoning(item, at, faults);
      return part === undefined ? undefined : found.addAssistant([part]);
    }
    case 'compaction': {
      const summary = readSummary(item);
      if (summary === undefined)
        return faults.add(`${at}.encrypted_content`, 'was not made here: this model cannot read it. Send the items');
      return found.addUser([{ type: 'text', text: summary }]);
    }
    case 'compaction_trigger':
      return found.addUser([{ type: 'text', text: SUMMARY_REQUEST }]);
    // Its tools are read with the others.
    case 'additional_tools':
      return undefined;
    default:
      return faults.add(`${at}.type`, `an item of type ${String(item['type'])} cannot be sent to this model`);
  }
}

/** Output of a tool that was not called (a notification) has its name instead of a call id. */
function decodeOutput(item: Loose, at: string, { found, faults }: Reading): void {
  const parts = decodeResponsesParts(item['output'], `${at}.output`, faults);
  const { name, namespace } = item;
  if (isAbsent(item['call_id']) && typeof name === 'string')
    return found.addUser([
      { type: 'text', text: `From the tool ${typeof namespace === 'string' ? `${namespace}.` : ''}${name}:` },
      ...parts,
    ]);
  found.addResult({ id: readName(item['call_id'], `${at}.call_id`, faults), parts, isError: false });
}

/** The prefix of content that OpenAI has encrypted. */
const ENCRYPTED = /^gAAAA[\w-]+=*$/;

/**
 * A message from one agent of the client to another. If the model that wrote it does not encrypt, the supposedly
 * encrypted part is the text itself; content that OpenAI has encrypted is dropped.
 */
function decodeAgentMessage(item: Loose, at: string, faults: Faults): InputPart[] {
  const texts = readObjects(item['content'], `${at}.content`, faults).map(({ item: part, at: place }) => {
    if (part['type'] !== 'encrypted_content') return readText(part['text'], `${place}.text`, faults);
    const text = readText(part['encrypted_content'], `${place}.encrypted_content`, faults);
    return ENCRYPTED.test(text) ? '' : text;
  });
  return [{ type: 'text', text: texts.join('') }];
}

function decodeMessage(item: Loose, at: string, found: ConversationBuilder, faults: Faults): void {
  const content = `${at}.content`;
  switch (item['role']) {
    case 'user':
      return found.addUser(decodeResponsesParts(item['content'], content, faults));
    case 'assistant':
      return found.addAssistant(decodeAssistant(item['content'], content, faults));
    case 'system':
    case 'developer': {
      const parts = decodeResponsesParts(item['content'], content, faults);
      return found.addSystem(parts.map((part) => textOf(part, content, faults)).join('\n'), lastMark(parts));
    }
    default:
      return faults.add(`${at}.role`, 'must be one of user, assistant, system, developer');
  }
}

function textOf(part: InputPart, at: string, faults: Faults): string {
  if (part.type === 'text') return part.text;
  faults.add(at, 'takes text only');
  return '';
}

function decodeAssistant(content: unknown, at: string, faults: Faults): OutputPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return readObjects(content, at, faults).flatMap(({ item, at: place }): OutputPart[] => {
    if (item['type'] === 'refusal')
      return [{ type: 'refusal', text: readText(item['refusal'], `${place}.refusal`, faults) }];
    if (item['type'] === 'output_text' || item['type'] === 'input_text')
      return [
        {
          type: 'text',
          text: readText(item['text'], `${place}.text`, faults),
          cache: readCacheMark(item, place, faults),
        },
      ];
    faults.add(`${place}.type`, 'must be one of output_text, refusal');
    return [];
  });
}

/** Reasoning sealed by another provider means nothing to this one and is dropped. */
function decodeReasoning(item: Loose, at: string, faults: Faults): ReasoningPart | undefined {
  const seal = openSeal(item['encrypted_content']);
  if (seal.redacted !== undefined) return { type: 'reasoning', text: '', redacted: seal.redacted };
  if (seal.signature === undefined) return undefined;
  const summary = isAbsent(item['summary']) ? [] : readObjects(item['summary'], `${at}.summary`, faults);
  return {
    type: 'reasoning',
    text: summary.map((part) => readText(part.item['text'], `${part.at}.text`, faults)).join(''),
    signature: seal.signature,
  };
}
