// The connection to the mail server, and what its refusals mean. A refusal of the message or the recipient (5xx) is
// final; everything else may be over later: a full mailbox or greylisting (4xx), a server that is down, a wrong password
// that the operator corrects.
import { createTransport } from 'nodemailer';
import { isLoopbackHost } from '../net/addresses.ts';
import type { MailAddress } from '../base/mail-address.ts';

export interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface SendProblem {
  /** In words, without what the server said about the address. */
  readonly reason: string;
  readonly final: boolean;
  /** False if other mail would meet the same. */
  readonly reachable: boolean;
}

export interface SmtpSender {
  /** Returns why it was not taken. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<SendProblem | undefined>;
  close(): void;
}

/** One mail, from connecting to the server's last word. Shorter than the lease of a claimed mail. */
const SEND_MS = 60_000;
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
const CONNECTIONS = 4;

export interface SmtpOptions {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly requireTLS: boolean;
  readonly auth?: { readonly user: string; readonly pass: string };
  readonly tls?: { readonly rejectUnauthorized: boolean };
  readonly connectionTimeout: number;
  readonly greetingTimeout: number;
  readonly dnsTimeout: number;
  readonly socketTimeout: number;
  readonly disableFileAccess: true;
  readonly disableUrlAccess: true;
}

/** From a URL that the configuration has checked. */
export function smtpOptions(serverUrl: string): SmtpOptions {
  const { protocol, hostname, port, username, password } = new URL(serverUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const isLocal = isLoopbackHost(host);
  return {
    host,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLocal,
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    // Within the machine nothing has to be encrypted, so a certificate made for the host name is no reason to refuse.
    ...(!secure && isLocal ? { tls: { rejectUnauthorized: false } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

export function openSmtpSender(serverUrl: string, from: MailAddress, sendMs = SEND_MS): SmtpSender {
  const transport = createTransport({ ...smtpOptions(serverUrl), pool: true, maxConnections: CONNECTIONS });
  const domain = from.address.split('@').at(-1) ?? 'localhost';
  return {
    async send({ id, to, subject, text, html }, signal) {
      const given = Promise.withResolvers<never>();
      const giveUp = (): void => given.reject(new Error('no answer in time'));
      const timer = setTimeout(giveUp, sendMs);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        await Promise.race([
          transport.sendMail({
            from,
            to: { name: '', address: to },
            subject,
            text,
            html,
            messageId: `<${id}@${domain}>`,
            headers: { 'Auto-Submitted': 'auto-generated' },
          }),
          given.promise,
        ]);
        return undefined;
      } catch (error) {
        return judgeFailure(error);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      }
    },
    close: () => transport.close(),
  };
}

/** For the doctor: connects, encrypts and signs in, and sends nothing. Returns what is wrong, in words. */
export async function probeServer(serverUrl: string): Promise<string | undefined> {
  const transport = createTransport({ ...smtpOptions(serverUrl), socketTimeout: CONNECT_MS });
  try {
    await transport.verify();
    return undefined;
  } catch (error) {
    return judgeFailure(error).reason;
  } finally {
    transport.close();
  }
}

/** What the server says often repeats the address, so only its code is kept. */
export function judgeFailure(error: unknown): SendProblem {
  const { code = '', responseCode } = (error ?? {}) as { code?: string; responseCode?: number };
  if (code === 'EAUTH') return later(`the mail server does not accept the user or the password${coded(responseCode)}`);
  if (responseCode === undefined && error instanceof Error && /certificate|altname/i.test(error.message))
    return later('the certificate of the mail server is not valid');
  if (code === 'ETLS') return later('the connection to the mail server could not be encrypted');
  if (responseCode !== undefined && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
    const final = responseCode >= 500;
    return {
      reason: `the mail server ${final ? 'refused it' : 'put it off'}${coded(responseCode)}`,
      final,
      reachable: true,
    };
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE')
    return { reason: 'the address cannot be used', final: true, reachable: true };
  if (code === 'EDNS') return later('the name of the mail server was not found');
  if (responseCode !== undefined) return later(`the mail server is not ready${coded(responseCode)}`);
  return later('the mail server did not answer');
}

function later(reason: string): SendProblem {
  return { reason, final: false, reachable: false };
}

function coded(responseCode: number | undefined): string {
  return responseCode === undefined ? '' : ` (${responseCode})`;
}
