// What to do once the stack is ready, for someone who sees it for the first time.
import { KEY_VARIABLES } from '../model-providers/providers.ts';
export interface ReadyStack {
  readonly publicUrl: string;
  /** Whether the model providers are the demo ones. */
  readonly demo: boolean;
  /** See describe-runs.ts. */
  readonly runs: string | undefined;
  /** The page of the local mailbox, if mail goes there. */
  readonly mailbox: string | undefined;
  readonly directory: string;
  readonly logs: string;
}

export function firstSteps({ publicUrl, demo, runs, mailbox, directory, logs }: ReadyStack): string[] {
  const rows: (readonly [string, string])[] = [
    ['open', `${publicUrl} and sign in; the first time, choose "Create an account"`],
    ...(demo
      ? [['models', `are demo ones; for real ones set ${KEY_VARIABLES.join(' or ')} and start again`] as const]
      : []),
    ...(runs === undefined ? [] : [['runs', runs] as const]),
    ...(mailbox === undefined ? [] : [['mail', `is not sent, but shown at ${mailbox}`] as const]),
    ['logs', logs],
    ['stop', `with Ctrl-C; your data stays in ${directory}`],
  ];
  return rows.map(([label, text]) => `  ${label.padEnd(8)}${text}`);
}
