// The web server's app with model settings of the test's own, a provider on a real socket behind both provider ids,
// and every line it logs.
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { readConfig } from '../../../src/base/config.ts';
import { composeWebApp } from '../../../src/http/compose-web-app.ts';
import { type ModelSettings, readModelSettings } from '../../../src/keys/model-settings.ts';
import type { Database } from '../../../src/store/database.ts';
import { openTestDatabase } from '../database.ts';
import { type KeyProvider, startKeyProvider } from '../models/key-provider.ts';
import { addPerson, addSession, type Person } from '../people.ts';
import { AUTH_SECRET, CONNECT_KEY, PUBLIC_URL } from './web-app.ts';

export interface Answered {
  readonly status: number;
  readonly text: string;
  // The tests say what they expect of it.
  readonly body: Record<string, never>;
}

export interface Caller extends Person {
  call(method: string, path: string, body?: unknown): Promise<Answered>;
  /** For answers that are not JSON. */
  callText(method: string, path: string): Promise<{ status: number; headers: Headers; text: string }>;
}

export interface SettingsWeb {
  readonly db: Database;
  readonly provider: KeyProvider;
  readonly settings: ModelSettings;
  readonly logged: string[];
  signIn(name?: string): Promise<Caller>;
  /** The same people on a server that was started with other settings. */
  restarted(settings: Partial<ModelSettings>): SettingsWeb;
  close(): Promise<void>;
}

export async function openSettingsWeb(settings: Partial<ModelSettings> = {}): Promise<SettingsWeb> {
  const db = await openTestDatabase({ poolMax: 4 });
  const provider = await startKeyProvider();
  const base = readModelSettings(
    readConfig({
      BYOK_ENCRYPTION_KEY_B64: randomBytes(32).toString('base64'),
      OPENAI_API_URL: provider.url,
      ANTHROPIC_API_URL: provider.url,
    }),
  );
  return serve(db, provider, { ...base, ...settings }, []);
}

function serve(db: Database, provider: KeyProvider, settings: ModelSettings, logged: string[]): SettingsWeb {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const app = composeWebApp({
    db,
    log,
    settings: { publicUrl: PUBLIC_URL, authSecret: AUTH_SECRET, allowPrivateUrls: false },
    key: CONNECT_KEY,
    browserApp: { respond: async () => undefined },
    models: settings,
  });
  return {
    db,
    provider,
    settings,
    logged,
    async signIn(name) {
      const person = await addPerson(db, name);
      const authorization = `Bearer ${await addSession(db, person)}`;
      return {
        ...person,
        async call(method, path, body) {
          const response = await app.request(`${PUBLIC_URL}${path}`, {
            method,
            headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
            ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
          });
          const text = await response.text();
          return { status: response.status, text, body: JSON.parse(text) as Answered['body'] };
        },
        async callText(method, path) {
          const response = await app.request(`${PUBLIC_URL}${path}`, { method, headers: { authorization } });
          return { status: response.status, headers: response.headers, text: await response.text() };
        },
      };
    },
    restarted: (changed) => serve(db, provider, { ...settings, ...changed }, logged),
    async close() {
      await provider.close();
      await db.close();
    },
  };
}
