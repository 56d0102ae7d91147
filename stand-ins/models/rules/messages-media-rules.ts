// Images and documents in a request to Anthropic.
import { badRequest, type Refusal } from '../refusal.ts';
import { asObject, entriesOf, firstOf, type Loose, quoteAll } from './loose.ts';
import { blocksOf, type MessagesRequest } from './messages-request.ts';
import { pngSize } from './png-size.ts';
import type { Rules } from './rule.ts';

const VISION = 'https://platform.claude.com/docs/en/build-with-claude/vision';

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const MOST_BYTES = 5 * 1024 * 1024;
const MOST_PIXELS = 8000;

interface Picture {
  readonly source: Loose;
  readonly path: string;
}

export const MEDIA_RULES = {
  'pictures are of a known type': {
    docs: VISION,
    refuse: eachPicture(({ source, path }) =>
      TYPES.includes(String(source['media_type']))
        ? undefined
        : badRequest(`Input should be ${quoteAll(TYPES, ' or ')}`, `${path}.image.source.base64.media_type`),
    ),
  },
  'pictures are base64': {
    docs: VISION,
    refuse: eachPicture(({ source, path }) =>
      isBase64(source['data'])
        ? undefined
        : badRequest('The image data is not valid base64', `${path}.image.source.base64.data`),
    ),
  },
  'pictures are not too large': {
    docs: VISION,
    refuse: eachPicture(({ source, path }) => {
      const bytes = String(source['data']).length;
      return bytes > MOST_BYTES
        ? badRequest(`image exceeds 5 MB maximum: ${bytes} bytes > ${MOST_BYTES} bytes`, `${path}.image.source.base64`)
        : undefined;
    }),
  },
  'pictures are not too wide or high': {
    docs: VISION,
    refuse: eachPicture(({ source, path }) => {
      const size = pngSize(String(source['data']));
      return size && Math.max(size.width, size.height) > MOST_PIXELS
        ? badRequest(
            `At least one of the image dimensions exceed max allowed size: ${MOST_PIXELS} pixels`,
            `${path}.image.source.base64.data`,
          )
        : undefined;
    }),
  },
} as const satisfies Rules<MessagesRequest>;

/** Those sent inline, in messages and in tool results. */
function eachPicture(
  refuse: (picture: Picture) => Refusal | undefined,
): (request: MessagesRequest) => Refusal | undefined {
  return (request) => {
    const blocks = blocksOf(request).flatMap(({ type, fields, path }) => [
      { type, fields, path },
      ...(type === 'tool_result'
        ? entriesOf(fields['content']).map(({ value, at }) => ({
            type: value['type'],
            fields: value,
            path: `${path}.tool_result.content.${at}`,
          }))
        : []),
    ]);
    const pictures = blocks.flatMap(({ type, fields, path }) =>
      type === 'image' && asObject(fields['source'])['type'] === 'base64'
        ? [{ source: asObject(fields['source']), path }]
        : [],
    );
    return firstOf(pictures, refuse);
  };
}

/** Looks for what does not belong: a pattern for the whole of several megabytes can overflow V8's stack. */
function isBase64(data: unknown): boolean {
  if (typeof data !== 'string' || data.length === 0 || data.length % 4 !== 0) return false;
  return !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
}
