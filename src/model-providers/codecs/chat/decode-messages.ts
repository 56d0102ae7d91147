import { createConversation, type Conversation, type ConversationBuilder } from '../conversation.ts';
import type { ToolNames } from '../name-tools.ts';
import type { CacheMark, InputPart, OutputPart } from '../neutral.ts';
import { lastMark, markLast, readCacheMark } from '../read-cache-mark.ts';
import {
  isAbsent,
  readName,
  readObject,
  readObjects,
  readOptionalText,
  readText,
  type Faults,
  type Loose,
} from '../read-fields.ts';
import { readOriginalCall } from '../read-tools.ts';
import { decodeChatParts } from './decode-parts.ts';
import { decodeReasoningDetails } from './reasoning-details.ts';

interface Reading {
  readonly names: ToolNames;
  readonly faults: Faults;
}

export function decodeChatMessages(value: unknown, names: ToolNames, faults: Faults): Conversation {
  const found = createConversation();
  const entries = readObjects(value, 'messages', faults);
  if (entries.length === 0) faults.add('messages', 'must be a list of at least one message');
  for (const { item, at } of entries) decodeMessage(item, at, found, { names, faults });
  return { system: found.system, systemCache: found.systemCache, messages: found.messages };
}

function decodeMessage(message: Loose, at: string, found: ConversationBuilder, reading: Reading): void {
  const { faults } = reading;
  const content = `${at}.content`;
  const cache = readCacheMark(message, at, faults);
  switch (message['role']) {
    case 'system':
    case 'developer': {
      const parts = markLast(decodeText(message['content'], content, faults), cache);
      return found.addSystem(parts.map(({ text }) => text).join('\n'), lastMark(parts));
    }
    case 'user':
      return found.addUser(
        markLast([...nameOf(message, at, faults), ...decodeChatParts(message['content'], content, faults)], cache),
      );
    case 'assistant':
      return found.addAssistant(markAnswer(decodeAssistant(message, at, reading), cache));
    case 'tool':
      return found.addResult({
        id: readName(message['tool_call_id'], `${at}.tool_call_id`, faults),
        parts: markLast(decodeChatParts(message['content'], content, faults), cache),
        isError: false,
      });
    case 'function':
      return faults.add(`${at}.role`, 'function is not supported for this model: use tool');
    default:
      return faults.add(`${at}.role`, 'must be one of system, developer, user, assistant, tool');
  }
}

function decodeText(content: unknown, at: string, faults: Faults): { text: string; cache?: CacheMark | undefined }[] {
  if (typeof content === 'string') return [{ text: content }];
  return decodeChatParts(content, at, faults).map((part) => ({ text: textOf(part, at, faults), cache: part.cache }));
}

function textOf(part: InputPart, at: string, faults: Faults): string {
  if (part.type === 'text') return part.text;
  faults.add(at, 'takes text only');
  return '';
}

/** Which of several users is speaking: other protocols have no field for it. */
function nameOf(message: Loose, at: string, faults: Faults): InputPart[] {
  const name = readOptionalText(message['name'], `${at}.name`, faults);
  return name === undefined || name === '' ? [] : [{ type: 'text', text: `${name}:` }];
}

function markAnswer(parts: readonly OutputPart[], cache: CacheMark | undefined): OutputPart[] {
  const index =
    cache === undefined ? -1 : parts.findLastIndex((part) => part.type === 'text' || part.type === 'tool-call');
  return parts.map((part, position) =>
    position === index && (part.type === 'text' || part.type === 'tool-call')
      ? { ...part, cache: part.cache ?? cache }
      : part,
  );
}

function decodeAssistant(message: Loose, at: string, reading: Reading): OutputPart[] {
  const { faults } = reading;
  const { content, refusal } = message;
  const parts: OutputPart[] = decodeReasoningDetails(message['reasoning_details']);
  if (typeof content === 'string') parts.push({ type: 'text', text: content });
  else if (!isAbsent(content)) {
    for (const { item, at: place } of readObjects(content, `${at}.content`, faults)) {
      parts.push(...decodeReasoningDetails(item['reasoning_details']));
      if (item['type'] === 'refusal')
        parts.push({ type: 'refusal', text: readText(item['refusal'], `${place}.refusal`, faults) });
      else
        parts.push({
          type: 'text',
          text: readText(item['text'], `${place}.text`, faults),
          cache: readCacheMark(item, place, faults),
        });
    }
  }
  if (!isAbsent(refusal)) parts.push({ type: 'refusal', text: readText(refusal, `${at}.refusal`, faults) });
  for (const { item, at: place } of readObjects(message['tool_calls'], `${at}.tool_calls`, faults)) {
    const kind = item['type'] ?? 'function';
    if (kind !== 'function' && kind !== 'custom') continue;
    const call = readOriginalCall(
      kind,
      { value: item['id'], at: `${place}.id` },
      { value: readObject(item[kind], `${place}.${kind}`, faults), at: `${place}.${kind}` },
      reading,
    );
    const cache = readCacheMark(item, place, faults);
    parts.push(cache === undefined ? call : { ...call, cache });
  }
  return parts;
}
