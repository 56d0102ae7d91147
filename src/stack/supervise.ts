// Keeps parts running. Each part has a loop of its own: wait for the parts it needs, start, wait until it answers,
// wait until it ends, pause, start again. Stopping goes through the parts in the reverse of their order.
import { setTimeout as sleep } from 'node:timers/promises';
import { backOffMs, FORGIVEN_AFTER_MS } from './back-off.ts';
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
  /** Asks it to stop, and makes it after its time. */
  stop(): Promise<void>;
  kill(): void;
}

export interface SupervisedPart {
  readonly name: string;
  readonly after: readonly string[];
  launch(stopping: AbortSignal): Promise<LaunchedPart>;
}

export interface SupervisorEvents {
  /** A part answers for the first time. */
  started(name: string, durationMs: number): void;
  /** A part ended, or could not be started, and is tried again. */
  failed(line: string): void;
  /** It answers again. */
  recovered(line: string): void;
  /** Something in `running` changed. */
  changed(): void;
}

export interface RunningPart {
  readonly launched: LaunchedPart;
  readonly startedAt: Date;
  readonly restarts: number;
}

export interface Supervisor {
  /** Resolves at the first moment at which every part answers; rejects when one can never start. */
  readonly ready: Promise<void>;
  readonly running: ReadonlyMap<string, RunningPart>;
  /** Parts that do not answer now. */
  readonly waiting: ReadonlySet<string>;
  stop(): Promise<void>;
  kill(): void;
}

export function supervise(parts: readonly SupervisedPart[], events: SupervisorEvents): Supervisor {
  const stopping = new AbortController();
  const running = new Map<string, RunningPart>();
  const launching = new Map<string, Promise<LaunchedPart>>();
  const firstHealthy = new Map(parts.map(({ name }) => [name, Promise.withResolvers<void>()]));
  const waiting = new Set(firstHealthy.keys());
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => {});

  async function keep(part: SupervisedPart): Promise<void> {
    await Promise.all(part.after.map((name) => firstHealthy.get(name)?.promise));
    let failures = 0;
    for (let restarts = 0; !stopping.signal.aborted; restarts++) {
      const { how, exit, healthyForMs } = await runOnce(part, restarts);
      if (stopping.signal.aborted) return;
      if (exit?.code === EXIT_CONFIG && restarts === 0 && healthyForMs === undefined)
        throw new StackError(exit.reason ?? `${part.name} refuses its configuration`, EXIT_CONFIG);
      failures = (healthyForMs ?? 0) >= FORGIVEN_AFTER_MS ? 1 : failures + 1;
      const pauseMs = backOffMs(failures);
      events.failed(`${part.name} ${how}; starting it again in ${pauseMs / 1000} s`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function runOnce(
    part: SupervisedPart,
    restarts: number,
  ): Promise<{ how: string; exit?: Exit; healthyForMs?: number }> {
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
      if (!stopping.signal.aborted) {
        if (restarts > 0) events.recovered(`${part.name} is up again`);
        else events.started(part.name, healthyAt - launchedAt);
      }
      firstHealthy.get(part.name)?.resolve();
      waiting.delete(part.name);
      if (waiting.size === 0 && !stopping.signal.aborted) ready.resolve();
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

  const loops = parts.map((part) => keep(part).catch((error: unknown) => ready.reject(error)));

  return {
    ready: ready.promise,
    running,
    waiting,
    async stop() {
      stopping.abort();
      // Loops that still wait for another part end here and, seeing the abort, start nothing.
      for (const { resolve } of firstHealthy.values()) resolve();
      for (const { name } of parts.toReversed()) {
        const launched = (await launching.get(name)?.catch(() => undefined)) ?? running.get(name)?.launched;
        await launched?.stop();
      }
      await Promise.all(loops);
    },
    kill() {
      stopping.abort();
      for (const { launched } of running.values()) launched.kill();
    },
  };
}

function describeExit({ code, signal, reason }: Exit): string {
  const how = signal !== null ? `was ended by ${signal}` : code !== null ? `ended with code ${code}` : 'ended';
  return reason === undefined ? how : `${how} (${reason})`;
}
