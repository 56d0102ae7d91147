// Anthropic requires turns that alternate, begin with the user and contain no empty text: adjacent messages of one role
// are merged, tool results become blocks of the user, and later system messages move to the instructions.
import { AppError } from '../../../base/errors.ts';
import { findDocumentText } from '../media-source.ts';
import type { CacheMark, InputPart, MediaSource, NeutralRequest, OutputPart, ToolResult } from '../neutral.ts';
import { isObject, type Loose } from '../read-fields.ts';

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: Loose[];
}

export function encodeConversation(request: NeutralRequest): { system: Loose[]; messages: Turn[] } {
  const system = request.system.flatMap((text, index) => encodeText(text, request.systemCache?.[index]));
  const messages: Turn[] = [];
  for (const message of request.messages) {
    switch (message.role) {
      case 'system':
        system.push(...encodeText(message.text, message.cache));
        break;
      case 'user':
        add(messages, 'user', encodeParts(message.parts));
        break;
      case 'tool':
        add(messages, 'user', message.results.map(encodeResult));
        break;
      case 'assistant':
        add(messages, 'assistant', message.parts.flatMap(encodeOutput));
        break;
    }
  }
  if (messages.length === 0) throw new AppError('invalid_request', { messages: 'must contain a message with content' });
  if (messages[0]?.role === 'assistant')
    messages.unshift({ role: 'user', content: [{ type: 'text', text: '(The assistant begins.)' }] });
  trimEnding(messages);
  return { system, messages };
}

function add(messages: Turn[], role: Turn['role'], content: Loose[]): void {
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role === role) for (const block of content) last.content.push(block);
  else messages.push({ role, content });
}

/** A final assistant turn is the beginning of the answer, which must not end in white space. */
function trimEnding(messages: Turn[]): void {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role === 'assistant' && typeof block?.['text'] === 'string')
    last.content[last.content.length - 1] = { ...block, text: block['text'].trimEnd() };
}

function encodeParts(parts: readonly InputPart[]): Loose[] {
  return parts.flatMap((part): Loose[] => {
    if (part.type === 'text') return encodeText(part.text, part.cache);
    return [
      {
        ...(part.type === 'image' ? { type: 'image', source: encodeSource(part.source) } : encodeDocument(part)),
        ...encodeCache(part.cache),
      },
    ];
  });
}

function encodeDocument(part: Extract<InputPart, { type: 'document' }>): Loose {
  const title = part.title === undefined ? {} : { title: part.title };
  const text = findDocumentText(part);
  if (text !== undefined || part.source.kind === 'text')
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text ?? '' }, ...title };
  if (part.source.kind === 'base64' && part.source.mediaType !== 'application/pdf')
    throw new AppError('invalid_request', {
      messages: `this model takes no documents of type ${part.source.mediaType}`,
    });
  return { type: 'document', source: encodeSource(part.source), ...title };
}

function encodeSource(source: MediaSource): Loose {
  return source.kind === 'url'
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.data };
}

/** A cache mark on a part of the result moves to the result, which ends where its last part does. */
function encodeResult({ id, parts, isError }: ToolResult): Loose {
  const content = encodeParts(parts.map((part) => ({ ...part, cache: undefined })));
  const cache = parts.findLast((part) => part.cache !== undefined)?.cache;
  const [only] = content;
  const short = content.length === 1 && only?.['type'] === 'text' ? only['text'] : content;
  return {
    type: 'tool_result',
    tool_use_id: toToolId(id),
    ...(content.length === 0 ? {} : { content: short }),
    ...(isError ? { is_error: true } : {}),
    ...encodeCache(cache),
  };
}

/** Reasoning is sent back only with its signature; Anthropic refuses any other. */
function encodeOutput(part: OutputPart): Loose[] {
  switch (part.type) {
    case 'text':
      return encodeText(part.text, part.cache);
    case 'refusal':
      return encodeText(part.text);
    case 'reasoning':
      if (part.redacted !== undefined) return [{ type: 'redacted_thinking', data: part.redacted }];
      return part.signature === undefined ? [] : [{ type: 'thinking', thinking: part.text, signature: part.signature }];
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: toToolId(part.id),
          name: part.name,
          input: parseArguments(part.arguments),
          ...encodeCache(part.cache),
        },
      ];
  }
}

function encodeText(text: string, cache?: CacheMark): Loose[] {
  return isFilled(text) ? [{ type: 'text', text, ...encodeCache(cache) }] : [];
}

export function encodeCache(cache: CacheMark | undefined): Loose {
  return cache === undefined
    ? {}
    : { cache_control: { type: 'ephemeral', ...(cache.ttl === undefined ? {} : { ttl: cache.ttl }) } };
}

/** A model may have written arguments that are not a JSON object; the conversation must still continue. */
export function parseArguments(text: string): Loose {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : { INVALID_JSON: text };
  } catch {
    return { INVALID_JSON: text };
  }
}

/** Anthropic allows only these characters in an id; call and result are changed alike. */
function toToolId(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}

function isFilled(text: string): boolean {
  return text.trim() !== '';
}
