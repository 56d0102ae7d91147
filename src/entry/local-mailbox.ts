// The local mailbox, which npm start uses as long as no mail server is set: what would have been sent is shown on a page.
// Both ports are on the loopback, whatever the other parts listen on.
import { getRequestListener } from '@hono/node-server';
import { runProcess } from '../process/run-process.ts';
import { createKeptMails } from '../../stand-ins/mail/kept-mails.ts';
import { createMailboxApp } from '../../stand-ins/mail/mailbox-app.ts';
import { listenForMail } from '../../stand-ins/mail/smtp-mailbox.ts';
import { serve } from '../http/shell/serve.ts';

await runProcess('local-mailbox', async ({ config, log }) => {
  const mails = createKeptMails();
  const stopMail = await listenForMail(mails, config.SERVICE_LOCAL_MAILBOX_SMTP_PORT);
  const page = await serve(getRequestListener(createMailboxApp(mails).fetch, { overrideGlobalObjects: false }), {
    port: config.SERVICE_LOCAL_MAILBOX_PORT,
  });
  log.info({ port: page.port, smtpPort: config.SERVICE_LOCAL_MAILBOX_SMTP_PORT }, 'local mailbox is listening');
  return async () => {
    await Promise.all([page.close(), stopMail()]);
  };
});
