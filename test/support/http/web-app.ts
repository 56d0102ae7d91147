// The web server's app in this process, on a database of its own, and people with sessions to call it; with model
// settings of the test's own also a provider on a real socket behind both provider ids, and every line it logs.
import { createSecretKey, randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../../../src/base/config.ts';
import type { Database } from '../../../src/store/database.ts';
import { composeWebApp } from '../../../src/http/compose-web-app.ts';
import type { WebApp, WebDeps } from '../../../src/http/web/app.ts';
import { type ModelSettings, readModelSettings } from '../../../src/keys/model-settings.ts';
import { type SignUpRules, readSignUpRules } from '../../../src/tenancy/members/sign-up-rules.ts';
import { openTestDatabase, quiet } from '../database.ts';
import { type KeyProvider, startKeyProvider } from '../models/key-provider.ts';
import { addPerson, addSession, type Person } from '../people.ts';

export const PUBLIC_URL = 'http://localhost:4000';
export const CONNECT_KEY = createSecretKey(Buffer.from('the-connect-secret-of-the-tests'));
export const AUTH_SECRET = 'the-auth-secret-of-the-tests-000';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // The tests say what they expect of it.
  readonly body: Record<string, never>;
}

export interface Client extends Person {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface TestWeb {
  readonly app: WebApp;
  readonly db: Database;
  /** A new person, signed in. */
  signIn(name?: string): Promise<Client>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

export interface SettingsWeb extends TestWeb {
  readonly provider: KeyProvider;
  readonly settings: ModelSettings;
  readonly logged: string[];
  /** The same people on a server that was started with other settings. */
  restarted(settings: Partial<ModelSettings>): SettingsWeb;
}

interface TestWebOptions extends Pick<WebDeps, 'clock' | 'hashing' | 'mailer' | 'openid'> {
  readonly poolMax?: number;
  readonly rules?: Partial<SignUpRules>;
}

export async function openTestWeb({ poolMax = 4, rules, ...deps }: TestWebOptions = {}): Promise<TestWeb> {
  const db = await openTestDatabase({ poolMax });
  return serve({ db, rules: { ...readSignUpRules(readConfig({})), ...rules }, log: quiet, ...deps });
}

export async function openSettingsWeb(): Promise<SettingsWeb> {
  const db = await openTestDatabase({ poolMax: 4 });
  const provider = await startKeyProvider();
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const start = (settings: ModelSettings): SettingsWeb => ({
    ...serve({ db, log, models: settings }),
    provider,
    settings,
    logged,
    restarted: (changed) => start({ ...settings, ...changed }),
    async close() {
      await provider.close();
      await db.close();
    },
  });
  return start(
    readModelSettings(
      readConfig({
        BYOK_ENCRYPTION_KEY_B64: randomBytes(32).toString('base64'),
        OPENAI_API_URL: provider.url,
        ANTHROPIC_API_URL: provider.url,
      }),
    ),
  );
}

function serve(
  deps: Pick<WebDeps, 'db' | 'log' | 'rules' | 'models' | 'openid' | 'clock' | 'hashing' | 'mailer'>,
): TestWeb {
  const app = composeWebApp({
    ...deps,
    settings: { publicUrl: PUBLIC_URL, authSecret: AUTH_SECRET, allowPrivateUrls: false },
    key: CONNECT_KEY,
    browserApp: { respond: async () => undefined },
  });
  const call: TestWeb['call'] = async (method, path, body, headers = {}) => {
    const response = await app.request(`${PUBLIC_URL}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (/json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : {}) as Answer['body'],
    };
  };
  return {
    app,
    db: deps.db,
    call,
    async signIn(name) {
      const person = await addPerson(deps.db, name);
      const authorization = `Bearer ${await addSession(deps.db, person)}`;
      return {
        ...person,
        call: (method, path, body, headers) => call(method, path, body, { authorization, ...headers }),
      };
    },
    close: () => deps.db.close(),
  };
}
