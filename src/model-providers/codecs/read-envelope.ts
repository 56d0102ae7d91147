import type { Protocol } from './neutral.ts';
import { createFaults, getBody, isObject, readFlag, readName, readNumber, TOKEN_COUNT } from './read-fields.ts';

export interface Envelope {
  /** The model as the client named it. */
  readonly model: string;
  readonly stream: boolean;
  readonly maxOutputTokens: number | undefined;
  /** The number of answers requested: each may use the whole limit. */
  readonly answers: number;
  /** Whether a streaming Chat Completions client wants the usage chunk. */
  readonly includeUsage: boolean;
}

const LIMITS = {
  chat: ['max_completion_tokens', 'max_tokens'],
  messages: ['max_tokens'],
  responses: ['max_output_tokens'],
} as const satisfies Record<Protocol, readonly string[]>;
const CONTENT = { chat: 'messages', messages: 'messages', responses: 'input' } as const satisfies Record<
  Protocol,
  string
>;

/** What must be known about a body before it is known which provider will answer. */
export function readEnvelope(protocol: Protocol, input: unknown): Envelope {
  const body = getBody(input);
  const faults = createFaults();
  const content = body[CONTENT[protocol]];
  if (protocol !== 'responses' && !Array.isArray(content)) faults.add(CONTENT[protocol], 'must be a list of messages');
  const limits = LIMITS[protocol].map((field) => readNumber(body[field], field, faults, TOKEN_COUNT));
  const envelope: Envelope = {
    model: readName(body['model'], 'model', faults),
    stream: readFlag(body['stream'], 'stream', faults) ?? false,
    maxOutputTokens: limits.find((limit) => limit !== undefined),
    answers:
      (protocol === 'chat' ? readNumber(body['n'], 'n', faults, { min: 1, max: 128, whole: true }) : undefined) ?? 1,
    includeUsage: isObject(body['stream_options']) && body['stream_options']['include_usage'] === true,
  };
  faults.throwAny();
  return envelope;
}
