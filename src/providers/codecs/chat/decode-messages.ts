import { createConversation, type Conversation, type ConversationBuilder } from '../conversation.ts';
import type { InputPart, OutputPart } from '../neutral.ts';
import { isAbsent, readName, readObject, readObjects, readText, type Faults, type Loose } from '../read-fields.ts';
import { readFunctionCall } from '../read-tools.ts';
import { decodeChatParts } from './decode-parts.ts';

export function decodeChatMessages(value: unknown, faults: Faults): Conversation {
  const found = createConversation();
  const entries = readObjects(value, 'messages', faults);
  if (entries.length === 0) faults.add('messages', 'must be a list of at least one message');
  for (const { item, at } of entries) decodeMessage(item, at, found, faults);
  return { system: found.system, messages: found.messages };
}

function decodeMessage(message: Loose, at: string, found: ConversationBuilder, faults: Faults): void {
  const content = `${at}.content`;
  switch (message['role']) {
    case 'system': case 'developer':
      return found.addSystem(decodeText(message['content'], content, faults));
    case 'user':
      return found.addUser(decodeChatParts(message['content'], content, faults));
    case 'assistant':
      return found.addAssistant(decodeAssistant(message, at, faults));
    case 'tool':
      return found.addResult({ id: readName(message['tool_call_id'], `${at}.tool_call_id`, faults), parts: decodeChatParts(message['content'], content, faults), isError: false });
    case 'function':
      return faults.add(`${at}.role`, 'function is not taken for this model: use tool');
    default:
      return faults.add(`${at}.role`, 'must be one of system, developer, user, assistant, tool');
  }
}

function decodeText(content: unknown, at: string, faults: Faults): string {
  if (typeof content === 'string') return content;
  return decodeChatParts(content, at, faults).map((part) => textOf(part, at, faults)).join('\n');
}

function textOf(part: InputPart, at: string, faults: Faults): string {
  if (part.type === 'text') return part.text;
  faults.add(at, 'takes text only');
  return '';
}

function decodeAssistant(message: Loose, at: string, faults: Faults): OutputPart[] {
  const parts: OutputPart[] = [];
  const { content, refusal, audio, function_call: functionCall } = message;
  if (!isAbsent(audio)) faults.add(`${at}.audio`, 'is not available for this model');
  if (!isAbsent(functionCall)) faults.add(`${at}.function_call`, 'is not taken for this model: use tool_calls');
  if (typeof content === 'string') parts.push({ type: 'text', text: content });
  else if (!isAbsent(content)) {
    for (const { item, at: place } of readObjects(content, `${at}.content`, faults)) {
      if (item['type'] === 'refusal') parts.push({ type: 'refusal', text: readText(item['refusal'], `${place}.refusal`, faults) });
      else if (item['type'] === 'text') parts.push({ type: 'text', text: readText(item['text'], `${place}.text`, faults) });
      else faults.add(`${place}.type`, 'must be one of text, refusal');
    }
  }
  if (!isAbsent(refusal)) parts.push({ type: 'refusal', text: readText(refusal, `${at}.refusal`, faults) });
  for (const { item, at: place } of readObjects(message['tool_calls'], `${at}.tool_calls`, faults)) {
    if (item['type'] !== 'function' && !isAbsent(item['type'])) faults.add(`${place}.type`, 'this model takes function calls only');
    else parts.push(readFunctionCall(item['id'], `${place}.id`, readObject(item['function'], `${place}.function`, faults), `${place}.function`, faults));
  }
  return parts;
}
