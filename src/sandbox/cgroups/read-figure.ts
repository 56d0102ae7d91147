import { readFile } from 'node:fs/promises';

/** A number from a kernel file: the whole file, or the line that begins with the key. */
export async function readFigure(file: string, key?: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const word =
    key === undefined
      ? text.trim()
      : text
          .split('\n')
          .map((line) => line.split(' '))
          .find(([name]) => name === key)?.[1];
  return word !== undefined && /^\d+$/.test(word) ? Number(word) : undefined;
}
