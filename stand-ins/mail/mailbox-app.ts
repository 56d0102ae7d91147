// The page of the mailbox: a list, and one mail as it would be read. It is for the person at this machine only, because a
// link in a mail opens an account: it listens on the loopback, and a page of another origin cannot read it, not even under
// a name that it has pointed here.
import { Hono } from 'hono';
import { listPage, mailPage } from './mailbox-pages.ts';
import type { KeptMails } from './kept-mails.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-resource-policy': 'same-origin',
};
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'";
/** No scripts, no loading, no forms; a link opens beside it. */
const MAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'self'";

export function createMailboxApp(mails: KeptMails): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    if (!LOCAL.test(c.req.header('host') ?? '')) return c.text('Only from this machine, by its own name.', 403);
    await next();
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
    if (!c.res.headers.has('content-security-policy')) c.header('content-security-policy', PAGE_POLICY);
  });
  const find = (id: string): ReturnType<KeptMails['find']> =>
    /^\d{1,9}$/.test(id) ? mails.find(Number(id)) : undefined;
  app.get('/', (c) => c.html(listPage(mails.list())));
  app.get('/mails.json', (c) => c.json({ mails: mails.list() }));
  app.get('/mails/:id', (c) => {
    const mail = find(c.req.param('id'));
    return mail ? c.html(mailPage(mail)) : c.text('There is no such mail, or it was pushed out by newer ones.', 404);
  });
  app.get('/mails/:id/html', (c) => {
    const mail = find(c.req.param('id'));
    if (!mail) return c.notFound();
    c.header('content-security-policy', MAIL_POLICY);
    return c.html(`<base target="_blank">${mail.html}`);
  });
  return app;
}
