// How a worker calls the service's MCP endpoint: each request carries the current token and has a time limit and a size
// cap; redirects are refused.

const TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export type ConnectFetch = typeof globalThis.fetch;

export function createConnectFetch(token: () => Promise<string>): ConnectFetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${await token()}`);
    const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])];
    const response = await fetch(input, { ...init, headers, redirect: 'error', signal: AbortSignal.any(signals) });
    return response.body
      ? new Response(response.body.pipeThrough(limitSize(MAX_RESPONSE_BYTES)), {
          status: response.status,
          headers: response.headers,
        })
      : response;
  };
}

function limitSize(limitBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > limitBytes) controller.error(new Error('response from the runtime is too large'));
      else controller.enqueue(chunk);
    },
  });
}
