// A conversation of LibreChat's JSON export. Messages are a list, each with the one that it follows, or, if the person
// chose "recursive", a tree: each has its `children`.
import {
  count,
  type Counts,
  filled,
  list,
  record,
  say,
  type SourceConversation,
  type SourceNode,
  type SourcePiece,
  step,
  text,
  time,
} from './source-conversation.ts';
import type { Loose } from '../../model-providers/codecs/read-fields.ts';

export function readLibreChat(conversation: Loose): SourceConversation {
  const notes: Counts = {};
  const { nodes, followsAny } = readTree(conversation, notes);
  const times = nodes.flatMap(({ at }) => at ?? []).toSorted((a, b) => a - b);
  return {
    source: 'librechat',
    id: text(conversation['conversationId']),
    title: text(conversation['title']),
    createdAt: time(conversation['createdAt']) ?? times[0],
    updatedAt: time(conversation['updatedAt']) ?? times.at(-1),
    archived: conversation['isArchived'] === true,
    leaf: undefined,
    // Without branches the export may lack the ids that say what follows what: then it is the order.
    nodes: followsAny ? nodes : nodes.map((node, index) => ({ ...node, parent: nodes[index - 1]?.id })),
    notes,
  };
}

function readTree(conversation: Loose, notes: Counts): { nodes: SourceNode[]; followsAny: boolean } {
  const model = filled(record(conversation['options'])['model']);
  const nodes: SourceNode[] = [];
  let followsAny = false;
  const given = conversation['messagesTree'] ?? conversation['messages'];
  // A tree of one root may be that root itself.
  const roots = Array.isArray(given) ? given : [given];
  const waiting = roots.map((message) => ({ message: record(message), parent: undefined as string | undefined }));
  // Not recursive: a tree may be as deep as it is long.
  for (let next = 0; next < waiting.length; next++) {
    const { message, parent } = waiting[next] ?? { message: {}, parent: undefined };
    const id = text(message['messageId']) || `#${nodes.length}`;
    const follows = parent ?? filled(message['parentMessageId']);
    if (follows !== undefined) followsAny = true;
    nodes.push({ ...readMessage(message, notes, model), id, parent: follows });
    for (const child of list(message['children'])) waiting.push({ message: record(child), parent: id });
  }
  return { nodes, followsAny };
}

function readMessage(message: Loose, notes: Counts, model: string | undefined): Omit<SourceNode, 'id' | 'parent'> {
  const role =
    message['isCreatedByUser'] === true || text(message['sender']).toLowerCase() === 'user' ? 'user' : 'assistant';
  const parts = list(message['content']).flatMap((part) => readPart(record(part), notes));
  const files = [...list(message['files']), ...list(message['attachments'])].map(record);
  return {
    role,
    pieces: [
      ...files.flatMap((file): SourcePiece[] => {
        const reference = text(file['file_id']) || text(file['filename']);
        return reference === ''
          ? []
          : [{ type: 'file', file: { name: text(file['filename']) || reference, reference } }];
      }),
      ...(parts.length > 0 ? parts : say('text', message['text'])),
    ],
    at: time(message['createdAt']),
    ...(role === 'assistant' ? { model: filled(message['model']) ?? model } : {}),
  };
}

function readPart(part: Loose, notes: Counts): SourcePiece[] {
  const said = (value: unknown): unknown => (typeof value === 'string' ? value : record(value)['value']);
  switch (text(part['type'])) {
    case 'text':
      return say('text', said(part['text']));
    case 'error':
      return say('text', said(part['text']) ?? part['error']);
    case 'think':
      return say('reasoning', said(part['think']));
    case 'tool_call': {
      const call = record(part['tool_call']);
      const name = text(call['name']) || text(record(call['function'])['name']) || 'Tool';
      const asked = call['args'] ?? record(call['function'])['arguments'] ?? call['code_interpreter'];
      return [...step(name, asked), ...step(name, call['output'] ?? record(call['function'])['output'])];
    }
    case 'image_file': {
      const file = record(part['image_file']);
      const reference = text(file['file_id']);
      if (reference !== '') return [{ type: 'file', file: { name: text(file['filename']) || reference, reference } }];
      count(notes, 'unknown-part');
      return [];
    }
    default:
      count(notes, 'unknown-part');
      return [];
  }
}
