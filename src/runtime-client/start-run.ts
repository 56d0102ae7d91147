// The web server's one call to the runtime: start a run for a user. The caller creates the token; the idempotency key
// makes it safe to retry if no answer came.
import { Pool } from 'undici';
import { AppError, ERRORS, type ErrorCode } from '../base/errors.ts';
import { traceHeaders } from '../telemetry/telemetry.ts';
import type { JobOnWire } from '../contract/jobs.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import { retry } from '../timing/retry.ts';

/** A run from a recipe: what is started is decided where the recipe is. */
interface RecipeOrder {
  readonly recipe: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly idempotencyKey: string;
}

interface RunOrder {
  readonly workspace: string;
  readonly objective: string;
  readonly project?: string;
  readonly model: string;
  readonly capabilities: readonly string[];
  readonly idempotencyKey: string;
}

export interface RunStarter {
  start(token: string, order: RunOrder | RecipeOrder, signal?: AbortSignal): Promise<JobOnWire>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** The answer repeats the objective, with every character escaped in the worst case. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** Errors about our own token, not about the user's request. */
const TOKEN_ERRORS: readonly string[] = ['unauthenticated', 'insufficient_scope', 'internal'];

export function createRunStarter(url: string, options: { timeoutMs?: number } = {}): RunStarter {
  const { timeoutMs = TIMEOUT_MS } = options;
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 8, connect: { timeout: timeoutMs } });
  const base = pathname.replace(/\/$/, '');

  async function post(
    token: string,
    order: RunOrder | RecipeOrder,
    signal: AbortSignal | undefined,
  ): Promise<RunAnswer> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const { path, body: sent } = requestOf(order);
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `${base}${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...traceHeaders() },
      body: JSON.stringify(sent),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) throw new Error('response from the runtime is too large');
      chunks.push(chunk);
    }
    return { status: statusCode, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as RunAnswer['body'] };
  }

  return {
    async start(token, order, signal) {
      const answer = await retry(RETRIES.runStart, () => post(token, order, signal), { signal }).catch(
        (cause: unknown) => {
          throw new AppError('runtime_unreachable', {}, { cause });
        },
      );
      return read(answer);
    },
    close: () => pool.destroy(),
  };
}

function requestOf(order: RunOrder | RecipeOrder): { path: string; body: object } {
  if (!('recipe' in order)) return { path: '/agents/factory/jobs', body: order };
  const { recipe, ...body } = order;
  return { path: `/recipes/${encodeURIComponent(recipe)}/run`, body };
}

interface RunAnswer {
  readonly status: number;
  readonly body: { job?: JobOnWire; error?: string; details?: Record<string, unknown> } | null;
}

/** Returns the run, or throws the runtime's refusal with its code. */
function read({ status, body }: RunAnswer): JobOnWire {
  if (status === 202 && typeof body?.job?.id === 'string') return body.job;
  const code = body?.error ?? '';
  if (TOKEN_ERRORS.includes(code) || !Object.hasOwn(ERRORS, code))
    throw new AppError('runtime_unreachable', {}, { cause: new Error(`runtime answered ${status} ${code}`) });
  throw new AppError(code as ErrorCode, body?.details);
}
