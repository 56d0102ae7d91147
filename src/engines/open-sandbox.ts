// The sandbox that an attempt begins with: a new one, with the files that were kept of this run or of the one that it
// continues.
import type { Confinement } from '../contract/sandbox-limits.ts';
import type { SandboxClient } from '../sandbox/client.ts';
import { LIMITS } from '../sandbox/limits.ts';
import type { CreateInput } from '../sandbox/protocol.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import { retry } from '../timing/retry.ts';
import type { Log } from '../telemetry/log.ts';
import { type RunAttempt, RunFailure } from '../runs/delivery/engine.ts';
import { explainLoss } from './explain-loss.ts';
import { LEASE_MS } from './keep-lease.ts';
import { findWorkspace, type KeptWorkspace, restoreWorkspace } from './keep-workspace.ts';

export interface Beginning {
  /** Only what is listed here is reachable. */
  readonly network?: CreateInput['network'];
  /** For every command. Secrets do not belong here: a broker adds them outside. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whose workspace it begins with, if that is kept: the run itself, or the one that it continues. */
  readonly restore?: { readonly run: string };
  /** What it begins with if no workspace is kept: what the script of its environment left. */
  readonly base?: KeptWorkspace;
  /** Instead of the default. */
  readonly memoryBytes?: number;
}

interface OpenedSandbox {
  readonly sandbox: Confinement & { readonly id: string };
  /** What was restored into it. */
  readonly from?: KeptWorkspace;
}

const DEFAULTS = {
  processes: LIMITS.processes.default,
  memoryBytes: LIMITS.memoryBytes.default,
  diskBytes: LIMITS.diskBytes.default,
} as const;

/** If the files that were kept cannot be restored as a whole, it begins as if there were none. */
export async function openSandbox(
  { client, log }: { readonly client: SandboxClient; readonly log: Log },
  attempt: RunAttempt,
  setup: Beginning,
): Promise<OpenedSandbox> {
  const { run, signal } = attempt;
  const kept = setup.restore && (await findWorkspace(attempt, setup.restore.run));
  const from = kept ?? setup.base;
  if (!from) return { sandbox: await create(client, attempt, setup, 'empty') };
  const sandbox = await create(client, attempt, setup, 'restored');
  const { id } = sandbox;
  try {
    await restoreWorkspace(client, id, from, signal);
    return kept ? { sandbox, from: kept } : { sandbox };
  } catch (error) {
    if (signal.aborted) {
      await client.destroy(id).catch(() => {});
      throw signal.reason;
    }
    // If the controller was lost, nothing is wrong with the files: the next attempt has them.
    await client.renew(id, LEASE_MS).catch(async (fault: unknown) => {
      throw await explainLoss(client, { id, leaseMs: LEASE_MS, signal }, fault);
    });
    log.warn({ job: run.id, from: setup.restore?.run, err: error }, 'could not restore the files of a run');
    await client.destroy(id);
    if (!kept)
      throw new RunFailure(
        'environment_setup_failed',
        'What the setup script of the environment left could not be put into the sandbox. Build it again, then start the run again.',
      );
    const { restore: _unusable, ...others } = setup;
    return openSandbox({ client, log }, attempt, others);
  }
}

function create(
  client: SandboxClient,
  { run, signal }: RunAttempt,
  { network, env = {}, memoryBytes = DEFAULTS.memoryBytes }: Beginning,
  begins: 'empty' | 'restored',
): Promise<OpenedSandbox['sandbox']> {
  // A resumed attempt gets a new sandbox, whether or not the previous one is gone.
  const idempotencyKey = [run.id, run.attempt, run.head.index, begins].join('.');
  const input: CreateInput = {
    idempotencyKey,
    limits: { ...DEFAULTS, memoryBytes },
    ...(network ? { network } : {}),
    env: { ...env },
    ttlMs: LEASE_MS,
    owner: { name: run.id, turn: run.head.index },
  };
  const createOnce = async (): Promise<OpenedSandbox['sandbox']> => {
    signal.throwIfAborted();
    return client.create(input);
  };
  return retry(RETRIES.sandboxStart, createOnce, { signal });
}
