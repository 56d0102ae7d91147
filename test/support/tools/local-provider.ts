// The local integration provider in this process, on real sockets and a schema of its own, and a browser of sorts that
// fills in its pages.
import { getRequestListener } from '@hono/node-server';
import { inject } from 'vitest';
import { loadConnectors } from '../../../src/catalog/load-connectors.ts';
import { serve } from '../../../src/http/shell/serve.ts';
import { createLocalApi } from '../../../stand-ins/nango/api-app.ts';
import { createConnectApp } from '../../../stand-ins/nango/connect-app.ts';
import type { LocalDeps, LocalSettings } from '../../../stand-ins/nango/local-settings.ts';
import { migrateLocal } from '../../../stand-ins/nango/tables.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { newSchemaName, quiet } from '../database.ts';
import { SECRET_KEY } from './fake-nango.ts';
import { freePort } from '../free-port.ts';

export interface LocalProvider {
  readonly url: string;
  readonly deps: LocalDeps;
  close(): Promise<void>;
}

export async function startLocalProvider(change: Partial<LocalSettings> = {}): Promise<LocalProvider> {
  const [apiPort, connectPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${apiPort}`;
  const db = await openDatabase({
    url: inject('postgresUrl'),
    schema: newSchemaName(),
    poolMax: 4,
    applicationName: 'test',
    log: quiet,
  });
  await migrateLocal(db);
  const settings: LocalSettings = {
    secretKey: SECRET_KEY,
    webhookSecret: 'unheard',
    publicApiUrl: url,
    apiUrl: url,
    connectUrl: `http://127.0.0.1:${connectPort}/`,
    callbackUrl: `${url}/oauth/callback`,
    appUrl: `${url}/`,
    webhookUrl: `${url}/nowhere`,
    tokenSeconds: 3_600,
    ...change,
  };
  const deps: LocalDeps = {
    db,
    log: quiet,
    catalog: loadConnectors(),
    settings,
    running: { version: '0', build: 'abc' },
  };
  const servers = [
    await serve(getRequestListener(createLocalApi(deps).fetch), { port: apiPort }),
    await serve(getRequestListener(createConnectApp(deps).fetch), { port: connectPort }),
  ];
  return {
    url,
    deps,
    async close() {
      for (const { server } of servers) server.closeAllConnections();
      await Promise.all(servers.map((server) => server.close()));
      await db.close();
    },
  };
}

export interface Visited {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

export async function visit(url: string): Promise<Visited> {
  const response = await fetch(url);
  return { url: response.url, status: response.status, html: await response.text() };
}

/** Fills in and sends the page's first form, following redirects, as a browser without scripts does. */
export async function submit({ url, html }: Visited, fields: Record<string, string> = {}): Promise<Visited> {
  const [, action = ''] = /<form method="post" action="([^"]*)"/.exec(html) ?? [];
  const body = new URLSearchParams();
  for (const [, name = '', value = ''] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
    body.set(
      name,
      value.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
    );
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const response = await fetch(new URL(action, url), { method: 'POST', body });
  return { url: response.url, status: response.status, html: await response.text() };
}
