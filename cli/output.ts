// Data on standard output, messages on standard error. Colours, alignment and progress only where a person watches;
// in a pipe columns are separated by tabs and nothing is cut.
import type { Host } from './host.ts';

/** Codes that begin and end each. */
const COLOURS = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;
type Colour = keyof typeof COLOURS;

export interface Output {
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** Whether a person watches standard output. */
  readonly watched: boolean;
  line(text: string): void;
  /** As it is, without a newline. */
  write(text: string): void;
  /** Bytes that may be anything, to standard output. */
  bytes(piece: Uint8Array): void;
  json(value: unknown): void;
  table(heads: readonly string[], rows: readonly (readonly string[])[]): void;
  say(text: string): void;
  paint(colour: Colour, text: string): string;
  /** A line that replaces itself while something is awaited; only for a person. */
  progress(text: string): () => void;
}

export function createOutput({ environment, stdin, stdout, stderr }: Host): Output {
  const plain = environment['NO_COLOR'] !== undefined || environment['TERM'] === 'dumb';
  const watched = stdout.isTTY === true;
  const paintFor = (terminal: boolean | undefined, colour: Colour, text: string): string => (terminal && !plain ? `\u001B[${COLOURS[colour][0]}m${text}\u001B[${COLOURS[colour][1]}m` : text);

  return {
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    watched,
    line: (text) => void stdout.write(`${text}\n`),
    write: (text) => void stdout.write(text),
    bytes: (piece) => void stdout.write(piece),
    json: (value) => void stdout.write(`${JSON.stringify(value, undefined, watched ? 2 : undefined)}\n`),
    table(heads, rows) {
      if (!watched) {
        for (const row of rows) stdout.write(`${row.map(oneLine).join('\t')}\n`);
        return;
      }
      const shown = [heads, ...rows].map((row) => row.map((cell) => printable(oneLine(cell))));
      const widths = heads.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
      shown.forEach((row, i) => {
        const text = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ');
        stdout.write(`${i === 0 ? paintFor(true, 'dim', text) : text}\n`);
      });
    },
    say: (text) => void stderr.write(`${stderr.isTTY ? printable(text) : text}\n`),
    paint: (colour, text) => paintFor(stdout.isTTY, colour, text),
    progress(text) {
      if (!stderr.isTTY) return () => {};
      stderr.write(paintFor(true, 'dim', printable(text)));
      return () => void stderr.write('\r\u001B[K');
    },
  };
}

function oneLine(cell: string): string {
  return cell.replaceAll(/[\t\n\r]+/g, ' ');
}

/** What a server sends must not move the cursor or rename the window. Our own colours are added after this. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '');
}
