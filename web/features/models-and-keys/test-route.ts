// Asks a route one short question in a chat of the person's own, which is deleted afterwards, and reads from the answer's
// headers what a client of the API would read there.
import { ORPCError } from '@orpc/client';
import { errorCode } from '../../api/fault.ts';
import { client } from '../../api/client.ts';

export interface RouteTest {
  readonly served: string;
  readonly tried: readonly { readonly model: string; readonly reason: string }[];
}

export async function testRoute(organization: string, model: string): Promise<RouteTest> {
  const response = await fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organization, model, mode: 'answer', message: { text: 'Reply with the word OK.' } }),
  });
  const { headers } = response;
  const text = await response.text();
  const thread = headers.get('x-service-thread');
  if (thread !== null) await client.threads.remove({ thread });
  if (response.ok) return { served: headers.get('x-service-model') ?? '', tried: readTried(headers) };
  const body: unknown = JSON.parse(text);
  throw new ORPCError(errorCode(body, response.status), { status: response.status, data: body });
}

/** `openai/gpt-5.4;reason=timeout, …` */
function readTried(headers: Headers): RouteTest['tried'] {
  return (headers.get('x-service-tried') ?? '').split(', ').flatMap((one) => {
    const [model = '', reason = ''] = one.split(';reason=');
    return model === '' ? [] : [{ model, reason }];
  });
}
