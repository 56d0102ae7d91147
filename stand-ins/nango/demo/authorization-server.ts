// The demo authorization server: one consent page, codes bound to PKCE, access tokens that expire, refresh tokens that
// rotate, revocation. It has no accounts: anyone who sees the page can allow access.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { findIntegration } from '../integrations.ts';
import type { LocalDeps } from '../local-settings.ts';
import { escapeHtml, hidden, problemPage, renderPage } from '../pages.ts';
import { demoClient, hashToken, newToken } from '../secrets.ts';

const CODE_MINUTES = 5;

export function createAuthorizationServer(deps: LocalDeps): Hono {
  const { db, settings } = deps;
  const app = new Hono();

  app.get('/authorize', async (c) => {
    const query = new URL(c.req.url).searchParams;
    const integration = await findIntegration(deps, (query.get('client_id') ?? '').replace(/^demo-/, ''));
    if (!integration || query.get('redirect_uri') !== settings.callbackUrl)
      return problemPage('This request is not valid', 'The application or its redirect URL is unknown.', 400);
    if (
      query.get('response_type') !== 'code' ||
      query.get('code_challenge_method') !== 'S256' ||
      !query.get('code_challenge')
    )
      return problemPage('This request is not valid', 'Only the authorization code flow with PKCE is supported.', 400);
    const fields = ['client_id', 'state', 'code_challenge'].map((name) => hidden(name, query.get(name) ?? '')).join('');
    return renderPage({
      title: `Allow access to ${integration.display_name}?`,
      body: `<p>This is a stand-in for the consent page of ${escapeHtml(integration.display_name)}. No account is involved, and all data is made up.</p>
        <form method="post" action="decision">${fields}
        <button class="primary" name="decision" value="allow">Allow</button><button class="plain" name="decision" value="deny">Deny</button></form>`,
      formsEndAt: [new URL(settings.callbackUrl).origin],
    });
  });

  app.post('/decision', async (c) => {
    const form = await readForm(c.req.raw);
    const target = new URL(settings.callbackUrl);
    target.searchParams.set('state', form.get('state') ?? '');
    if (form.get('decision') === 'allow') target.searchParams.set('code', await issueCode(deps, form));
    else target.searchParams.set('error', 'access_denied');
    return c.redirect(target.href, 303);
  });

  app.post('/token', async (c) => {
    const client = readClient(c.req.header('authorization'), settings.secretKey);
    if (client === undefined) return c.json({ error: 'invalid_client' }, 401);
    const form = await readForm(c.req.raw);
    const grant =
      form.get('grant_type') === 'refresh_token'
        ? await useRefreshToken(deps, client, form)
        : await useCode(deps, client, form);
    if (grant === undefined) return c.json({ error: 'invalid_grant' }, 400);
    const [access, refresh] = [newToken('demo_at'), newToken('demo_rt')];
    await db.query(
      'update :schema.demo_grant set access_hash = $2, access_expires = now() + make_interval(secs => $3), refresh_hash = $4 where id = $1',
      [grant, hashToken(access), settings.tokenSeconds, hashToken(refresh)],
    );
    return c.json(
      {
        access_token: access,
        token_type: 'bearer',
        expires_in: settings.tokenSeconds,
        refresh_token: refresh,
        scope: 'demo',
      },
      200,
      { 'cache-control': 'no-store' },
    );
  });

  app.post('/revoke', async (c) => {
    const form = await readForm(c.req.raw);
    const hash = hashToken(form.get('token') ?? '');
    await db.query('update :schema.demo_grant set revoked = true where access_hash = $1 or refresh_hash = $1', [hash]);
    return c.body(null, 200);
  });

  return app;
}

async function issueCode({ db }: LocalDeps, form: URLSearchParams): Promise<string> {
  const code = newToken('code');
  await db.query('delete from :schema.demo_grant where code_hash is not null and code_expires < now()');
  await db.query(
    `insert into :schema.demo_grant (client_id, code_hash, code_challenge, code_expires) values ($1, $2, $3, now() + interval '${CODE_MINUTES} minutes')`,
    [form.get('client_id') ?? '', hashToken(code), form.get('code_challenge') ?? ''],
  );
  return code;
}

async function useCode(
  { db, settings }: LocalDeps,
  client: string,
  form: URLSearchParams,
): Promise<number | undefined> {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const { rows } = await db.query<{ id: number }>(
    'update :schema.demo_grant set code_hash = null where code_hash = $1 and client_id = $2 and code_challenge = $3 and code_expires > now() and $4 = $5 returning id',
    [hashToken(form.get('code') ?? ''), client, challenge, form.get('redirect_uri') ?? '', settings.callbackUrl],
  );
  return rows[0]?.id;
}

async function useRefreshToken({ db }: LocalDeps, client: string, form: URLSearchParams): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    'update :schema.demo_grant set refresh_hash = null where refresh_hash = $1 and client_id = $2 and not revoked returning id',
    [hashToken(form.get('refresh_token') ?? ''), client],
  );
  return rows[0]?.id;
}

/** Whether demo apps currently accept the token. */
export async function isLiveToken({ db }: Pick<LocalDeps, 'db'>, token: string): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from :schema.demo_grant where access_hash = $1 and access_expires > now() and not revoked',
    [hashToken(token)],
  );
  return rows.length === 1;
}

function readClient(authorization: string | undefined, secretKey: string): string | undefined {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? [];
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const expected = demoClient(secretKey, id.replace(/^demo-/, ''));
  const [a, b] = [hashToken(secret), hashToken(expected.secret)];
  return id === expected.id && timingSafeEqual(a, b) ? id : undefined;
}

const MAX_FORM_BYTES = 64 * 1024;

export async function readForm(request: Request): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_FORM_BYTES) return new URLSearchParams();
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
