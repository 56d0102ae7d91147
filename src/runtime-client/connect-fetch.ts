// How a worker reaches the service's own MCP endpoint: every request carries the token that is valid at that moment,
// takes so long and answers with so much, and no redirect is followed.

const TIMEOUT_MS = 60_000;
const ANSWER_MAX_BYTES = 16 * 1024 * 1024;

export type ConnectFetch = typeof globalThis.fetch;

export function createConnectFetch(token: () => Promise<string>): ConnectFetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await token()}`);
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])];
    const response = await fetch(input, { ...init, headers, redirect: 'error', signal: AbortSignal.any(signals) });
    return response.body
      ? new Response(response.body.pipeThrough(atMost(ANSWER_MAX_BYTES)), {
          status: response.status,
          headers: response.headers,
        })
      : response;
  };
}

function atMost(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > limitBytes) controller.error(new Error('the answer of the runtime is too large'));
      else controller.enqueue(chunk);
    },
  });
}
