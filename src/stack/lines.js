// @ts-check
// How npm start reports progress on standard error: one line per step with its duration, the same on a terminal and in
// a pipe. Colours only on terminals. Plain JavaScript: see read-options.js.

const LABEL_WIDTH = 36;
const DURATION_WIDTH = 8;
const YELLOW = 33;
const RED = 31;
const DIM = 2;

/**
 * @typedef {{ write(text: string): unknown, isTTY?: boolean | undefined, hasColors?: (() => boolean) | undefined }} Output
 * @typedef {ReturnType<typeof createLines>} Lines
 * @param {Output} output
 */
export function createLines(output) {
  // On a terminal Node takes NO_COLOR, FORCE_COLOR and TERM into account.
  const coloured = output.isTTY === true && output.hasColors?.() === true;
  /** @type {(code: number, text: string) => string} */
  const paint = (code, text) => (coloured ? `\u001B[${code}m${text}\u001B[0m` : text);
  /** @type {(durationMs: number) => string} */
  const duration = (durationMs) => paint(DIM, `${(durationMs / 1000).toFixed(1)} s`.padStart(DURATION_WIDTH));

  return {
    /** @type {(text: string) => void} */
    say: (text) => void output.write(`${text}\n`),
    /** @type {(text: string) => void} */
    warn: (text) => void output.write(`${paint(YELLOW, 'warning:')} ${text}\n`),
    /** @type {(text: string) => void} */
    error: (text) => void output.write(`${paint(RED, 'error:')} ${text}\n`),
    /** Why the stack stops. @type {(text: string) => void} */
    fail: (text) => void output.write(`${paint(RED, 'service:')} ${text}\n`),
    /** A finished step. @type {(label: string, durationMs: number) => void} */
    step: (label, durationMs) => void output.write(`${label.padEnd(LABEL_WIDTH)}${duration(durationMs)}\n`),
    /**
     * A step that takes a while: its name is written at once, its duration at the end. Nothing else may be written in
     * between.
     * @param {string} label
     */
    begin(label) {
      const startedAt = Date.now();
      output.write(label.padEnd(LABEL_WIDTH));
      return {
        done: () => void output.write(`${duration(Date.now() - startedAt)}\n`),
        failed: () => void output.write(`${paint(RED, 'failed'.padStart(DURATION_WIDTH))}\n`),
      };
    },
  };
}
