// What a person sees of a run that is followed, on standard error. On a terminal each event is a line and the last
// line says what is waited for; in a pipe only what needs somebody's attention is said.
import type { Cli } from '../define-command.ts';
import { describeEvent } from './describe-event.ts';
import type { Watcher } from './follow-run.ts';
import type { RunEvent } from './runs-api.ts';

export interface Screen extends Watcher {
  /** Nothing is written while a question is open; what came meanwhile is written after it. */
  hold(): void;
  release(): void;
  /** Clears the line that replaces itself. */
  close(): void;
}

/** These pass within a moment, and nobody has to do anything about them. */
const PASSING: ReadonlySet<string> = new Set(['dispatching', 'delivering']);

export function watchOnScreen({ host, output }: Cli, { json }: { readonly json: boolean }): Screen {
  const terminal = host.stderr.isTTY === true;
  let status = 'waiting for the service …';
  let clear = (): void => {};
  let held: (() => void)[] | undefined;

  const draw = (write: () => void): void => {
    if (held) return void held.push(write);
    clear();
    write();
    clear = output.progress(status);
  };
  const settle = (text: string): void => draw(() => (status = text));

  return {
    event(event: RunEvent) {
      // Data goes to standard output at once, whatever is on the screen.
      if (json) output.jsonLine(event);
      if (event.status === 'running') status = `running, attempt ${event.attempt} …  Ctrl-C asks`;
      if (terminal && !json) draw(() => output.say(onOneLine(describeEvent(event), host.stderr.columns)));
    },
    waiting(waiting) {
      if (!waiting) return;
      if (terminal) settle(`waiting: ${waiting.message}`);
      else if (!PASSING.has(waiting.reason)) output.say(`The run waits: ${waiting.message}`);
    },
    reconnecting(reason) {
      if (terminal) settle(`connecting again: ${reason}`);
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

/** What is longer than the screen is wide is cut: servicectl job shows it whole. */
function onOneLine(text: string, columns = 0): string {
  // A terminal that does not know its size says 0.
  const width = columns > 0 ? columns : 120;
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
