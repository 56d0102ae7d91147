// Mail from the built processes to a real mail server: encrypted, signed in, refused and put off; and, without a server,
// to the local mailbox of npm start.
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '../support/built-entry.ts';
import {
  type Certificate,
  linkIn,
  makeCertificate,
  type MailServer,
  startMailServer,
} from '../support/mail/mail-server.ts';
import { needs } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

const PASSWORD = 'correct horse battery';
const DEBUG_TOKEN = 'the-debug-token-of-the-mail-test';
const ACCOUNT = { user: 'service', pass: 'pass/word of @mail' };
const PLAIN = { SERVICE_INTEGRATIONS_URL: 'off', SERVICE_LOG_LEVEL: 'info' };

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly cookie: string;
}

async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const { origin } = new URL(url);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify(body),
  });
  const cookie = response.headers.getSetCookie().map((one) => one.split(';')[0]);
  return { status: response.status, body: (await response.json()) as Answer['body'], cookie: cookie.join('; ') };
}

const signUp = ({ url }: TestStack, email: string): Promise<Answer> =>
  post(`${url}/api/auth/sign-up/email`, { name: 'Ada Flow', email, password: PASSWORD });

describe('with a mail server', needs('openssl'), () => {
  let certificate: Certificate;
  let server: MailServer;
  let stack: TestStack;
  let database: pg.Client;
  beforeAll(async () => {
    certificate = await makeCertificate();
    server = await startMailServer({ tls: certificate, secure: true, account: ACCOUNT });
    stack = await startStack({
      environment: {
        ...PLAIN,
        NODE_EXTRA_CA_CERTS: certificate.file,
        SERVICE_DEBUG_TOKEN: DEBUG_TOKEN,
        SERVICE_SMTP_URL: `smtps://${ACCOUNT.user}:${encodeURIComponent(ACCOUNT.pass)}@localhost:${server.port}`,
        SERVICE_MAIL_FROM: 'Service of Tests <service@example.test>',
      },
    });
    database = new pg.Client({ connectionString: stack.databaseUrl });
    await database.connect();
    await database.query(`set search_path to "${stack.schema}"`);
  });
  afterAll(async () => {
    await database?.end();
    await stack?.stop();
    await server?.close();
    await certificate?.remove();
  });

  const mailOf = async (recipient: string): Promise<{ failure: string | null; waits: boolean } | undefined> =>
    (
      await database.query<{ failure: string | null; waits: boolean }>(
        'select failure, next_at is not null as waits from mail where recipient = $1 order by id desc limit 1',
        [recipient],
      )
    ).rows[0];

  it('brings a link for a lost password to the address of the account, and back in', async () => {
    const email = 'lost@example.test';
    await signUp(stack, email);
    expect((await post(`${stack.url}/api/auth/forgot-password`, { email }, { 'accept-language': 'de' })).body).toEqual({
      ok: true,
    });
    const mail = await server.receive(email);
    expect(mail).toMatchObject({
      subject: 'Neues Passwort wählen',
      from: { name: 'Service of Tests', address: 'service@example.test' },
      user: ACCOUNT.user,
      secure: true,
    });
    const link = new URL(linkIn(mail));
    expect(link.href.startsWith(`${stack.url}/reset-password#`)).toBe(true);
    const reset = { token: link.hash.slice(1), password: 'another horse battery' };
    expect((await post(`${stack.url}/api/auth/reset-password`, reset)).body).toEqual({ ok: true });
    expect((await post(`${stack.url}/api/auth/sign-in/email`, { email, password: reset.password })).status).toBe(200);
    const logs = join(stack.dataDirectory, 'logs');
    const lines = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), 'utf8')));
    expect(lines.join('')).toContain('schema is current');
    for (const secret of [reset.token, email, encodeURIComponent(ACCOUNT.pass)])
      expect(lines.join('')).not.toContain(secret);
  });

  it('sends invitations, gives up the ones that are refused, and tries again those that are put off', async () => {
    const owner = await signUp(stack, 'owner@example.test');
    const session = { cookie: owner.cookie };
    const made = await post(`${stack.url}/api/organizations`, { name: 'Nova\u00a0Team' }, session);
    const { id } = made.body['organization'] as { id: string };
    const invite = (email: string): Promise<Answer> =>
      post(`${stack.url}/api/organizations/${id}/invitations`, { email, role: 'member' }, session);
    const { body } = await invite('guest@example.test');
    expect(body).toMatchObject({ sent: true });
    const mail = await server.receive('guest@example.test');
    expect(mail.subject).toContain('Nova');
    expect(linkIn(mail)).toBe((body['invitation'] as { url: string }).url);

    await invite('refused@example.test');
    expect(
      await poll(async () =>
        (await mailOf('refused@example.test'))?.waits === false ? mailOf('refused@example.test') : undefined,
      ),
    ).toEqual({
      failure: 'the mail server refused it (550)',
      waits: false,
    });
    await invite('greylisted@example.test');
    await poll(async () => (await mailOf('greylisted@example.test'))?.failure === 'the mail server put it off (451)');
    // The time has come.
    await database.query("update mail set next_at = now() where recipient = 'greylisted@example.test'");
    const started = await post(
      `${stack.url}/service-debug/jobs`,
      { task: 'mail' },
      { authorization: `Bearer ${DEBUG_TOKEN}` },
    );
    expect(started.status).toBe(202);
    expect((await server.receive('greylisted@example.test')).subject).toContain('Nova');
  });

  it('gives an operator a link that needs no mail', async () => {
    const email = 'locked-out@example.test';
    const { body } = await signUp(stack, email);
    const { id } = body['user'] as { id: string };
    const path = `${stack.url}/service-debug/people/${id}/reset-password`;
    const made = await post(path, {}, { authorization: `Bearer ${DEBUG_TOKEN}` });
    const token = new URL(String(made.body['link'])).hash.slice(1);
    expect(
      (await post(`${stack.url}/api/auth/reset-password`, { token, password: 'another horse battery' })).status,
    ).toBe(200);
  });
});

describe('without a mail server', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startStack({ environment: PLAIN });
  });
  afterAll(() => stack?.stop());

  it('shows what would have been sent to this machine only', async () => {
    const email = 'shown@example.test';
    await signUp(stack, email);
    await post(`${stack.url}/api/auth/forgot-password`, { email });
    const { url = '' } = (await stack.state()).parts['local-mailbox'] ?? {};
    const [mail] = await poll(async () => {
      const { mails } = (await (await fetch(`${url}/mails.json`)).json()) as {
        mails: { id: number; to: string[]; html: string }[];
      };
      return mails.length > 0 && mails;
    });
    expect(mail?.to).toEqual([email]);
    const html = await fetch(`${url}/mails/${mail?.id}/html`);
    expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*; sandbox /);
    const { hostname, port } = new URL(url);
    expect(hostname).toBe('127.0.0.1');
    const rebound = await new Promise<string>((resolve) => {
      const client = spawn(process.execPath, [
        '-e',
        `require('http').get({host:'127.0.0.1',port:${port},headers:{host:'evil.example:${port}'}},(answer)=>{console.log(answer.statusCode);answer.resume()})`,
      ]);
      client.stdout.on('data', (chunk: Buffer) => resolve(String(chunk).trim()));
    });
    expect(rebound).toBe('403');
  });
});

describe('half a configuration', () => {
  const run = (
    program: string,
    environment: Record<string, string>,
  ): Promise<{ code: number | null; stderr: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [program], {
        env: { PATH: process.env['PATH'] ?? '', ...environment },
        cwd: join(import.meta.dirname, '..', '..'),
      });
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)));
      child.on('close', (code) => resolve({ code, stderr }));
    });

  it.each([
    ['stack', { SERVICE_SMTP_URL: 'smtp://mail.example.test' }, /SERVICE_SMTP_URL is set without SERVICE_MAIL_FROM/],
    ['stack', { SERVICE_MAIL_FROM: 'service@example.test' }, /SERVICE_MAIL_FROM is set without SERVICE_SMTP_URL/],
    ['stack', { SERVICE_SMTP_URL: 'http://mail.example.test' }, /SERVICE_SMTP_URL takes a URL of the form smtp:/],
    ['web', { SERVICE_MAIL_FROM: 'service@example.test\nbcc: all' }, /SERVICE_MAIL_FROM takes one address/],
  ] as const)('stops %s with one line for %j', async (program, environment, line) => {
    const { code, stderr } = await run(builtEntry(program), environment);
    expect(code).toBe(78);
    expect(stderr).toMatch(line);
  });
});
