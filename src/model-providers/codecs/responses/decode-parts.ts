import { findFilePart, findMediaSource } from '../media-source.ts';
import type { InputPart } from '../neutral.ts';
import { readCacheMark } from '../read-cache-mark.ts';
import { isAbsent, readObjects, readOptionalText, readText, type Faults, type Loose } from '../read-fields.ts';

/** The content of a message or the output of a call: text, or a list of parts. */
export function decodeResponsesParts(content: unknown, at: string, faults: Faults): InputPart[] {
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
    case 'input_text':
    case 'output_text':
    case 'text':
      return [{ type: 'text', text: readText(part['text'], `${at}.text`, faults) }];
    case 'input_image':
      return decodeImage(part, at, faults);
    case 'input_file':
      return decodeFile(part, at, faults);
    case 'input_audio':
      faults.add(`${at}.type`, 'this model does not take audio');
      return [];
    default:
      faults.add(`${at}.type`, 'must be one of input_text, input_image, input_file');
      return [];
  }
}

function decodeImage(part: Loose, at: string, faults: Faults): InputPart[] {
  if (isStored(part, at, faults)) return [];
  const source = findMediaSource(readText(part['image_url'], `${at}.image_url`, faults), `${at}.image_url`);
  if (source === undefined) faults.add(`${at}.image_url`, 'must be an http(s) or a base64 data URL');
  return source === undefined
    ? []
    : [{ type: 'image', source, detail: readOptionalText(part['detail'], `${at}.detail`, faults) }];
}

function decodeFile(part: Loose, at: string, faults: Faults): InputPart[] {
  if (isStored(part, at, faults)) return [];
  const title = readOptionalText(part['filename'], `${at}.filename`, faults);
  if (!isAbsent(part['file_url'])) {
    const source = findMediaSource(readText(part['file_url'], `${at}.file_url`, faults), `${at}.file_url`);
    if (source === undefined) faults.add(`${at}.file_url`, 'must be an http(s) URL');
    return source === undefined ? [] : [{ type: 'document', source, title }];
  }
  const found = findFilePart(readText(part['file_data'], `${at}.file_data`, faults), `${at}.file_data`, title);
  if (found === undefined) faults.add(`${at}.file_data`, 'must be base64 data');
  return found === undefined ? [] : [found];
}

function isStored(part: Loose, at: string, faults: Faults): boolean {
  if (isAbsent(part['file_id'])) return false;
  faults.add(`${at}.file_id`, 'stored files are not available for this model: send the data');
  return true;
}
