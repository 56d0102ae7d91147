// The mail server of the mailbox: takes everything that is sent to it from this machine, and delivers nothing.
import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { SMTPServer } from 'smtp-server';
import type { KeptMails } from './kept-mails.ts';

const MAIL_BYTES = 256 * 1024;
const CONNECTIONS = 20;
const SILENT_MS = 30_000;

export async function listenForMail(mails: KeptMails, port: number): Promise<() => Promise<void>> {
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'local mailbox, delivers nothing',
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: MAIL_BYTES,
    maxClients: CONNECTIONS,
    socketTimeout: SILENT_MS,
    closeTimeout: 1_000,
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      callbackify(async () => mails.add(await readBounded(stream), { to }))((error) => done(error));
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // A client that goes away in the middle is no fault of the mailbox.
  server.on('error', () => {});
  return () => new Promise((resolve) => server.close(resolve));
}

/** To its end in any case, because the client says more only after it. */
async function readBounded(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAIL_BYTES) chunks.push(chunk);
  }
  if (bytes > MAIL_BYTES) throw Object.assign(new Error('the message is too large'), { responseCode: 552 });
  return Buffer.concat(chunks);
}
