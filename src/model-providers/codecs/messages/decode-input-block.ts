import type { DocumentPart, InputPart, MediaSource } from '../neutral.ts';
import {
  readName,
  readObject,
  readObjects,
  readOptionalText,
  readText,
  type Faults,
  type Loose,
} from '../read-fields.ts';

/** A block of a user message or of a tool result. */
export function decodeInputBlock(block: Loose, at: string, faults: Faults): InputPart[] {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: readText(block['text'], `${at}.text`, faults) }];
    case 'image': {
      const source = decodeSource(readObject(block['source'], `${at}.source`, faults), `${at}.source`, faults);
      return source === undefined ? [] : [{ type: 'image', source }];
    }
    case 'document':
      return decodeDocument(block, at, faults);
    case 'search_result':
      return [{ type: 'text', text: searchResultText(block, at, faults) }];
    // Tools found by a search are offered from the start.
    case 'tool_reference':
      return [
        { type: 'text', text: `The tool ${readName(block['tool_name'], `${at}.tool_name`, faults)} can be called.` },
      ];
    default:
      faults.add(`${at}.type`, `a block of type ${String(block['type'])} cannot be sent to this model`);
      return [];
  }
}

function decodeDocument(block: Loose, at: string, faults: Faults): InputPart[] {
  const context = readOptionalText(block['context'], `${at}.context`, faults);
  const parts = decodeDocumentSource(block, at, faults);
  return context === undefined || context === '' ? parts : [{ type: 'text', text: context }, ...parts];
}

function decodeDocumentSource(block: Loose, at: string, faults: Faults): InputPart[] {
  const source = readObject(block['source'], `${at}.source`, faults);
  const title = readOptionalText(block['title'], `${at}.title`, faults);
  if (source['type'] === 'content') {
    if (typeof source['content'] === 'string')
      return [{ type: 'document', source: { kind: 'text', text: source['content'] }, title }];
    // Only text and images are allowed inside: a document cannot contain a document.
    return readObjects(source['content'], `${at}.source.content`, faults).flatMap(({ item, at: place }) => {
      if (item['type'] === 'text' || item['type'] === 'image') return decodeInputBlock(item, place, faults);
      faults.add(`${place}.type`, 'must be one of text, image');
      return [];
    });
  }
  const found: DocumentPart['source'] | undefined =
    source['type'] === 'text'
      ? { kind: 'text', text: readText(source['data'], `${at}.source.data`, faults) }
      : decodeSource(source, `${at}.source`, faults);
  return found === undefined ? [] : [{ type: 'document', source: found, title }];
}

function decodeSource(source: Loose, at: string, faults: Faults): MediaSource | undefined {
  if (source['type'] === 'base64')
    return {
      kind: 'base64',
      mediaType: readName(source['media_type'], `${at}.media_type`, faults),
      data: readText(source['data'], `${at}.data`, faults),
    };
  if (source['type'] === 'url') return { kind: 'url', url: readName(source['url'], `${at}.url`, faults), at };
  faults.add(
    `${at}.type`,
    source['type'] === 'file'
      ? 'stored files are not available for this model: send the data'
      : 'must be one of base64, url',
  );
  return undefined;
}

function searchResultText(block: Loose, at: string, faults: Faults): string {
  const texts = readObjects(block['content'], `${at}.content`, faults).map(({ item, at: place }) =>
    readText(item['text'], `${place}.text`, faults),
  );
  return [block['title'], block['source'], ...texts]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n');
}
