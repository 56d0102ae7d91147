// One turn over /v1/chat/completions.
import type { Account } from '../account.ts';
import { requireToken } from '../account.ts';
import { readEvents } from '../api/read-events.ts';
import { send } from '../api/send.ts';
import { toFailure } from '../api/to-failure.ts';
import { Failure } from '../failure.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatPrompt {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly workspace?: string | undefined;
  readonly reasoning_effort?: string;
  readonly temperature?: number;
}

const TIMEOUT_MS = 10 * 60_000;

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly error?: unknown;
}

function sending(account: Account, { workspace, ...body }: ChatPrompt, stream: boolean): Parameters<typeof send>[2] {
  return {
    bearer: requireToken(account),
    body: { ...body, ...(stream ? { stream: true } : {}) },
    timeoutMs: TIMEOUT_MS,
    ...(workspace === undefined ? {} : { headers: { 'x-service-workspace': workspace } }),
  };
}

/** Who paid for an answer, from the response headers. */
export interface Payment {
  readonly credential: string;
  readonly provider: string | null;
  /** The model that answered, if the request named an automatic one or a route. */
  readonly served?: string;
}

function readPayment({ headers }: Response): Payment | undefined {
  const credential = headers.get('x-service-credential');
  if (credential === null) return undefined;
  const served = headers.get('x-service-model');
  return { credential, provider: headers.get('x-service-provider'), ...(served === null ? {} : { served }) };
}

const PAYERS: Readonly<Record<string, string>> = {
  'own-key': 'your own key',
  'models-account': "the workspace's Models account",
  platform: 'platform credit',
};

/** Describes which provider answered and which credential paid. */
export function describePayment({ credential, provider, served }: Payment): string {
  return `answered by ${served ?? provider ?? 'a provider'}, paid with ${PAYERS[credential] ?? credential}`;
}

export async function answerWhole(
  account: Account,
  question: ChatPrompt,
): Promise<{ readonly text: string; readonly body: unknown }> {
  const answer = await send(account.url, '/v1/chat/completions', sending(account, question, false));
  const body = (await answer.json()) as { choices?: { message?: { content?: string | null } }[] };
  return { text: body.choices?.[0]?.message?.content ?? '', body: { ...body, ...readPayment(answer) } };
}

interface AnswerInPieces {
  readonly payment: Payment | undefined;
  readonly pieces: AsyncGenerator<{ readonly text: string; readonly chunk: unknown }>;
}

export async function answerInPieces(
  account: Account,
  question: ChatPrompt,
  signal?: AbortSignal,
): Promise<AnswerInPieces> {
  const answer = await send(account.url, '/v1/chat/completions', {
    ...sending(account, question, true),
    accept: 'text/event-stream',
    stream: true,
    signal,
  });
  return { payment: readPayment(answer), pieces: readPieces(answer) };
}

/** Yields the chunks as they arrive. An error in the middle of the stream throws. */
async function* readPieces(answer: Response): AnswerInPieces['pieces'] {
  for await (const { data } of readEvents(answer)) {
    if (data === '[DONE]') return;
    const chunk = parseChunk(data);
    if (chunk.error !== undefined) throw toFailure(502, chunk);
    yield { text: chunk.choices?.[0]?.delta?.content ?? '', chunk };
  }
  throw new Failure('the answer was cut off', { next: 'Ask again.' });
}

function parseChunk(data: string): Chunk {
  try {
    return JSON.parse(data) as Chunk;
  } catch {
    throw new Failure('the service sent a chunk that is not JSON', { next: 'Ask again.' });
  }
}
