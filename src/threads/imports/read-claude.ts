// A conversation of Claude's export, and a project. Messages are a list; recent exports also say which one each follows.
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
  type SourceProject,
  step,
  text,
  time,
} from './source-conversation.ts';
import type { Loose } from '../../model-providers/codecs/read-fields.ts';

export function readClaude(conversation: Loose): SourceConversation {
  const notes: Counts = {};
  const messages = list(conversation['chat_messages']).map(record);
  const isTree = messages.some((message) => typeof message['parent_message_uuid'] === 'string');
  const given = record(conversation['project']);
  const project = text(conversation['project_uuid']) || text(given['uuid']);
  return {
    source: 'claude',
    id: text(conversation['uuid']),
    title: text(conversation['name']),
    createdAt: time(conversation['created_at']),
    updatedAt: time(conversation['updated_at']),
    archived: conversation['is_archived'] === true,
    ...(project === '' ? {} : { project: { id: project, name: filled(given['name']) } }),
    leaf: filled(conversation['current_leaf_message_uuid']),
    nodes: messages.map((message, index) => ({
      ...readMessage(message, index, notes),
      parent: isTree
        ? filled(message['parent_message_uuid'])
        : index === 0
          ? undefined
          : idOf(messages[index - 1] ?? {}, index - 1),
      model:
        text(message['sender']) === 'human' ? undefined : (filled(message['model']) ?? filled(conversation['model'])),
    })),
    notes,
  };
}

const idOf = (message: Loose, index: number): string => text(message['uuid']) || `#${index}`;

function readMessage(message: Loose, index: number, notes: Counts): Omit<SourceNode, 'parent'> {
  const blocks = list(message['content']).flatMap((block) => readBlock(record(block), notes));
  // Older exports have the text alone.
  const said = blocks.length > 0 ? blocks : say('text', message['text']);
  return {
    id: idOf(message, index),
    role: text(message['sender']) === 'human' ? 'user' : 'assistant',
    pieces: [...readFiles(message, notes), ...said],
    at: time(message['created_at']),
  };
}

function readFiles({ attachments, files, files_v2 }: Loose, notes: Counts): SourcePiece[] {
  const pasted = list(attachments).map(record);
  const texts = pasted.flatMap((file): SourcePiece[] => {
    const content = text(file['extracted_content']);
    const name = text(file['file_name']) || 'pasted.txt';
    if (content.trim() !== '') return [{ type: 'file', file: { name, text: content } }];
    count(notes, 'file-missing');
    return [];
  });
  const named = [...list(files), ...list(files_v2)].map(record).map((file) => ({
    name: text(file['file_name']),
    reference: text(file['file_uuid']) || text(file['uuid']) || text(file['file_name']),
  }));
  const seen = new Set(pasted.map((file) => text(file['file_name'])));
  return [
    ...texts,
    ...named.flatMap(({ name, reference }): SourcePiece[] => {
      if (reference === '' || seen.has(reference) || (name !== '' && seen.has(name))) return [];
      seen.add(reference).add(name);
      return [{ type: 'file', file: { name: name || reference, reference } }];
    }),
  ];
}

function readBlock(block: Loose, notes: Counts): SourcePiece[] {
  switch (text(block['type'])) {
    case 'text':
      return say('text', block['text']);
    case 'thinking':
      return say('reasoning', block['thinking']);
    case 'tool_use':
      return readToolUse(text(block['name']), record(block['input']));
    case 'tool_result':
      return step(text(block['name']) || 'Result', readResult(block['content']));
    case 'voice_note':
      return say('text', [text(block['title']), text(block['text'])].filter(Boolean).join('\n\n'));
    // Marks where a limit of the plan was met.
    case 'token_budget':
    case 'flag':
      return [];
    default:
      if (text(block['text']) === '') count(notes, 'unknown-part');
      return say('text', block['text']);
  }
}

/** An artifact is what the person asked for, not a step towards it. */
function readToolUse(name: string, input: Loose): SourcePiece[] {
  const content = text(input['content']);
  if (name !== 'artifacts' || content === '') return step(name || 'Tool', input);
  const title = text(input['title']);
  const type = text(input['type']);
  const shown = type === 'text/markdown' ? content : fence(content, text(input['language']) || type.split('/').at(-1));
  return say('text', title === '' ? shown : `**${title}**\n\n${shown}`);
}

function readResult(content: unknown): unknown {
  const texts = list(content).map((part) => text(record(part)['text']));
  return texts.length > 0 && texts.every(Boolean) ? texts.join('\n\n') : content;
}

export function readClaudeProject(project: Loose): SourceProject {
  const notes: Counts = {};
  const documents = list(project['docs']).length;
  if (documents > 0) count(notes, 'document', documents);
  return {
    id: text(project['uuid']),
    name: text(project['name']),
    description: text(project['description']),
    instructions: text(project['prompt_template']),
    notes,
  };
}
