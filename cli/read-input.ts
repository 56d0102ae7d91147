import { readFile } from 'node:fs/promises';
import { Failure } from './failure.ts';
import type { Host } from './host.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** All of standard input. */
export async function readStdin({ stdin }: Pick<Host, 'stdin'>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw new Failure('the input is larger than 4 MiB', { next: 'Send less.' });
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A file named by a flag; `-` is standard input. */
export async function readNamed(host: Host, path: string): Promise<string> {
  if (path === '-') return readStdin(host);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Failure(`cannot read ${path}: ${(error as Error).message}`, { next: 'Check the path.' });
  }
}
