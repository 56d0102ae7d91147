import { AppError } from '../../../base/errors.ts';
import { findDocumentText, toUrl } from '../media-source.ts';
import type { InputPart, NeutralRequest, OutputPart, ToolResult } from '../neutral.ts';
import type { Loose } from '../read-fields.ts';

export function encodeResponsesInput({ messages }: NeutralRequest): Loose[] {
  const input: Loose[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        input.push({ role: 'developer', content: message.text });
        break;
      case 'user':
        if (message.parts.length > 0) input.push({ role: 'user', content: message.parts.map(encodePart) });
        break;
      case 'assistant':
        for (const part of message.parts) input.push(...encodeOutput(part));
        break;
      case 'tool':
        for (const result of message.results) input.push(encodeResult(result));
        break;
    }
  }
  if (input.length === 0) throw new AppError('invalid_request', { messages: 'must contain a message with content' });
  return input;
}

function encodeOutput(part: OutputPart): Loose[] {
  if (part.type === 'tool-call')
    return [
      {
        type: 'function_call',
        call_id: part.id,
        name: part.name,
        arguments: part.arguments === '' ? '{}' : part.arguments,
      },
    ];
  return part.type === 'reasoning' || part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
}

function encodeResult({ id, parts, isError }: ToolResult): Loose {
  const shown: readonly InputPart[] = isError ? [{ type: 'text', text: 'Error:' }, ...parts] : parts;
  const output = shown.every((part) => part.type === 'text')
    ? shown.map((part) => part.text).join('\n')
    : shown.map(encodePart);
  return { type: 'function_call_output', call_id: id, output };
}

function encodePart(part: InputPart): Loose {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return { type: 'input_image', image_url: toUrl(part.source), detail: part.detail ?? 'auto' };
    case 'document': {
      const text = findDocumentText(part);
      if (text !== undefined || part.source.kind === 'text')
        return { type: 'input_text', text: part.title === undefined ? (text ?? '') : `${part.title}\n\n${text ?? ''}` };
      if (part.source.kind === 'url') return { type: 'input_file', file_url: part.source.url };
      return { type: 'input_file', filename: part.title ?? 'document.pdf', file_data: toUrl(part.source) };
    }
  }
}
