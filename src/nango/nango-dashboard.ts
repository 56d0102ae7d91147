// The provider's dashboard API, for the one thing its public API cannot do: the public API accepts an integration for an
// app's MCP server, but only the dashboard registers a client with that server and shows whether there is one. Used only
// by operator commands; the service itself never signs in to the dashboard.
import { Agent } from 'undici';
import { z } from 'zod';
import { NangoError } from './nango-error.ts';
import { parseBody, parseErrorCode } from './nango-shapes.ts';
import { sendRequest } from './send-request.ts';

export interface DashboardAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

export interface NangoDashboard {
  /** Whether the integration has a client. */
  hasClient(key: string): Promise<boolean>;
  /** Creates the integration, with a client that the provider registers with the app. */
  registerIntegration(integration: { readonly key: string; readonly provider: string }): Promise<void>;
  close(): Promise<void>;
}

/** Registering a client involves the app. */
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;

const shown = z.object({ data: z.object({ integration: z.object({ oauth_client_id: z.string().nullish() }) }) });

export function createNangoDashboard({ url, username, password }: DashboardAccess): NangoDashboard {
  const agent = new Agent({ connections: 2, connect: { timeout: 5_000 } });
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

  async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Buffer> {
    const answer = await sendRequest(agent, {
      method,
      url: `${url}/api/v1${path}?env=prod`,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (answer.status < 200 || answer.status > 299)
      throw new NangoError('refused', { status: answer.status, code: parseErrorCode(answer.body) });
    return answer.body;
  }

  return {
    async hasClient(key) {
      const parsed = shown.safeParse(parseBody(await call('GET', `/integrations/${encodeURIComponent(key)}`)));
      if (!parsed.success) throw new NangoError('malformed');
      return Boolean(parsed.data.data.integration.oauth_client_id);
    },
    async registerIntegration({ key, provider }) {
      await call('POST', '/integrations', { provider, useSharedCredentials: false, integrationId: key });
    },
    close: () => agent.destroy(),
  };
}
