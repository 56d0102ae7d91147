// Shows a followed run on standard error. On a terminal each event is a line and the last line is the current status;
// in a pipe only what needs attention is printed.
import type { Cli } from '../define-command.ts';
import { sumUpRun } from './sum-up-run.ts';
import { describeEvent } from './describe-event.ts';
import type { Watcher } from './follow-run.ts';
import type { RunEvent } from './runs-api.ts';

export interface Screen extends Watcher {
  /** Holds output back while a prompt is open; `release` writes it. */
  hold(): void;
  release(): void;
  /** Clears the status line. */
  close(): void;
}

/** Of the output of a command, per second. */
const MOST_LINES = 20;
const MARGIN = '  │ ';

/** Short-lived reasons that need no attention. */
const PASSING: ReadonlySet<string> = new Set(['dispatching', 'delivering']);

export function watchOnScreen({ host, output }: Cli, { json }: { readonly json: boolean }): Screen {
  const terminal = host.stderr.isTTY === true;
  let status = 'waiting for the service …';
  let clear = (): void => {};
  const summary = sumUpRun();
  let held: (() => void)[] | undefined;

  const draw = (write: () => void): void => {
    if (held) return void held.push(write);
    clear();
    write();
    clear = output.progress(onOneLine(status, host.stderr.columns));
  };
  const settle = (text: string): void => draw(() => (status = text));

  const showOutput = (text: string, isCut: boolean): void => {
    const lines = text.replace(/\n$/, '').split('\n');
    const shown = lines.slice(-MOST_LINES);
    draw(() => {
      if (isCut || shown.length < lines.length) output.say(`${MARGIN}…`);
      for (const line of shown) output.say(onOneLine(MARGIN + lastState(line), host.stderr.columns));
    });
  };

  return {
    event(event: RunEvent) {
      // Data goes to standard output at once, even while a prompt is open.
      if (json) output.jsonLine(event);
      summary.take(event);
      if (event.status === 'running') status = `${summary.text()} …  Ctrl-C for options`;
      if (terminal && !json) draw(() => output.say(onOneLine(describeEvent(event), host.stderr.columns)));
    },
    output: terminal && !json ? showOutput : undefined,
    waiting(waiting) {
      if (!waiting) return;
      if (terminal) settle(`waiting: ${waiting.message}`);
      else if (!PASSING.has(waiting.reason)) output.say(`The run is waiting: ${waiting.message}`);
    },
    reconnecting(reason) {
      if (terminal) settle(`reconnecting: ${reason}`);
    },
    hold() {
      clear();
      clear = () => {};
      held ??= [];
    },
    release() {
      const writes = held ?? [];
      held = undefined;
      for (const write of writes) draw(write);
      if (writes.length === 0) draw(() => {});
    },
    close() {
      held = undefined;
      clear();
      clear = () => {};
    },
  };
}

/** A line that a program has written over, such as a progress bar. */
function lastState(line: string): string {
  const text = line.trimEnd();
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** Cuts a line to the width of the screen: servicectl job --events shows all of it. */
function onOneLine(text: string, columns = 0): string {
  // A terminal that does not know its width reports 0.
  const width = columns > 0 ? columns : 120;
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
