// Prompts. Each has a flag that answers it, for scripts.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Host } from './host.ts';

export async function ask({ stdin, stderr }: Host, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Does not echo what is typed. */
export async function askHidden({ stdin, stderr }: Host, question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The terminal stops echoing before the question appears.
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  stderr.write(question);
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    stderr.write('\n');
  }
}
