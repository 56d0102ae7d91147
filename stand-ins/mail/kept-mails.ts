// What the mailbox holds: the newest mails, in memory only. It is gone when the process ends.
import PostalMime from 'postal-mime';

export interface KeptMail {
  readonly id: number;
  readonly at: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface KeptMails {
  /** The newest first. */
  list(): readonly KeptMail[];
  find(id: number): KeptMail | undefined;
  add(raw: Buffer, envelope: { readonly to: readonly string[] }): Promise<KeptMail>;
}

const MOST = 200;

export function createKeptMails(now: () => Date = () => new Date()): KeptMails {
  const mails: KeptMail[] = [];
  let last = 0;
  return {
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    async add(raw, { to }) {
      const { from, subject = '', text = '', html = '' } = await PostalMime.parse(raw);
      const mail = { id: ++last, at: now().toISOString(), from: from?.address ?? '', to, subject, text, html };
      mails.unshift(mail);
      mails.length = Math.min(mails.length, MOST);
      return mail;
    },
  };
}
