// Amazon Bedrock: Anthropic's models through InvokeModel, others through its OpenAI-compatible path. Requests are signed
// when they are sent; a stream comes in AWS's own framing.
import { z } from 'zod';
import { createEventStreamReader, type EventMessage } from '../../clouds/read-event-stream.ts';
import { signAwsRequest } from '../../clouds/sign-aws-request.ts';
import type { UpstreamRequest } from '../../model-providers/call-upstream.ts';
import { parseKey } from './parse-key.ts';
import type { AccountRow } from './account-row.ts';

const visible = z.string().regex(/^[\x21-\x7e]+$/);
const awsKey = z.strictObject({
  accessKeyId: z.string().regex(/^\w{16,128}$/),
  secretAccessKey: visible,
  sessionToken: visible.optional(),
  region: z.string().regex(/^[a-z]{2}(?:-[a-z]+)+-\d$/),
});
type AwsKey = z.output<typeof awsKey>;

const STREAM = 'application/vnd.amazon.eventstream';

export const BEDROCK: AccountRow = {
  embeds: false,
  findUrlFault: ({ search }) =>
    search === '' ? undefined : 'must be an address such as https://bedrock-runtime.us-east-1.amazonaws.com',
  readKey(given) {
    const key = parseKey(awsKey, given);
    return key
      ? { key: JSON.stringify(key) }
      : { fault: 'must be a JSON object with accessKeyId, secretAccessKey, region and, for a session, sessionToken' };
  },
  authorize: (key, request) => ({
    ...request,
    authorize: () => sign(JSON.parse(key) as AwsKey, request),
    reframe: (contentType) => (contentType.startsWith(STREAM) ? createReframer() : undefined),
  }),
};

/** The body may be large: its hash is computed off the event loop. */
async function sign({ region, ...keys }: AwsKey, { url, body }: UpstreamRequest): Promise<Record<string, string>> {
  const hash = await crypto.subtle.digest('SHA-256', Buffer.from(body));
  return signAwsRequest(keys, {
    method: 'POST',
    url: new URL(url),
    headers: { 'content-type': 'application/json' },
    bodySha256: Buffer.from(hash).toString('hex'),
    service: 'bedrock',
    region,
    now: new Date(),
  });
}

/** Each chunk holds one of Anthropic's events. */
function createReframer(): (chunk: Buffer) => Buffer {
  const read = createEventStreamReader();
  return (chunk) => Buffer.from(read(chunk).map(toEvent).join(''));
}

const chunkForm = z.object({ bytes: z.base64() });
const eventForm = z.object({ type: z.string() });

function toEvent({ headers, payload }: EventMessage): string {
  const kind = headers.get(':message-type');
  if (kind === 'exception' || kind === 'error') return toErrorEvent(headers, payload);
  const { bytes } = chunkForm.parse(JSON.parse(payload.toString('utf8')));
  const event = Buffer.from(bytes, 'base64').toString('utf8');
  return `event: ${eventForm.parse(JSON.parse(event)).type}\ndata: ${event}\n\n`;
}

/** A failure in the middle of a stream, by its name at Bedrock. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  throttlingException: 'rate_limit_error',
  serviceUnavailableException: 'overloaded_error',
  modelTimeoutException: 'timeout_error',
  validationException: 'invalid_request_error',
};

function toErrorEvent(headers: EventMessage['headers'], payload: Buffer): string {
  const name = headers.get(':exception-type') ?? headers.get(':error-code') ?? '';
  const { data } = z.object({ message: z.string() }).safeParse(parseLoosely(payload));
  const message = data?.message ?? headers.get(':error-message') ?? 'The answer broke off.';
  const error = { type: EXCEPTIONS[name] ?? 'api_error', message };
  return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`;
}

function parseLoosely(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
