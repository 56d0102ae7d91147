import { findFilePart, findMediaSource } from '../media-source.ts';
import type { InputPart } from '../neutral.ts';
import { readCacheMark } from '../read-cache-mark.ts';
import {
  isAbsent,
  readObject,
  readObjects,
  readOptionalText,
  readText,
  type Faults,
  type Loose,
} from '../read-fields.ts';

/** The content of a user or tool message: text, or a list of parts. */
export function decodeChatParts(content: unknown, at: string, faults: Faults): InputPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) {
    faults.add(at, 'must be text or a list of parts');
    return [];
  }
  return readObjects(content, at, faults).flatMap(({ item, at: place }) => {
    const cache = readCacheMark(item, place, faults);
    return decodePart(item, place, faults).map((part) => (cache === undefined ? part : { ...part, cache }));
  });
}

function decodePart(part: Loose, at: string, faults: Faults): InputPart[] {
  switch (part['type']) {
    case 'text':
      return [{ type: 'text', text: readText(part['text'], `${at}.text`, faults) }];
    case 'image_url':
      return decodeImage(readObject(part['image_url'], `${at}.image_url`, faults), `${at}.image_url`, faults);
    case 'file':
      return decodeFile(readObject(part['file'], `${at}.file`, faults), `${at}.file`, faults);
    case 'input_audio':
      faults.add(`${at}.type`, 'this model does not take audio');
      return [];
    default:
      faults.add(`${at}.type`, 'must be one of text, image_url, file');
      return [];
  }
}

function decodeImage(image: Loose, at: string, faults: Faults): InputPart[] {
  const source = findMediaSource(readText(image['url'], `${at}.url`, faults), at);
  if (source === undefined) {
    faults.add(`${at}.url`, 'must be an http(s) or a base64 data URL');
    return [];
  }
  return [{ type: 'image', source, detail: readOptionalText(image['detail'], `${at}.detail`, faults) }];
}

function decodeFile(file: Loose, at: string, faults: Faults): InputPart[] {
  if (!isAbsent(file['file_id'])) {
    faults.add(`${at}.file_id`, 'stored files are not available for this model: send file_data');
    return [];
  }
  const part = findFilePart(
    readText(file['file_data'], `${at}.file_data`, faults),
    `${at}.file_data`,
    readOptionalText(file['filename'], `${at}.filename`, faults),
  );
  if (part === undefined) faults.add(`${at}.file_data`, 'must be base64 data');
  return part === undefined ? [] : [part];
}
