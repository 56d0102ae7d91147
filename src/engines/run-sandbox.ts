// The sandbox of one run: created for the attempt, kept alive as long as its worker, and removed with all its processes as
// soon as the run ends. A run that is aborted or takes too long loses its processes at once, and its sandbox once its
// artifacts are collected. Engines execute commands only through this.
import type { Log } from '../telemetry/log.ts';
import type { Confinement } from '../contract/sandbox-limits.ts';
import type { SandboxClient } from '../sandbox/client.ts';
import { TIME_LIMIT_MS } from '../sandbox/limits.ts';
import type { ExecEvent, ExecInput } from '../sandbox/protocol.ts';
import { type RunAttempt, RunEnded, RunFailure, RunReleased } from '../runs/delivery/engine.ts';
import { type CollectedArtifacts, collectArtifacts } from './collect-artifacts.ts';
import type { CheckoutPlan } from './repository/plan-checkout.ts';
import { runRepository } from './repository/run-repository.ts';
import { explainLoss, isGone, lossOf } from './explain-loss.ts';
import { hideSecrets } from './hide-secrets.ts';
import { keepWorkspace } from './keep-workspace.ts';
import { type Beginning, openSandbox } from './open-sandbox.ts';
import { keepLease, type Lease, LEASE_MS } from './keep-lease.ts';

export interface RunSandboxDeps {
  readonly client: SandboxClient;
  readonly log: Log;
}

export interface SandboxSetup extends Beginning {
  /** Written beneath /workspace before anything runs. */
  readonly files?: readonly { readonly path: string; readonly content: Buffer | string }[];
  /** For the run as a whole. */
  readonly timeLimitMs?: number;
  /** Every form of the secrets that the run may use: struck out of whatever leaves the sandbox; a snapshot with one is not kept. */
  readonly secrets?: readonly Buffer[];
  /** A description for the model: the configured clients, and what they reach. */
  readonly about?: string;
  /** What came with the run, for the model: the files that are there from the beginning. */
  readonly given?: string;
  /** The run whose saved workspace it begins with: its own, or the one that it continues. */
  readonly restore?: { readonly run: string };
  /** Checked out before anything runs, unless the restored workspace has a checkout already. */
  readonly checkout?: CheckoutPlan;
}

export interface RunSandbox extends Confinement {
  readonly id: string;
  /** From the setup. */
  readonly about: string | undefined;
  readonly given?: string | undefined;
  /** The step after which the workspace that it began with was kept; undefined if it began empty. */
  readonly restored: string | undefined;
  /** Aborted with the run, when the time limit is reached, or when the sandbox is lost. */
  readonly signal: AbortSignal;
  /** Events up to the exit. Leaving the loop early ends the command. */
  exec(input: ExecInput): AsyncGenerator<ExecEvent>;
  readFile(path: string, maxBytes?: number): Promise<Buffer>;
  writeFile(path: string, content: Buffer | string): Promise<void>;
  /** Keeps the workspace as it is after this step. Throws only if the sandbox is lost, or the run is no longer ours. */
  save(after: string): Promise<void>;
}

export interface SandboxedResult<T> {
  readonly value: T;
  readonly artifacts: CollectedArtifacts;
}

/** For the artifacts of a run that was aborted: its place may be taken by another run meanwhile. */
const COLLECT_MS = 30_000;
const TOO_LONG = 'run_time_limit';

/** Creates a sandbox, uses it, collects its artifacts, even after a failure, and removes it. */
export async function withRunSandbox<T>(
  { client: sandboxes, log }: RunSandboxDeps,
  attempt: RunAttempt,
  setup: SandboxSetup,
  use: (sandbox: RunSandbox) => Promise<T>,
): Promise<SandboxedResult<T>> {
  const client = hideSecrets(sandboxes, setup.secrets ?? []);
  const limitMs = setup.timeLimitMs ?? TIME_LIMIT_MS;
  const {
    sandbox: { id, driver, limits },
    from,
  } = await openSandbox({ client, log }, attempt, setup);
  const life = liveWith(attempt, limitMs, (reason) =>
    (leavesFiles(reason) ? client.kill(id) : client.destroy(id)).catch(() => {}),
  );
  const lease = keepLease(client, id, (error) => life.end(lossOf(error)));
  const rethrow = async (error: unknown): Promise<never> => {
    throw await explainLoss(client, { id, leaseMs: LEASE_MS, signal: life.signal }, error);
  };
  const sandbox = toRunSandbox(client, {
    id,
    driver,
    limits,
    about: setup.about,
    given: setup.given,
    restored: from?.snapshot.after,
    keep: keepWorkspace({
      client,
      log,
      id,
      attempt,
      signal: life.signal,
      secrets: setup.secrets ?? [],
      restored: setup.restore?.run === attempt.run.id ? from?.snapshot.files : undefined,
    }),
    limitMs,
    signal: life.signal,
    lease,
    rethrow,
  });
  const repository = runRepository({ client, id, attempt, exec: (input) => sandbox.exec(input), log });
  const whole = async (): Promise<T> => {
    await writeFiles(sandbox, setup);
    await repository.checkOut({
      plan: setup.checkout,
      restoredFrom: sandbox.restored === undefined ? undefined : setup.restore?.run,
    });
    return use(sandbox);
  };
  const collect = async (signal: AbortSignal): Promise<CollectedArtifacts> => {
    const artifacts = await collectArtifacts(client, id, attempt, signal);
    await repository.compare(signal);
    return artifacts;
  };
  try {
    const outcome = await life.race(whole()).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in outcome && !life.signal.aborted) {
      const artifacts = await collect(life.signal).catch(rethrow);
      await repository.pack();
      return { value: outcome.value, artifacts };
    }
    const error: unknown = life.signal.aborted || 'value' in outcome ? life.signal.reason : outcome.error;
    await life.ended();
    if (!life.signal.aborted || leavesFiles(error))
      await collect(life.signal.aborted ? AbortSignal.timeout(COLLECT_MS) : life.signal).catch((fault: unknown) =>
        log.warn({ job: attempt.run.id, err: fault }, 'could not collect the artifacts of a run that did not complete'),
      );
    throw error;
  } finally {
    life.close();
    lease.stop();
    await client.destroy(id).catch((error: unknown) => {
      if (!isGone(error))
        log.warn({ job: attempt.run.id, sandbox: id, err: error }, 'could not remove sandbox; it ends with its lease');
    });
  }
}

async function writeFiles(sandbox: RunSandbox, { files = [] }: SandboxSetup): Promise<void> {
  for (const { path, content } of files) await sandbox.writeFile(path, content);
}

/** An attempt that is given back or lost leaves nothing: the next one begins with an empty sandbox. */
function leavesFiles(reason: unknown): boolean {
  return reason instanceof RunEnded || (reason instanceof RunFailure && reason.code === TOO_LONG);
}

interface Life {
  readonly signal: AbortSignal;
  end(reason: unknown): void;
  /** Once the sandbox has been told that it ended, if it has. */
  ended(): Promise<void>;
  /** The result of the work, or the reason why the run ended first: the engine is not waited for then. */
  race<T>(work: Promise<T>): Promise<T>;
  close(): void;
}

/** Ends with the run, at the time limit, or on `end`; `kill` is called at that moment. */
function liveWith({ signal }: RunAttempt, limitMs: number, kill: (reason: unknown) => Promise<void>): Life {
  const ending = new AbortController();
  let killed = Promise.resolve();
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  const end = (reason: unknown): void => {
    if (ending.signal.aborted) return;
    ending.abort(reason);
    killed = kill(reason);
    ended.reject(reason);
  };
  const onAbort = (): void => end(signal.reason);
  const clock = setTimeout(
    () =>
      end(new RunFailure(TOO_LONG, `The run took longer than ${Math.round(limitMs / 60_000)} minutes and was ended.`)),
    limitMs,
  );
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return {
    signal: ending.signal,
    end,
    ended: () => killed,
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

interface SandboxParts extends Pick<
  RunSandbox,
  'id' | 'driver' | 'limits' | 'about' | 'given' | 'restored' | 'signal'
> {
  readonly keep: (after: string) => Promise<void>;
  readonly limitMs: number;
  readonly lease: Lease;
  readonly rethrow: (error: unknown) => Promise<never>;
}

function toRunSandbox(
  client: SandboxClient,
  { id, driver, limits, about, given, restored, keep, limitMs, signal, lease, rethrow }: SandboxParts,
): RunSandbox {
  return {
    id,
    driver,
    limits,
    about,
    given,
    restored,
    signal,
    async *exec(input) {
      const timeoutMs = Math.min(input.timeoutMs ?? TIME_LIMIT_MS, limitMs);
      const done = await lease.cover(timeoutMs).catch(rethrow);
      try {
        for await (const event of client.exec(id, { ...input, timeoutMs }, signal)) {
          // The controller ended the command, so there is nothing to report to the model.
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
    save: (after) => keep(after).catch(rethrow),
  };
}
