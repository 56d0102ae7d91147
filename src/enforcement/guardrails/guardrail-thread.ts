// The worker thread that checks and evaluates guardrail rules. Everything here depends on user input, so it announces
// before each rule how long that may take; the parent terminates the thread when the time is up.
import { parentPort } from 'node:worker_threads';
import { type ThreadMessage, usedMsOfThread } from '../../process/thread-pool.ts';
import type { GuardrailMatch, GuardrailRule } from '../../contract/guardrails.ts';
import { KINDS } from './kinds.ts';

export type GuardrailRun = { readonly rules: readonly GuardrailRule[]; readonly text?: string };

export type GuardrailResult = {
  /** By rule and field; filled if the job has no text. */
  readonly faults: Readonly<Record<string, string>>;
  readonly matches: readonly GuardrailMatch[];
};

const RULE_MS = 3_000;
/** A backtracking pattern is either fast or practically endless. */
const REGEX_MS = 250;
const MOST_MATCHES = 5_000;

parentPort?.on('message', ({ rules, text }: GuardrailRun) => {
  const faults: Record<string, string> = {};
  const matches: GuardrailMatch[] = [];
  for (const [at, { kind, config }] of rules.entries()) {
    say({ nextStepMs: kind === 'regex' ? REGEX_MS : RULE_MS, usedMs: usedMsOfThread() });
    if (text === undefined)
      for (const [field, fault] of Object.entries(KINDS[kind].findFaults(config)))
        faults[`rules.${at}.config.${field}`] = fault;
    else
      for (const { start, end } of KINDS[kind].evaluate(text, config))
        matches.push({ kind, start, end, text: text.slice(start, end) });
    if (matches.length >= MOST_MATCHES) break;
  }
  say({
    result: { faults, matches: matches.slice(0, MOST_MATCHES).sort((a, b) => a.start - b.start || a.end - b.end) },
  });
});

function say(message: ThreadMessage<GuardrailResult>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}
