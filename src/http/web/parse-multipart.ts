// Parses a multipart/form-data body (RFC 7578) in place: the parts are views of the body, so that a large file is
// neither copied nor scanned byte by byte.
export interface FormPart {
  readonly name: string;
  /** Present for a file. */
  readonly filename: string | undefined;
  readonly content: Buffer;
}

const MOST_PARTS = 20;
const MOST_HEADER_BYTES = 8 * 1024;
const LINE = Buffer.from('\r\n');
const END_OF_HEADERS = Buffer.from('\r\n\r\n');

/** Undefined if the body is malformed. */
export function parseMultipart(body: Buffer, contentType: string): FormPart[] | undefined {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const marker = Buffer.from(`--${boundary?.[1] ?? boundary?.[2] ?? ''}`, 'latin1');
  if (marker.length === 2) return undefined;
  const between = Buffer.concat([LINE, marker]);
  const parts: FormPart[] = [];
  const first = body.subarray(0, marker.length).equals(marker) ? 0 : body.indexOf(between) + LINE.length;
  if (first === LINE.length - 1) return undefined;
  for (let at = first + marker.length; ;) {
    if (body.subarray(at, at + 2).toString('latin1') === '--') return parts;
    if (!body.subarray(at, at + 2).equals(LINE) || parts.length === MOST_PARTS) return undefined;
    const headersEnd = body.subarray(at, at + MOST_HEADER_BYTES).indexOf(END_OF_HEADERS);
    const end = headersEnd < 0 ? -1 : body.indexOf(between, at + headersEnd + LINE.length);
    if (end < 0) return undefined;
    const start = at + headersEnd + END_OF_HEADERS.length;
    const named = readDisposition(body.subarray(at, at + headersEnd).toString('utf8'));
    if (!named) return undefined;
    parts.push({ ...named, content: body.subarray(Math.min(start, end), end) });
    at = end + between.length;
  }
}

function readDisposition(headers: string): Pick<FormPart, 'name' | 'filename'> | undefined {
  const value = /^content-disposition:[ \t]*form-data[ \t]*(;.*)$/im.exec(headers)?.[1];
  const name = value === undefined ? undefined : readParameter(value, 'name');
  return value === undefined || name === undefined ? undefined : { name, filename: readParameter(value, 'filename') };
}

/** Browsers percent-encode quotes and line breaks; other clients escape quotes with a backslash. */
function readParameter(value: string, name: string): string | undefined {
  const found = new RegExp(`;[ \\t]*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(value);
  const text = found?.[1]?.replace(/\\(["\\])/g, '$1') ?? found?.[2];
  return text?.replace(/%22/g, '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}
