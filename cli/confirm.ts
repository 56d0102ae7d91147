import type { Cli } from './define-command.ts';
import { Failure, usage } from './failure.ts';

/** Asks before something is removed. Throws if the answer is not yes, or if nobody can be asked and --yes is missing. */
export async function confirm(
  { host, output }: Cli,
  question: string,
  { yes, json }: { readonly yes?: boolean | undefined; readonly json?: boolean | undefined },
): Promise<void> {
  if (yes) return;
  if (!output.interactive || json) throw usage('this needs --yes when it cannot ask for confirmation');
  const { ask } = await import('./ask.ts');
  if (/^y(?:es)?$/i.test(await ask(host, `${question} (y/N) `))) return;
  throw new Failure('not confirmed', { error: 'not_confirmed', next: 'Nothing was changed.' });
}

export const YES = ['--yes', 'do not ask for confirmation'] as const;
