// The sandbox of one run: made for the attempt, kept alive while its worker is, and gone with all its processes as soon
// as the run ends, is aborted or takes too long. Whatever executes a run uses this and nothing else to execute commands.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Confinement } from '../contract/sandbox-limits.ts';
import type { SandboxClient } from '../sandbox/client.ts';
import { LIMITS, TIME_LIMIT_MS } from '../sandbox/limits.ts';
import type { CreateInput, ExecEvent, ExecInput } from '../sandbox/protocol.ts';
import { type Run, RunFailure, RunReleased } from '../runs/delivery/engine.ts';
import { type CollectedArtifacts, collectArtifacts } from './collect-artifacts.ts';
import { explainLoss, isGone, lossOf } from './explain-loss.ts';
import { keepLease, type Lease, LEASE_MS } from './keep-lease.ts';

export interface RunSandboxDeps {
  readonly client: SandboxClient;
  readonly log: Log;
}

export interface SandboxSetup {
  /** Nothing is reachable unless it is named here. */
  readonly network?: CreateInput['network'];
  /** Of every command. Secrets do not belong here: a broker adds them outside. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written beneath /workspace before anything runs. */
  readonly files?: readonly { readonly path: string; readonly content: Buffer | string }[];
  /** What the run as a whole may take. */
  readonly timeLimitMs?: number;
  /** What the model is told about it: the clients that are configured, and what they reach. */
  readonly about?: string;
}

export interface RunSandbox extends Confinement {
  readonly id: string;
  /** As the setup says it. */
  readonly about: string | undefined;
  /** Aborted with the run, when its time is up, and when the sandbox is lost. */
  readonly signal: AbortSignal;
  /** Events up to the exit. Leaving the loop early ends the command. */
  exec(input: ExecInput): AsyncGenerator<ExecEvent>;
  readFile(path: string, maxBytes?: number): Promise<Buffer>;
  writeFile(path: string, content: Buffer | string): Promise<void>;
}

export interface SandboxedResult<T> {
  readonly value: T;
  readonly artifacts: CollectedArtifacts;
}

const DEFAULTS = {
  processes: LIMITS.processes.default,
  memoryBytes: LIMITS.memoryBytes.default,
  diskBytes: LIMITS.diskBytes.default,
} as const;

/** For how long a controller that is full, or starting, is asked again. */
const CREATE_PATIENCE_MS = 60_000;

/** Opens a sandbox, uses it, brings its artifacts home and removes it. The artifacts of a run that failed come home too. */
export async function withRunSandbox<T>(
  { client, log }: RunSandboxDeps,
  run: Run,
  setup: SandboxSetup,
  use: (sandbox: RunSandbox) => Promise<T>,
): Promise<SandboxedResult<T>> {
  const limitMs = setup.timeLimitMs ?? TIME_LIMIT_MS;
  const { id, driver, limits } = await create(client, run, setup);
  const life = liveWith(run, limitMs, () => void client.destroy(id).catch(() => {}));
  const lease = keepLease(client, id, (error) => life.end(lossOf(error)));
  const rethrow = async (error: unknown): Promise<never> => {
    throw await explainLoss(client, { id, leaseMs: LEASE_MS, signal: life.signal }, error);
  };
  const sandbox = faceOf(client, {
    id,
    driver,
    limits,
    about: setup.about,
    limitMs,
    signal: life.signal,
    lease,
    rethrow,
  });
  try {
    const outcome = await life.race(begin(sandbox, setup, use)).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    life.signal.throwIfAborted();
    if ('value' in outcome)
      return { value: outcome.value, artifacts: await collectArtifacts(client, id, run, life.signal).catch(rethrow) };
    await collectArtifacts(client, id, run, life.signal).catch((error: unknown) =>
      log.warn({ job: run.job.id, err: error }, 'the artifacts of a failed run were not collected'),
    );
    throw outcome.error;
  } finally {
    life.close();
    lease.stop();
    await client.destroy(id).catch((error: unknown) => {
      if (!isGone(error))
        log.warn({ job: run.job.id, sandbox: id, err: error }, 'a sandbox could not be removed; its lease ends it');
    });
  }
}

async function create(
  client: SandboxClient,
  { job, signal }: Run,
  { network, env = {} }: SandboxSetup,
): Promise<Confinement & { id: string }> {
  // An attempt that goes on gets a sandbox of its own, whether or not the one before is gone.
  const idempotencyKey = [job.id, job.attempt, job.head.index].join('.');
  const input: CreateInput = {
    idempotencyKey,
    limits: DEFAULTS,
    ...(network ? { network } : {}),
    env: { ...env },
    ttlMs: LEASE_MS,
  };
  const deadline = performance.now() + CREATE_PATIENCE_MS;
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted();
    try {
      return await client.create(input);
    } catch (error) {
      const passing = error instanceof AppError && (error.code === 'sandbox_full' || error.code === 'unavailable');
      if (!passing || performance.now() > deadline) throw error;
      await sleep(Math.min(100 * 2 ** tries, 2_000), undefined, { signal });
    }
  }
}

async function begin<T>(
  sandbox: RunSandbox,
  { files = [] }: SandboxSetup,
  use: (sandbox: RunSandbox) => Promise<T>,
): Promise<T> {
  for (const { path, content } of files) await sandbox.writeFile(path, content);
  return use(sandbox);
}

interface Life {
  readonly signal: AbortSignal;
  end(reason: unknown): void;
  /** The work, or the reason why the run ended before it: nobody waits for what an engine still does then. */
  race<T>(work: Promise<T>): Promise<T>;
  close(): void;
}

/** Ends with the run, when its time is up, or when told to; `kill` is called in that very moment. */
function liveWith({ signal }: Run, limitMs: number, kill: () => void): Life {
  const ending = new AbortController();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const end = (reason: unknown): void => {
    if (ending.signal.aborted) return;
    ending.abort(reason);
    kill();
    ended.reject(reason);
  };
  const onAbort = (): void => end(signal.reason);
  const clock = setTimeout(
    () =>
      end(
        new RunFailure(
          'run_time_limit',
          `The run took longer than ${Math.round(limitMs / 60_000)} minutes and was ended.`,
        ),
      ),
    limitMs,
  );
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    signal: ending.signal,
    end,
    race(work) {
      work.catch(() => {});
      return Promise.race([work, ended.promise]);
    },
    close() {
      clearTimeout(clock);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

interface FaceParts extends Pick<RunSandbox, 'id' | 'driver' | 'limits' | 'about' | 'signal'> {
  readonly limitMs: number;
  readonly lease: Lease;
  readonly rethrow: (error: unknown) => Promise<never>;
}

function faceOf(
  client: SandboxClient,
  { id, driver, limits, about, limitMs, signal, lease, rethrow }: FaceParts,
): RunSandbox {
  return {
    id,
    driver,
    limits,
    about,
    signal,
    async *exec(input) {
      const timeoutMs = Math.min(input.timeoutMs ?? TIME_LIMIT_MS, limitMs);
      const done = await lease.cover(timeoutMs).catch(rethrow);
      try {
        for await (const event of client.exec(id, { ...input, timeoutMs }, signal)) {
          // The command did not end by itself: there is nothing to tell the model.
          if (event.t === 'exit' && event.reason === 'stopping') throw new RunReleased('sandbox_stopping');
          yield event;
        }
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        await rethrow(error);
      } finally {
        done();
      }
    },
    readFile: (path, maxBytes) => client.readFile(id, path, maxBytes).catch(rethrow),
    writeFile: (path, content) => client.writeFile(id, path, content).catch(rethrow),
  };
}
