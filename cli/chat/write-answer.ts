// How an answer is shown: on a terminal with colours as formatted Markdown, otherwise as the model wrote it.
import { type Output, printable } from '../output.ts';

export interface AnswerWriter {
  push(text: string): void;
  /** Ends the last line. */
  end(): void;
}

export async function writeAnswer(output: Output, raw: boolean | undefined): Promise<AnswerWriter> {
  if (raw || !output.coloured)
    return {
      push: (text) => output.write(output.watched ? printable(text) : text),
      end: () => output.write('\n'),
    };
  const { streamMarkdown } = await import('../markdown/stream-markdown.ts');
  const stream = streamMarkdown(output.write, output);
  return { push: (text) => stream.push(printable(text)), end: () => stream.end() };
}

export const RAW = ['--raw', 'print the answer as the model wrote it, without formatting its Markdown'] as const;
