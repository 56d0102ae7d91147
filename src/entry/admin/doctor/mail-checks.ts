// Mail: whether the configuration is whole, whether the server takes us, and whether anything is stuck. No mail is sent.
import { parseMailAddress } from '../../../base/mail-address.ts';
import { probeServer } from '../../../mail/smtp-sender.ts';
import { readMailFigures } from '../../../mail/mail-queue.ts';
import type { Deployment } from './deployment.ts';
import { fault, type Finding, notice, ok } from './finding.ts';

const STUCK_SECONDS = 3_600;

export async function checkMailServer({ config, isWithheld }: Deployment): Promise<Finding[]> {
  const { SERVICE_SMTP_URL: serverUrl, SERVICE_MAIL_FROM: sender } = config;
  if (serverUrl === 'off' || (serverUrl === undefined && sender === undefined))
    return [
      notice(
        'no mail is sent',
        'A person who has lost their password, and everyone who is invited, needs a link from you or from the person who invites.',
        'Set SERVICE_SMTP_URL and SERVICE_MAIL_FROM.',
      ),
    ];
  if (serverUrl === undefined) {
    if (isWithheld('SERVICE_SMTP_URL')) return [ok(`mail comes from ${sender}`)];
    return [
      fault(
        'SERVICE_MAIL_FROM is set without SERVICE_SMTP_URL',
        'The worker-control role does not start, and mail stays in the queue.',
        'Set SERVICE_SMTP_URL too, or unset SERVICE_MAIL_FROM.',
      ),
    ];
  }
  const from = sender === undefined ? undefined : parseMailAddress(sender);
  if (!from)
    return [
      fault(
        'SERVICE_SMTP_URL is set without SERVICE_MAIL_FROM',
        'The worker-control role does not start, and no mail is sent.',
        'Set SERVICE_MAIL_FROM to an address that the mail server accepts as a sender.',
      ),
    ];
  if (config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64 === undefined)
    return [
      fault(
        'mail needs SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
        'It encrypts mail that waits: without it the web server, the api role and the workers do not start.',
        'Make one with: openssl rand -base64 32.',
      ),
    ];
  const problem = await probeServer(serverUrl);
  return [
    problem === undefined
      ? ok(`the mail server accepts the connection, and mail comes from ${from.address}`)
      : fault(
          problem,
          'Mail stays in the queue for a day, and is given up then.',
          'Correct SERVICE_SMTP_URL, or let this machine reach the server; then start worker-control again.',
        ),
  ];
}

export async function checkMailQueue({ storage }: Deployment): Promise<Finding[]> {
  const { waiting, oldestSeconds } = await readMailFigures(await storage(), new Date());
  if (oldestSeconds < STUCK_SECONDS)
    return [ok(waiting === 0 ? 'no mail waits' : `waiting mail: ${waiting}, none for long`)];
  return [
    fault(
      `${waiting} ${waiting === 1 ? 'mail waits' : 'mails wait'}, the oldest for ${Math.round(oldestSeconds / 3_600)} hours`,
      'Mail is given up after a day.',
      'The log of worker-control says why the mail server does not take it; without such lines, look whether the role runs and has SERVICE_SMTP_URL.',
    ),
  ];
}
