// How a provider would refuse a request, by path.
import type { IncomingHttpHeaders } from 'node:http';
import type { Refusal } from '../refusal.ts';
import { judgeMessages, type MessagesRuleName } from './judge-messages.ts';
import {
  type AccountRuleName,
  type ChatRuleName,
  type EmbeddingsRuleName,
  judgeAccount,
  judgeChat,
  judgeEmbeddings,
  judgeResponses,
  type ResponsesRuleName,
} from './judge-openai.ts';
import type { Kept } from './responses-rules.ts';

export type RuleName = MessagesRuleName | ChatRuleName | ResponsesRuleName | EmbeddingsRuleName | AccountRuleName;

export interface JudgedRequest {
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly kept?: Kept | undefined;
}

type Judge = (request: JudgedRequest, without: readonly RuleName[]) => Refusal | undefined;

/** The two providers, and a third party's OpenAI-compatible server. */
export type ProviderKind = 'provider' | 'account';

const JUDGES = {
  provider: {
    '/v1/messages': ({ headers, body }, without) => judgeMessages({ headers, body }, without),
    '/v1/messages/count_tokens': ({ headers, body }, without) =>
      judgeMessages({ headers, body, counting: true }, without),
    '/v1/chat/completions': ({ body }, without) => judgeChat(body, without),
    '/v1/responses': ({ body, kept }, without) => judgeResponses(body, kept, without),
    '/v1/embeddings': ({ body }, without) => judgeEmbeddings(body, without),
  },
  account: {
    '/v1/chat/completions': ({ body }, without) => judgeAccount(body, without),
    '/v1/embeddings': ({ body }, without) => judgeEmbeddings(body, without),
  },
} as const satisfies Record<ProviderKind, Readonly<Record<string, Judge>>>;

export function judgeRequest(
  request: JudgedRequest,
  kind: ProviderKind = 'provider',
  without: readonly RuleName[] = [],
): Refusal | undefined {
  const judges: Readonly<Record<string, Judge>> = JUDGES[kind];
  return Object.hasOwn(judges, request.path) ? judges[request.path]?.(request, without) : undefined;
}
