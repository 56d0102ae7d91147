// Keeps parts running. Each part has its own loop: wait for the parts it needs, start, wait until it answers, wait
// until it ends, pause, start again. Parts are stopped in reverse order, unless they belong together.
import { setTimeout as sleep } from 'node:timers/promises';
import { RECONNECTS } from '../timing/retry-policies.ts';
import { pauseAfter } from '../timing/retry.ts';
import { EXIT_CONFIG, StackError } from './stack-error.ts';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last error the part reported, for people. */
  readonly reason?: string;
}

export interface LaunchedPart {
  readonly pid: number;
  readonly port?: number;
  /** Resolves when the part answers its health check; never rejects. */
  readonly healthy: Promise<void>;
  readonly exited: Promise<Exit>;
  /** Asks it to stop, and kills it after a timeout. */
  stop(): Promise<void>;
  kill(): void;
}

export interface SupervisedPart {
  readonly name: string;
  readonly after: readonly string[];
  /** Parts that are stopped together with it, and end before it. */
  readonly stopsWith?: readonly string[];
  launch(stopping: AbortSignal): Promise<LaunchedPart>;
}

export interface SupervisorEvents {
  /** A part answered for the first time. */
  started(name: string, durationMs: number): void;
  /** A part ended, or could not be started, and will be tried again. */
  failed(line: string): void;
  /** It answers again. */
  recovered(line: string): void;
  /** Something in `running` changed. */
  changed(): void;
}

interface RunningPart {
  readonly launched: LaunchedPart;
  readonly startedAt: Date;
  readonly restarts: number;
}

export interface Supervisor {
  /** Resolves once every part has answered; rejects when one can never start. */
  readonly ready: Promise<void>;
  readonly running: ReadonlyMap<string, RunningPart>;
  /** Parts that are not answering now. */
  readonly waiting: ReadonlySet<string>;
  stop(): Promise<void>;
  kill(): void;
}

/** State shared by the loops of all parts. */
interface Supervision {
  readonly events: SupervisorEvents;
  readonly stopping: AbortController;
  readonly running: Map<string, RunningPart>;
  readonly launching: Map<string, Promise<LaunchedPart>>;
  readonly firstHealthy: ReadonlyMap<string, PromiseWithResolvers<void>>;
  readonly waiting: Set<string>;
  readonly ready: PromiseWithResolvers<void>;
}

export function supervise(parts: readonly SupervisedPart[], events: SupervisorEvents): Supervisor {
  const firstHealthy = new Map(parts.map(({ name }) => [name, Promise.withResolvers<void>()]));
  const state: Supervision = {
    events,
    stopping: new AbortController(),
    running: new Map(),
    launching: new Map(),
    firstHealthy,
    waiting: new Set(firstHealthy.keys()),
    ready: Promise.withResolvers<void>(),
  };
  const { stopping, running, launching, ready } = state;
  ready.promise.catch(() => {});
  const loops = parts.map((part) => keep(state, part).catch((error: unknown) => ready.reject(error)));

  return {
    ready: ready.promise,
    running,
    waiting: state.waiting,
    async stop() {
      stopping.abort();
      // Loops that still wait for another part wake up here, see the abort and start nothing.
      for (const { resolve } of firstHealthy.values()) resolve();
      const stop = async (name: string): Promise<void> => {
        const launched = (await launching.get(name)?.catch(() => undefined)) ?? running.get(name)?.launched;
        await launched?.stop();
      };
      for (const { name, stopsWith = [] } of parts.toReversed()) await Promise.all([name, ...stopsWith].map(stop));
      await Promise.all(loops);
    },
    kill() {
      stopping.abort();
      for (const { launched } of running.values()) launched.kill();
    },
  };
}

async function keep(state: Supervision, part: SupervisedPart): Promise<void> {
  const { stopping, firstHealthy, events } = state;
  await Promise.all(part.after.map((name) => firstHealthy.get(name)?.promise));
  let failures = 0;
  for (let restarts = 0; !stopping.signal.aborted; restarts++) {
    const { how, exit, healthyForMs } = await runOnce(state, part, restarts);
    if (stopping.signal.aborted) return;
    if (exit?.code === EXIT_CONFIG && restarts === 0 && healthyForMs === undefined)
      throw new StackError(exit.reason ?? `${part.name} refuses its configuration`, EXIT_CONFIG);
    failures = (healthyForMs ?? 0) >= RECONNECTS.part.steadyMs ? 1 : failures + 1;
    const pauseMs = pauseAfter(RECONNECTS.part, failures);
    events.failed(`${part.name} ${how}; starting it again in ${pauseMs / 1000} s`);
    await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
}

async function runOnce(
  state: Supervision,
  part: SupervisedPart,
  restarts: number,
): Promise<{ how: string; exit?: Exit; healthyForMs?: number }> {
  const { stopping, launching, running, waiting, events } = state;
  const launchedAt = Date.now();
  const launch = part.launch(stopping.signal);
  launching.set(part.name, launch);
  let launched: LaunchedPart;
  try {
    launched = await launch;
  } catch (error) {
    if (error instanceof StackError && restarts === 0) throw error;
    return { how: `could not be started (${(error as Error).message})` };
  } finally {
    launching.delete(part.name);
  }
  running.set(part.name, { launched, startedAt: new Date(), restarts });
  events.changed();
  let healthyAt: number | undefined;
  const observe = async (): Promise<void> => {
    await launched.healthy;
    healthyAt = Date.now();
    noteHealthy(state, part.name, restarts > 0 ? undefined : healthyAt - launchedAt);
  };
  void observe();
  const exit = await launched.exited;
  running.delete(part.name);
  waiting.add(part.name);
  return {
    how: describeExit(exit),
    exit,
    ...(healthyAt === undefined ? {} : { healthyForMs: Date.now() - healthyAt }),
  };
}

/** Reports how long the first start took; after a failure, that the part is up again. */
function noteHealthy(
  { stopping, firstHealthy, waiting, ready, events }: Supervision,
  name: string,
  startMs: number | undefined,
): void {
  if (!stopping.signal.aborted) {
    if (startMs === undefined) events.recovered(`${name} is up again`);
    else events.started(name, startMs);
  }
  firstHealthy.get(name)?.resolve();
  waiting.delete(name);
  if (waiting.size === 0 && !stopping.signal.aborted) ready.resolve();
}

function describeExit({ code, signal, reason }: Exit): string {
  const how = signal !== null ? `was ended by ${signal}` : code !== null ? `ended with code ${code}` : 'ended';
  return reason === undefined ? how : `${how} (${reason})`;
}
