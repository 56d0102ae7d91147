// The health of the sandbox controller, asked with a short timeout and cached briefly: many runs may start at once.
import type { SandboxClient } from '../../sandbox/client.ts';
import type { Health } from '../../sandbox/protocol.ts';

/** Undefined when the controller cannot be reached. */
export type FindSandbox = () => Promise<Health | undefined>;

const KEEP_MS = 1_000;
const PATIENCE_MS = 2_000;

export function createFindSandbox(client: Pick<SandboxClient, 'health'>): FindSandbox {
  let kept: { readonly untilMs: number; readonly health: Promise<Health | undefined> } | undefined;
  return () => {
    if (kept && Date.now() < kept.untilMs) return kept.health;
    kept = { untilMs: Date.now() + KEEP_MS, health: ask(client) };
    return kept.health;
  };
}

async function ask(client: Pick<SandboxClient, 'health'>): Promise<Health | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS).unref());
  const health = await Promise.race([client.health().catch(() => undefined), late]);
  return health !== undefined && isHealth(health) ? health : undefined;
}

function isHealth(answer: Health): boolean {
  return answer.ok || (!answer.ok && typeof answer.reason === 'string' && typeof answer.fix === 'string');
}
