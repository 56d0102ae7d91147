import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Certificate,
  makeCertificate,
  type MailServerSettings,
  startMailServer,
} from '../../test/support/mail/mail-server.ts';
import { needs } from '../../test/support/needs.ts';
import { judgeFailure, openSmtpSender, probeServer, type SendProblem, smtpOptions } from './smtp-sender.ts';

const FROM = { name: 'Service', address: 'service@example.test' };
const ACCOUNT = { user: 'ada@example.test', pass: 'secret:/@' };
const given = `${encodeURIComponent(ACCOUNT.user)}:${encodeURIComponent(ACCOUNT.pass)}`;

async function send(url: string, to = 'ada@example.test'): Promise<SendProblem | undefined> {
  const sender = openSmtpSender(url, FROM);
  try {
    const mail = { id: 'mail_1', to, subject: 'Subject', text: 'Text', html: '<p>Text</p>' };
    return await sender.send(mail, new AbortController().signal);
  } finally {
    sender.close();
  }
}

async function open(settings: MailServerSettings) {
  const server = await startMailServer(settings);
  onTestFinished(() => server.close());
  return server;
}

it.each([
  ['smtp://mail.example.test', { port: 587, secure: false, requireTLS: true }],
  ['smtp://mail.example.test:25', { port: 25, secure: false, requireTLS: true }],
  ['smtps://mail.example.test', { port: 465, secure: true, requireTLS: false }],
  ['smtp://localhost:1025', { port: 1025, secure: false, requireTLS: false, tls: { rejectUnauthorized: false } }],
  ['smtp://[::1]:1025', { host: '::1', requireTLS: false }],
  [`smtps://${given}@mail.example.test`, { auth: ACCOUNT }],
])('reads %s', (url, expected) => expect(smtpOptions(url)).toMatchObject(expected));

it('never lowers the demands on the certificate of another machine', () => {
  expect(smtpOptions('smtp://mail.example.test')).not.toHaveProperty('tls');
  expect(smtpOptions('smtps://localhost')).not.toHaveProperty('tls');
});

it('sends nothing in clear text to another machine', needs('network'), async () => {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.internal === false && one.family === 'IPv4')?.address;
  const server = await open({ host: '0.0.0.0' });
  expect(await send(`smtp://${address}:${server.port}`)).toEqual({
    reason: 'the connection to the mail server could not be encrypted',
    final: false,
    reachable: false,
  });
  expect(server.received).toEqual([]);
});

describe('with a certificate that nobody vouches for', needs('openssl'), () => {
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await makeCertificate();
  });
  afterAll(() => certificate?.remove());

  it('takes it for a server on this machine, and not where it was asked to encrypt', async () => {
    const server = await open({ tls: certificate, account: ACCOUNT });
    expect(await send(`smtp://${given}@localhost:${server.port}`)).toBeUndefined();
    expect(server.received).toMatchObject([{ secure: true, user: ACCOUNT.user, messageId: '<mail_1@example.test>' }]);
    const encrypted = await open({ tls: certificate, secure: true, account: ACCOUNT });
    expect(await send(`smtps://${given}@localhost:${encrypted.port}`)).toMatchObject({
      reason: 'the certificate of the mail server is not valid',
    });
  });

  it('says which of the steps fails, before anything is sent', async () => {
    const server = await open({ tls: certificate, account: ACCOUNT });
    expect(await probeServer(`smtp://${given}@localhost:${server.port}`)).toBeUndefined();
    expect(await probeServer(`smtp://ada:wrong@localhost:${server.port}`)).toBe(
      'the mail server does not accept the user or the password (535)',
    );
    await server.close();
    expect(await probeServer(`smtp://localhost:${server.port}`)).toBe('the mail server did not answer');
    expect(server.received).toEqual([]);
  });
});

it('tells what passes from what does not, without the address that the server repeats', () => {
  const of = (code: string, responseCode?: number) =>
    judgeFailure(Object.assign(new Error('550 no mailbox ada@example.test'), { code, responseCode }));
  expect(of('EENVELOPE', 550)).toEqual({ reason: 'the mail server refused it (550)', final: true, reachable: true });
  expect(of('EENVELOPE', 451)).toMatchObject({ final: false, reachable: true });
  expect(of('EMESSAGE', 554)).toMatchObject({ final: true, reachable: true });
  for (const code of ['ETIMEDOUT', 'ECONNECTION', 'EDNS', 'ETLS', 'EAUTH', 'ESOCKET', 'EPROTOCOL'])
    expect(of(code)).toMatchObject({ final: false, reachable: false, reason: expect.not.stringContaining('ada@') });
});
