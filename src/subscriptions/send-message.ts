// One try to deliver a message. The address is a person's: it is reached only in public networks, what it answers is not
// read, and nothing of it is repeated beyond the status.
import { Agent, request } from 'undici';
import { connectPublicly } from '../net/connect-publicly.ts';

export interface MessageSender {
  send(url: string, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<Sent>;
  close(): Promise<void>;
}

/** `status` is what the address answered, if it did. */
export interface Sent {
  readonly status?: number;
  readonly failure?: string;
}

const TIMEOUT_MS = 15_000;
const USER_AGENT = 'service-subscriptions/1';

export function createMessageSender({ allowPrivateUrls }: { readonly allowPrivateUrls: boolean }): MessageSender {
  const connect = { timeout: 5_000 };
  const agent = new Agent({
    connections: 8,
    connect: allowPrivateUrls ? connect : connectPublicly(connect),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxHeaderSize: 16 * 1024,
  });
  return {
    async send(url, headers, body, signal) {
      try {
        const { statusCode: status, body: answer } = await request(url, {
          dispatcher: agent,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT },
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        });
        answer.on('error', () => {}).destroy();
        // A redirect would take the message to an address that nobody has entered.
        return status >= 200 && status < 300 ? { status } : { status, failure: `the address answered ${status}` };
      } catch (error) {
        if (signal.aborted) throw error;
        return { failure: explain(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

function explain(error: unknown): string {
  const [name, code] = error instanceof Error ? [error.name, 'code' in error ? String(error.code) : ''] : ['', ''];
  if (name === 'TimeoutError' || code.includes('TIMEOUT'))
    return `the address did not answer within ${TIMEOUT_MS / 1_000} s`;
  if (code === 'ECONNREFUSED') return 'the address refused the connection';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name of the address is unknown';
  if (code.startsWith('ERR_TLS') || code.includes('CERT')) return 'the certificate of the address is not valid';
  return 'the address could not be reached';
}
