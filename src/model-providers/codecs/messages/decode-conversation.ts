import { createConversation, type Conversation, type ConversationBuilder } from '../conversation.ts';
import type { InputPart, OutputPart } from '../neutral.ts';
import {
  isAbsent,
  readChoice,
  readName,
  readObject,
  readObjects,
  readText,
  type Faults,
  type Loose,
} from '../read-fields.ts';
import { decodeInputBlock } from './decode-input-block.ts';

export function decodeMessagesConversation(body: Loose, faults: Faults): Conversation {
  const found = createConversation();
  if (!isAbsent(body['system']))
    for (const text of decodeTexts(body['system'], 'system', faults)) found.addSystem(text);
  const entries = readObjects(body['messages'], 'messages', faults);
  if (entries.length === 0) faults.add('messages', 'must be a list of at least one message');
  const lastUser = entries.findLastIndex(({ item }) => item['role'] === 'user');
  for (const [index, { item, at }] of entries.entries()) {
    if (item['role'] === 'user') decodeUser(item['content'], `${at}.content`, found, faults);
    else if (item['role'] === 'assistant')
      found.addAssistant(decodeAssistant(item['content'], `${at}.content`, faults));
    else if (item['role'] === 'system') {
      // Anthropic no longer shows it to the model after the next user message.
      const cleared =
        readChoice(item['clear_at'], `${at}.clear_at`, faults, ['next_user_message', 'never']) ===
          'next_user_message' && index < lastUser;
      if (!cleared && !isAbsent(item['content']))
        for (const text of decodeTexts(item['content'], `${at}.content`, faults)) found.addSystem(text);
    } else faults.add(`${at}.role`, 'must be one of user, assistant, system');
  }
  return { system: found.system, messages: found.messages };
}

function decodeTexts(value: unknown, at: string, faults: Faults): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return readObjects(value, at, faults).flatMap(({ item, at: place }) =>
    item['type'] === 'text' ? [readText(item['text'], `${place}.text`, faults)] : [],
  );
}

/** Tool results come first in a message of Anthropic's; other protocols have them as separate messages. */
function decodeUser(content: unknown, at: string, found: ConversationBuilder, faults: Faults): void {
  if (typeof content === 'string') return found.addUser([{ type: 'text', text: content }]);
  if (!Array.isArray(content)) return faults.add(at, 'must be text or a list of blocks');
  const parts: InputPart[] = [];
  for (const { item, at: place } of readObjects(content, at, faults)) {
    if (item['type'] !== 'tool_result') parts.push(...decodeInputBlock(item, place, faults));
    else
      found.addResult({
        id: readName(item['tool_use_id'], `${place}.tool_use_id`, faults),
        parts: decodeResult(item['content'], `${place}.content`, faults),
        isError: item['is_error'] === true,
      });
  }
  if (parts.length > 0) found.addUser(parts);
}

function decodeResult(content: unknown, at: string, faults: Faults): InputPart[] {
  if (isAbsent(content)) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return readObjects(content, at, faults).flatMap(({ item, at: place }) => decodeInputBlock(item, place, faults));
}

function decodeAssistant(content: unknown, at: string, faults: Faults): OutputPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) {
    faults.add(at, 'must be text or a list of blocks');
    return [];
  }
  return readObjects(content, at, faults).flatMap(({ item, at: place }) => decodeOutputBlock(item, place, faults));
}

function decodeOutputBlock(block: Loose, at: string, faults: Faults): OutputPart[] {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: readText(block['text'], `${at}.text`, faults) }];
    case 'thinking':
      return [
        {
          type: 'reasoning',
          text: readText(block['thinking'], `${at}.thinking`, faults),
          signature:
            typeof block['signature'] === 'string' && block['signature'] !== '' ? block['signature'] : undefined,
        },
      ];
    case 'redacted_thinking':
      return [{ type: 'reasoning', text: '', redacted: readText(block['data'], `${at}.data`, faults) }];
    case 'fallback':
      return [];
    case 'tool_use':
      return [
        {
          type: 'tool-call',
          id: readName(block['id'], `${at}.id`, faults),
          name: readName(block['name'], `${at}.name`, faults),
          arguments: JSON.stringify(isAbsent(block['input']) ? {} : readObject(block['input'], `${at}.input`, faults)),
        },
      ];
    default:
      faults.add(`${at}.type`, `a block of type ${String(block['type'])} cannot be sent to this model`);
      return [];
  }
}
