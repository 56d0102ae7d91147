// Runs the script of an environment in a sandbox of its own and keeps what it left, as a run's workspace is kept. It has the
// variables, hosts and limits of the environment, and of its secrets only those that commands may see.
import { randomUUID } from 'node:crypto';
import type { Log } from '../../telemetry/log.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { LIMITS } from '../../sandbox/limits.ts';
import { recordSnapshot, writeSnapshotFile } from '../../runs/record/snapshots.ts';
import { keepOutput } from '../agent/cut-output.ts';
import { hideSecrets } from '../hide-secrets.ts';
import { keepLease, LEASE_MS } from '../keep-lease.ts';
import { checkedArchive } from '../keep-workspace.ts';
import type { SandboxSetup } from '../run-sandbox.ts';

const SETUP_MS = 10 * 60_000;
const SAVE_MS = 60_000;
const MOST_BYTES = 512 * 1024 * 1024;
const LOG_CHARS = 32_000;

export interface BuildRequest {
  readonly script: string;
  /** Where its result is kept. */
  readonly directory: string;
  readonly setup: Pick<SandboxSetup, 'env' | 'network' | 'memoryBytes' | 'secrets'>;
  readonly signal: AbortSignal;
  /** What it has printed so far, whenever there is more. */
  readonly show: (log: string) => void;
}

export type Built =
  | { readonly ok: true; readonly log: string; readonly bytes: number }
  /** `why` is the end of a sentence. */
  | { readonly ok: false; readonly log: string; readonly why: string };

/** Throws if the sandbox is lost or the signal is aborted: nothing is known about the script then. */
export async function buildSetup(
  { client: sandboxes, log }: { readonly client: SandboxClient; readonly log: Log },
  { script, directory, setup, signal, show }: BuildRequest,
): Promise<Built> {
  const { secrets = [], env = {}, network, memoryBytes = LIMITS.memoryBytes.default } = setup;
  const client = hideSecrets(sandboxes, secrets);
  const { id } = await client.create({
    idempotencyKey: randomUUID(),
    limits: {
      processes: LIMITS.processes.default,
      diskBytes: LIMITS.diskBytes.default,
      memoryBytes,
    },
    ...(network ? { network } : {}),
    env: { ...env },
    ttlMs: LEASE_MS,
  });
  const lost = new AbortController();
  const lease = keepLease(client, id, (error) => lost.abort(error));
  const ending = AbortSignal.any([signal, lost.signal]);
  const output = keepOutput(LOG_CHARS / 2, LOG_CHARS / 2);
  try {
    const done = await lease.cover(SETUP_MS);
    let failure: string | undefined = 'its sandbox did not say how it ended';
    const command = { argv: ['bash', '-e', '-c', script], timeoutMs: SETUP_MS };
    for await (const event of client.exec(id, command, ending)) {
      if (event.t === 'out') {
        output.add(event.d);
        show(output.read().text);
      } else if (event.t === 'exit') failure = failureOf(event);
    }
    done();
    ending.throwIfAborted();
    const printed = output.read().text;
    if (failure !== undefined) return { ok: false, log: printed, why: failure };
    const inTime = AbortSignal.any([ending, AbortSignal.timeout(SAVE_MS)]);
    const archive = await client.saveSnapshot(id, { full: true }, inTime);
    const file = await writeSnapshotFile(directory, checkedArchive(archive, { secrets, mostBytes: MOST_BYTES })).catch(
      (error: unknown) => {
        ending.throwIfAborted();
        log.warn({ err: error }, 'could not keep what the setup of an environment left');
        return undefined;
      },
    );
    if (file === undefined)
      return {
        ok: false,
        log: printed,
        why: `what it left could not be kept: it has more than ${MOST_BYTES / 1024 ** 2} MiB, holds a secret, or took longer than ${SAVE_MS / 1000} seconds to save`,
      };
    await recordSnapshot(directory, { after: 'setup', writer: 0, files: [file] });
    return { ok: true, log: printed, bytes: file.bytes };
  } finally {
    lease.stop();
    await client.destroy(id).catch(() => {});
  }
}

function failureOf({
  code,
  signal,
  reason,
}: {
  readonly code: number | null;
  readonly signal: string | null;
  readonly reason?: string;
}): string | undefined {
  if (code === 0 && reason === undefined) return undefined;
  if (reason === 'timeout') return `it took longer than ${SETUP_MS / 60_000} minutes`;
  if (reason === 'disk_full') return 'the disk of its sandbox is full';
  if (reason === 'stopping') throw new Error('the sandbox controller stopped');
  return code === null ? `it was ended by ${signal ?? 'a signal'}` : `exit code ${code}`;
}
