// Data goes to standard output, messages to standard error. Colours, alignment, relative times and progress only on a
// terminal; in a pipe, columns are separated by tabs and nothing is cut.
import type { JsonFilter } from './filter-json.ts';
import { fitTable } from './fit-table.ts';
import type { Host } from './host.ts';
import { showTime } from './show-time.ts';

/** The width of a terminal that does not report one. */
const COLUMNS = 120;

/** The escape codes that start and end each colour. */
const COLOURS = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Colour = keyof typeof COLOURS;

/** Columns whose words are coloured, and how. */
const PAINTED_HEADS: ReadonlySet<string> = new Set(['STATUS', 'STATE', 'ALLOWED', 'POLICY', 'KEY', 'EFFECT']);
const PAINTED_WORDS: Readonly<Record<string, Colour>> = {
  valid: 'green',
  completed: 'green',
  enabled: 'green',
  allowed: 'green',
  yes: 'green',
  configured: 'green',
  registered: 'green',
  ready: 'green',
  enforced: 'green',
  running: 'cyan',
  queued: 'yellow',
  pending: 'yellow',
  paused: 'yellow',
  aborted: 'yellow',
  invalid: 'red',
  failed: 'red',
  undecryptable: 'red',
  no: 'dim',
  none: 'dim',
  stored: 'dim',
};

export interface Output {
  /** Whether the user can be prompted. */
  readonly interactive: boolean;
  /** Whether standard output is a terminal. */
  readonly watched: boolean;
  line(text: string): void;
  /** Without a newline. */
  write(text: string): void;
  /** Raw bytes to standard output. */
  bytes(piece: Uint8Array): void;
  json(value: unknown): void;
  /** One value of several, on one line. */
  jsonLine(value: unknown): void;
  /** Passes all JSON output through this filter from now on. */
  filterWith(filter: JsonFilter): void;
  /** Resolves once everything is printed; rejects if the filter failed. */
  drained(): Promise<void>;
  table(heads: readonly string[], rows: readonly (readonly string[])[]): void;
  say(text: string): void;
  paint(colour: Colour, text: string): string;
  /** Whether standard output shows colours. */
  readonly coloured: boolean;
  /** The width of standard output. */
  readonly columns: number;
  /** Prints times as dates from now on. */
  useAbsoluteTimes(): void;
  /** Shows a status line, on a terminal only; the returned function clears it. */
  progress(text: string): () => void;
}

export function createOutput({ environment, stdin, stdout, stderr }: Host): Output {
  const plain = environment['NO_COLOR'] !== undefined || environment['TERM'] === 'dumb';
  const watched = stdout.isTTY === true;
  const paintFor = (terminal: boolean | undefined, colour: Colour, text: string): string =>
    terminal && !plain ? `\u001B[${COLOURS[colour][0]}m${text}\u001B[${COLOURS[colour][1]}m` : text;

  let absolute = false;
  let filter: JsonFilter | undefined;
  let printed: Promise<void> = Promise.resolve();
  const printJson = (value: unknown, indent?: number): void => {
    const through = filter;
    if (!through) return void stdout.write(`${JSON.stringify(value, undefined, indent)}\n`);
    const before = printed;
    printed = (async () => {
      await before;
      const text = await through(value);
      if (text !== '') stdout.write(`${text}\n`);
    })();
    // The error is reported by drained().
    printed.catch(() => {});
  };

  return {
    interactive: stdin.isTTY === true && stderr.isTTY === true,
    watched,
    line: (text) => void stdout.write(`${text}\n`),
    write: (text) => void stdout.write(text),
    bytes: (piece) => void stdout.write(piece),
    json: (value) => printJson(value, watched ? 2 : undefined),
    jsonLine: (value) => printJson(value),
    filterWith: (given) => void (filter = given),
    drained: () => printed,
    table(heads, rows) {
      if (rows.length === 0) return;
      if (!watched) {
        for (const row of rows) stdout.write(`${row.map(oneLine).join('\t')}\n`);
        return;
      }
      const { lines, headLines } = fitTable(
        heads,
        rows.map((row) =>
          row.map((cell, column) => {
            const shown = printable(oneLine(showTime(cell, absolute, Date.now())));
            if (!PAINTED_HEADS.has(heads[column] ?? '')) return shown;
            // Only the first word: a cell may be wrapped between words.
            const [word = '', ...rest] = shown.split(' ');
            const colour = colourOf(word);
            return colour === undefined ? shown : [paintFor(true, colour, word), ...rest].join(' ');
          }),
        ),
        stdout.columns || COLUMNS,
      );
      lines.forEach((line, i) => stdout.write(`${i < headLines ? paintFor(true, 'dim', line) : line}\n`));
    },
    say: (text) => void stderr.write(`${stderr.isTTY ? printable(text) : text}\n`),
    paint: (colour, text) => paintFor(stdout.isTTY, colour, text),
    coloured: watched && !plain,
    columns: stdout.columns || COLUMNS,
    useAbsoluteTimes: () => void (absolute = true),
    progress(text) {
      if (!stderr.isTTY) return () => {};
      stderr.write(paintFor(true, 'dim', printable(text)));
      return () => void stderr.write('\r\u001B[K');
    },
  };
}

/** An HTTP status by its first digit. */
function colourOf(word: string): Colour | undefined {
  if (/^[1-5]\d\d$/.test(word)) return word < '400' ? 'green' : word < '500' ? 'yellow' : 'red';
  return PAINTED_WORDS[word.toLowerCase()];
}

function oneLine(cell: string): string {
  return cell.replaceAll(/[\t\n\r]+/g, ' ');
}

/** Removes control characters: text from a server must not move the cursor or rename the window. */
export function printable(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, '');
}
