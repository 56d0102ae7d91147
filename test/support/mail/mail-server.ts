// A real mail server on the loopback that keeps what it takes, parsed. By the first part of the recipient's address it
// refuses for good (`refused`), puts off the first try (`greylisted`), or takes the mail.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail extends Email {
  readonly envelopeTo: readonly string[];
  readonly user: string | undefined;
  readonly secure: boolean;
}

export interface MailServer {
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** Resolves with the mail to this address, also one that came before. */
  receive(to: string): Promise<ReceivedMail>;
  close(): Promise<void>;
}

export interface MailServerSettings {
  readonly tls?: Certificate;
  /** TLS from the first byte on. */
  readonly secure?: boolean;
  /** Without it no one signs in. */
  readonly account?: { readonly user: string; readonly pass: string };
  readonly host?: string;
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** For NODE_EXTRA_CA_CERTS. */
  readonly file: string;
  remove(): Promise<void>;
}

/** For localhost; nobody trusts it who is not told to. */
export async function makeCertificate(): Promise<Certificate> {
  const directory = await mkdtemp(join(tmpdir(), 'mail-certificate-'));
  const [keyFile, file] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const made = spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`
      .split(' ')
      .concat('-keyout', keyFile, '-out', file),
  );
  if (made.status !== 0) throw new Error(`no certificate: ${String(made.stderr)}`);
  return {
    key: await readFile(keyFile, 'utf8'),
    cert: await readFile(file, 'utf8'),
    file,
    remove: () => rm(directory, { recursive: true }),
  };
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

export async function startMailServer({
  tls,
  secure,
  account,
  host = '127.0.0.1',
}: MailServerSettings = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const waiting: (() => void)[] = [];
  const seen = new Set<string>();
  const options: SMTPServerOptions = {
    ...(tls ? { key: tls.key, cert: tls.cert, secure: secure ?? false } : { disabledCommands: ['STARTTLS'] }),
    authOptional: account === undefined,
    ...(account
      ? {
          onAuth: ({ username, password }, _session, done) =>
            username === account.user && password === account.pass
              ? done(null, { user: username })
              : done(refusal(535, 'wrong user or password')),
        }
      : {}),
    disableReverseLookup: true,
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('refused')) return done(refusal(550, `no mailbox ${address}`));
      if (address.startsWith('greylisted') && !seen.has(address)) {
        seen.add(address);
        return done(refusal(451, 'try again later'));
      }
      done();
    },
    onData(stream, session, done) {
      const keep = async (): Promise<void> => {
        const mail = await PostalMime.parse(await buffer(stream));
        received.push({
          ...mail,
          envelopeTo: session.envelope.rcptTo.map(({ address }) => address),
          user: session.user as string | undefined,
          secure: session.secure,
        });
        for (const tell of waiting.splice(0)) tell();
      };
      callbackify(keep)((error) => done(error));
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    async receive(to) {
      for (;;) {
        const mail = received.find(({ envelopeTo }) => envelopeTo.includes(to));
        if (mail) return mail;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The first address in the text. */
export function linkIn({ text = '' }: Pick<Email, 'text'>): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  if (link === undefined) throw new Error('the mail has no link');
  return link;
}
