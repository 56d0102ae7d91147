// Whether the workspace's tools can be reached. Codex requires them once they are configured and would fail without them,
// so this is checked first.
import { RETRIES } from '../../timing/retry-policies.ts';
import { retry } from '../../timing/retry.ts';
import { appsUnreachable, type ConnectAccess } from '../agent/connect-tools.ts';

const TIMEOUT_MS = 20_000;
const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'service-run', version: '1' } },
};

export async function reachConnect(
  { url, fetch: send }: ConnectAccess,
  capabilities: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const sayHello = async (): Promise<boolean> => {
    const answer = await send(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(HELLO),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await answer.body?.cancel();
    return answer.status === 200;
  };
  const reached = await retry(RETRIES.appsOpen, sayHello, { signal }).catch(() => false);
  signal.throwIfAborted();
  if (!reached && capabilities.length > 0) throw appsUnreachable();
  return reached;
}
