import { runtime } from '../../../api/runtime-client.ts';
import type { RunView } from '../queries.ts';

type Said = Awaited<ReturnType<typeof runtime.jobs.say>>;

export interface Message {
  readonly text: string;
  /** Of all tries to say this. */
  readonly idempotencyKey: string;
}

/** Returns the run that goes on from here, if the message started one. */
export async function sayToRun(organization: string, id: string, message: Message): Promise<RunView | undefined> {
  // A run that this starts has the scopes of the token, and one that works may have no more than it.
  const said: Said = await runtime.jobs.say({ id, ...message }, { context: { organization, startsRun: true } });
  return 'job' in said ? said.job : undefined;
}
