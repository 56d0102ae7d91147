import { AppError } from '../../../base/errors.ts';
import { findDocumentText, toUrl } from '../media-source.ts';
import type { InputPart, NeutralRequest, OutputPart, ToolResult } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';

export function encodeChatMessages({ system, messages }: NeutralRequest): Loose[] {
  const encoded: Loose[] = system.map((text) => ({ role: 'system', content: text }));
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        encoded.push({ role: 'system', content: message.text });
        break;
      case 'user':
        if (message.parts.length > 0) encoded.push({ role: 'user', content: encodeParts(message.parts) });
        break;
      case 'assistant':
        addAssistant(encoded, message.parts);
        break;
      case 'tool':
        addResults(encoded, message.results);
        break;
    }
  }
  if (encoded.length === 0) throw new AppError('invalid_request', { messages: 'must contain a message with content' });
  return encoded;
}

/** Reasoning is left out: this protocol has no way to send it back. */
function addAssistant(encoded: Loose[], parts: readonly OutputPart[]): void {
  let text = '';
  let refusal = '';
  const calls: Loose[] = [];
  for (const part of parts) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'refusal') refusal += part.text;
    else if (part.type === 'tool-call')
      calls.push({
        id: part.id,
        type: 'function',
        function: { name: part.name, arguments: part.arguments === '' ? '{}' : part.arguments },
      });
  }
  if (text === '' && refusal === '' && calls.length === 0) return;
  encoded.push({
    role: 'assistant',
    content: text === '' ? null : text,
    ...(refusal === '' ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  });
}

/** A tool message takes text only; images and files of results follow in a user message after the last result. */
function addResults(encoded: Loose[], results: readonly ToolResult[]): void {
  const shown: InputPart[] = [];
  for (const { id, parts, isError } of results) {
    const texts: string[] = [];
    let media = 0;
    for (const part of parts) {
      const text = part.type === 'text' ? part.text : part.type === 'document' ? findDocumentText(part) : undefined;
      if (text !== undefined) texts.push(text);
      else {
        if (media === 0) shown.push({ type: 'text', text: `From the result of tool call ${id}:` });
        shown.push(part);
        media += 1;
      }
    }
    if (media > 0)
      texts.push(`(${media === 1 ? 'An attachment is' : `${media} attachments are`} shown in the next message.)`);
    const content = texts.join('\n');
    encoded.push({
      role: 'tool',
      tool_call_id: id,
      content: isError && !/^\W*error/i.test(content) ? `Error: ${content}` : content,
    });
  }
  if (shown.length > 0) encoded.push({ role: 'user', content: encodeParts(shown) });
}

function encodeParts(parts: readonly InputPart[]): string | Loose[] {
  if (parts.every((part) => part.type === 'text')) {
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return only.text;
  }
  return parts.map(encodePart);
}

function encodePart(part: InputPart): Loose {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return {
        type: 'image_url',
        image_url: { url: toUrl(part.source), ...(part.detail === undefined ? {} : { detail: part.detail }) },
      };
    case 'document': {
      const text = findDocumentText(part);
      if (text !== undefined)
        return { type: 'text', text: part.title === undefined ? text : `${part.title}\n\n${text}` };
      if (part.source.kind !== 'base64')
        throw new AppError('invalid_request', { messages: 'this model takes documents as data, not as a URL' });
      return { type: 'file', file: { filename: part.title ?? 'document.pdf', file_data: toUrl(part.source) } };
    }
  }
}
