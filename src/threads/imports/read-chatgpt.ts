// A conversation of ChatGPT's export: `mapping` has a tree of nodes, `current_node` is the last one that was shown.
// Instructions and memory are hidden messages in it, and what tools did are messages of their own.
import {
  count,
  type Counts,
  fence,
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

export function readChatGpt(conversation: Loose): SourceConversation {
  const notes: Counts = {};
  const project = [conversation['gizmo_id'], conversation['conversation_template_id']]
    .map(text)
    .find((id) => id.startsWith('g-p-'));
  return {
    source: 'chatgpt',
    id: text(conversation['conversation_id']) || text(conversation['id']),
    title: text(conversation['title']),
    createdAt: time(conversation['create_time']),
    updatedAt: time(conversation['update_time']),
    archived: conversation['is_archived'] === true,
    // The export has the project's id and not its name.
    ...(project === undefined ? {} : { project: { id: project, name: `ChatGPT project ${project.slice(4, 12)}` } }),
    leaf: filled(conversation['current_node']),
    nodes: Object.entries(record(conversation['mapping'])).map(([id, node]) => readNode(text(id), record(node), notes)),
    notes,
  };
}

function readNode(id: string, { parent, message }: Loose, notes: Counts): SourceNode {
  const { author, content, metadata, create_time, recipient } = record(message);
  const role = text(record(author)['role']);
  const known = { id, parent: filled(parent), role: role === 'user' ? 'user' : 'assistant' } as const;
  const facts = record(metadata);
  const pieces = readContent(record(content), { tool: toolOf(role, record(author), recipient), facts, notes });
  const isHidden = role === 'system' || facts['is_visually_hidden_from_conversation'] === true;
  if (isHidden && pieces.length > 0) count(notes, 'settings');
  return {
    ...known,
    pieces: isHidden ? [] : pieces,
    at: time(create_time),
    ...(known.role === 'assistant' ? { model: filled(facts['model_slug']) } : {}),
  };
}

/** The tool that a message is for or from. */
function toolOf(role: string, author: Loose, recipient: unknown): string | undefined {
  if (role === 'tool') return text(author['name']) || 'Tool';
  const to = text(recipient);
  return role === 'assistant' && to !== '' && to !== 'all' ? to : undefined;
}

interface Reading {
  readonly tool: string | undefined;
  readonly facts: Loose;
  readonly notes: Counts;
}

/** What a tool wrote for the reader, such as a document beside the conversation, is not a step but the answer. */
const WRITES_FOR_READER = /^canmore\.(?:create|update)/;

function readContent(content: Loose, { tool, facts, notes }: Reading): SourcePiece[] {
  const attached = list(facts['attachments']).map(record);
  const files = attached.flatMap((file): SourcePiece[] => {
    const reference = text(file['id']);
    return reference === '' ? [] : [{ type: 'file', file: { name: text(file['name']) || reference, reference } }];
  });
  const referenced = new Set(attached.map(({ id }) => text(id)));
  const pieces = readByType(content, { tool, facts, notes }, referenced);
  return [...files, ...pieces];
}

function readByType(content: Loose, reading: Reading, attached: ReadonlySet<string>): SourcePiece[] {
  const { tool, facts, notes } = reading;
  const type = text(content['content_type']);
  switch (type) {
    case 'text':
    case 'multimodal_text':
      return list(content['parts']).flatMap((part) => {
        if (typeof part !== 'string') return readAsset(record(part), attached, notes);
        return tool === undefined ? say('text', resolveMarks(text(part), facts)) : step(tool, part);
      });
    case 'code':
      return WRITES_FOR_READER.test(tool ?? '')
        ? say('text', fence(text(content['text']), text(content['language'])))
        : step(tool ?? 'Code', content['text']);
    case 'execution_output':
    case 'system_error':
      return step(tool ?? 'Result', content['text']);
    case 'thoughts':
      return list(content['thoughts']).flatMap((thought) => {
        const { summary, content: said } = record(thought);
        return say('reasoning', [text(summary), text(said)].filter(Boolean).join('\n\n'));
      });
    case 'reasoning_recap':
      return say('reasoning', content['content']);
    case 'tether_quote':
      return step(text(content['title']) || text(content['url']) || 'Quote', content['text']);
    case 'tether_browsing_display':
      return step(tool ?? 'Browsing', text(content['result']) || text(content['summary']));
    case 'user_editable_context':
    case 'model_editable_context':
      count(notes, 'settings');
      return [];
    case '':
      return [];
    default:
      return readUnknown(content, notes);
  }
}

/** A type that came later: its text if it has one, otherwise it is counted. */
function readUnknown(content: Loose, notes: Counts): SourcePiece[] {
  const said = [content['text'], content['result'], content['content'], ...list(content['parts'])]
    .map(text)
    .filter(Boolean);
  if (said.length === 0) count(notes, 'unknown-part');
  return say('text', said.join('\n\n'));
}

const POINTER = /^[a-z-]+:\/\/(.+)$/;

function readAsset(part: Loose, attached: ReadonlySet<string>, notes: Counts): SourcePiece[] {
  if (part['content_type'] === 'audio_transcription') return say('text', part['text']);
  // Of a video call; the sound is what was said, and its transcription a part of its own.
  const pointer = text(part['asset_pointer']) || text(record(part['audio_asset_pointer'])['asset_pointer']);
  const [, path = ''] = POINTER.exec(pointer) ?? [];
  const reference = path.split(/[#?]/, 1)[0] ?? '';
  if (reference === '') {
    count(notes, 'unknown-part');
    return [];
  }
  return attached.has(reference) ? [] : [{ type: 'file', file: { name: reference, reference } }];
}

/** Citations are marks in the private use area; the metadata says what the reader saw in their place. */
function resolveMarks(said: string, facts: Loose): string {
  if (!said.includes('\uE200')) return said;
  const resolved = list(facts['content_references']).reduce<string>((whole, reference) => {
    const { matched_text: mark, alt } = record(reference);
    return typeof mark === 'string' && mark.includes('\uE200') ? whole.replaceAll(mark, () => text(alt)) : whole;
  }, said);
  return resolved.replaceAll(/\uE200[^\uE201]*\uE201/g, '');
}
