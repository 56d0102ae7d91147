// The web server's one call to the runtime: start a run for a person. The caller makes the token; the idempotency
// key makes it safe to ask again when no answer came.
import { Pool } from 'undici';
import { AppError, ERRORS, type ErrorCode } from '../base/errors.ts';
import { traceHeaders } from '../base/telemetry.ts';
import type { JobOnWire } from '../contract/jobs.ts';

export interface RunOrder {
  readonly workspace: string;
  readonly objective: string;
  readonly model: string;
  readonly capabilities: readonly string[];
  readonly idempotencyKey: string;
}

export interface RunStarter {
  start(token: string, order: RunOrder, signal?: AbortSignal): Promise<JobOnWire>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const TRIES = 2;
/** The objective comes back in the answer, each of its characters escaped at worst. */
const ANSWER_MAX_BYTES = 2 * 1024 * 1024;
/** What these say is about our own token, not about the person who asked. */
const OURS: readonly string[] = ['unauthenticated', 'insufficient_scope', 'internal'];

export function createRunStarter(url: string, options: { timeoutMs?: number } = {}): RunStarter {
  const { timeoutMs = TIMEOUT_MS } = options;
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 8, connect: { timeout: timeoutMs } });
  const path = `${pathname.replace(/\/$/, '')}/agents/factory/jobs`;

  async function post(
    token: string,
    order: RunOrder,
    signal: AbortSignal | undefined,
  ): Promise<{ status: number; text: string }> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...traceHeaders() },
      body: JSON.stringify(order),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > ANSWER_MAX_BYTES) throw new Error('the answer of the runtime is too large');
      chunks.push(chunk);
    }
    return { status: statusCode, text: Buffer.concat(chunks).toString('utf8') };
  }

  return {
    async start(token, order, signal) {
      for (let tries = 1; ; tries++) {
        try {
          return read(await post(token, order, signal));
        } catch (error) {
          if (error instanceof AppError) throw error;
          if (tries >= TRIES || signal?.aborted) throw new AppError('runtime_unreachable', {}, { cause: error });
        }
      }
    },
    close: () => pool.destroy(),
  };
}

/** The run, or the runtime's refusal under its own code. */
function read({ status, text }: { status: number; text: string }): JobOnWire {
  const body = JSON.parse(text) as { job?: JobOnWire; error?: string; details?: Record<string, unknown> };
  if (status === 202 && typeof body.job?.id === 'string') return body.job;
  const code = body.error ?? '';
  if (OURS.includes(code) || !Object.hasOwn(ERRORS, code))
    throw new AppError('runtime_unreachable', {}, { cause: new Error(`the runtime answered ${status} ${code}`) });
  throw new AppError(code as ErrorCode, body.details);
}
