import { StringDecoder } from 'node:string_decoder';

/** Cuts a stream of chunks into lines. A line without end is cut at the limit, so that memory stays bounded. */
export function splitLines(onLine: (line: string) => void, limit = 64 * 1024): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > limit) {
      onLine(rest);
      rest = '';
    }
  };
}
