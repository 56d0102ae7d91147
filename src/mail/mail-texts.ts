// What every mail says: a row for each kind, in each language. The subject and the first sentence say what happened, the
// rest what to do.
import type { SignInChange } from '../identity/account/identity-mailer.ts';
import type { MailKind, MailLanguage, MailValues } from './mail-kinds.ts';

export interface MailText {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
  /** Below the link, in small print. */
  readonly foot?: string;
}

type Write<K extends MailKind> = (values: MailValues[K]) => MailText;
type Texts = { readonly [K in MailKind]: Readonly<Record<MailLanguage, Write<K>>> };

/** What can change about how a person signs in. */
const CHANGES: Readonly<Record<SignInChange, Readonly<Record<MailLanguage, string>>>> = {
  password: { en: 'The password was changed.', de: 'Das Passwort wurde geändert.' },
  'password-set': { en: 'A password was set.', de: 'Ein Passwort wurde festgelegt.' },
  'password-removed': { en: 'The password was removed.', de: 'Das Passwort wurde entfernt.' },
  'passkey-added': { en: 'A passkey was added.', de: 'Ein Passkey wurde hinzugefügt.' },
  'passkey-removed': { en: 'A passkey was removed.', de: 'Ein Passkey wurde entfernt.' },
  'codes-added': { en: 'One-time codes were turned on.', de: 'Einmalcodes wurden eingeschaltet.' },
  'codes-removed': { en: 'One-time codes were turned off.', de: 'Einmalcodes wurden ausgeschaltet.' },
  'recovery-codes': { en: 'New recovery codes were made.', de: 'Neue Wiederherstellungscodes wurden erstellt.' },
};

const time = (at: string, language: MailLanguage): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(new Date(at)) + ' UTC';
const day = (at: string, language: MailLanguage): string =>
  new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(at),
  );

type Ended = Omit<MailValues['runs-ended'], 'link'>;

/** One run, and several. */
const ENDS = {
  en: {
    completed: ['A run of yours has finished', 'finished'],
    failed: ['A run of yours has failed', 'failed'],
    aborted: ['A run of yours was stopped', 'stopped'],
    all: (runs: number): string => `${runs} runs of yours have ended`,
  },
  de: {
    completed: ['Ein Lauf von Ihnen ist abgeschlossen', 'abgeschlossen'],
    failed: ['Ein Lauf von Ihnen ist fehlgeschlagen', 'fehlgeschlagen'],
    aborted: ['Ein Lauf von Ihnen wurde gestoppt', 'gestoppt'],
    all: (runs: number): string => `${runs} Läufe von Ihnen sind beendet`,
  },
} as const satisfies Record<MailLanguage, object>;

function describeEnds(ended: Ended, language: MailLanguage): string {
  const texts = ENDS[language];
  const kinds = (['completed', 'failed', 'aborted'] as const).filter((kind) => ended[kind] > 0);
  const runs = kinds.reduce((sum, kind) => sum + ended[kind], 0);
  const [first] = kinds;
  if (first !== undefined && runs === 1) return texts[first][0];
  return `${texts.all(runs)}: ${kinds.map((kind) => `${ended[kind]} ${texts[kind][1]}`).join(', ')}`;
}

export const MAIL_TEXTS: Texts = {
  'reset-password': {
    en: ({ link }) => ({
      subject: 'Choose a new password',
      paragraphs: ['Someone, probably you, asked for a new password for your account.'],
      link: { label: 'Choose a new password', url: link },
      foot: 'The link works once, for 60 minutes. If you did not ask for it, ignore this message: your password stays as it is.',
    }),
    de: ({ link }) => ({
      subject: 'Neues Passwort wählen',
      paragraphs: ['Jemand, wahrscheinlich Sie, hat für Ihr Konto ein neues Passwort angefordert.'],
      link: { label: 'Neues Passwort wählen', url: link },
      foot: 'Der Link gilt einmal und 60 Minuten lang. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.',
    }),
  },
  'prove-address': {
    en: ({ link }) => ({
      subject: 'Confirm your email address',
      paragraphs: ['Confirm that this address is yours, so that it can be used for your account.'],
      link: { label: 'Confirm address', url: link },
      foot: 'The link works once, for 24 hours. If you did not ask for it, ignore this message.',
    }),
    de: ({ link }) => ({
      subject: 'E-Mail-Adresse bestätigen',
      paragraphs: ['Bestätigen Sie, dass diese Adresse Ihnen gehört, damit sie für Ihr Konto verwendet werden kann.'],
      link: { label: 'Adresse bestätigen', url: link },
      foot: 'Der Link gilt einmal und 24 Stunden lang. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht.',
    }),
  },
  'address-changed': {
    en: ({ address }) => ({
      subject: 'The email address of your account was changed',
      paragraphs: [
        `The email address of your account is now ${address}. Sign in with that one from now on.`,
        'If this was not you, tell the operator of the service at once.',
      ],
    }),
    de: ({ address }) => ({
      subject: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
      paragraphs: [
        `Die E-Mail-Adresse Ihres Kontos ist jetzt ${address}. Melden Sie sich künftig damit an.`,
        'Wenn Sie das nicht waren, wenden Sie sich sofort an den Betreiber des Dienstes.',
      ],
    }),
  },
  'sign-in-changed': {
    en: ({ what }) => ({
      subject: 'How you sign in was changed',
      paragraphs: [
        CHANGES[what].en,
        'If this was not you, choose a new password at once, and tell the operator of the service.',
      ],
    }),
    de: ({ what }) => ({
      subject: 'Ihre Anmeldung wurde geändert',
      paragraphs: [
        CHANGES[what].de,
        'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und wenden Sie sich an den Betreiber des Dienstes.',
      ],
    }),
  },
  'new-device': {
    en: ({ device, place, at }) => ({
      subject: 'New sign-in to your account',
      paragraphs: [
        'Your account was used to sign in from a browser that has not been used for it before.',
        `Browser: ${device}\nAddress: ${place}\nTime: ${time(at, 'en')}`,
        'If this was you, there is nothing to do. If not, change your password and end your other sessions.',
      ],
    }),
    de: ({ device, place, at }) => ({
      subject: 'Neue Anmeldung an Ihrem Konto',
      paragraphs: [
        'An Ihrem Konto hat sich ein Browser angemeldet, der dafür noch nicht benutzt wurde.',
        `Browser: ${device}\nAdresse: ${place}\nZeit: ${time(at, 'de')}`,
        'Wenn Sie das waren, ist nichts zu tun. Wenn nicht, ändern Sie Ihr Passwort und beenden Sie Ihre anderen Sitzungen.',
      ],
    }),
  },
  invitation: {
    en: ({ organization, inviter, link }) => ({
      subject: `Invitation to ${organization}`,
      paragraphs: [`${inviter} invites you to join “${organization}”.`],
      link: { label: 'Open invitation', url: link },
      foot: 'The link works for seven days and for this address only. If you do not know the sender, ignore this message.',
    }),
    de: ({ organization, inviter, link }) => ({
      subject: `Einladung zu ${organization}`,
      paragraphs: [`${inviter} lädt Sie ein, „${organization}“ beizutreten.`],
      link: { label: 'Einladung öffnen', url: link },
      foot: 'Der Link gilt sieben Tage und nur für diese Adresse. Wenn Sie den Absender nicht kennen, ignorieren Sie diese Nachricht.',
    }),
  },
  'cap-warning': {
    en: ({ organization, whose, percent }) => ({
      subject: percent >= 100 ? 'A monthly cap is reached' : `${percent} % of a monthly cap is used`,
      paragraphs: [
        percent >= 100
          ? `The monthly cap of ${whose} in “${organization}” is reached. Requests that it covers are refused until the month ends.`
          : `${percent} % of the monthly cap of ${whose} in “${organization}” is used.`,
        'Owners and admins can raise it in the settings of the organization, under spending.',
      ],
    }),
    de: ({ organization, whose, percent }) => ({
      subject: percent >= 100 ? 'Ein Monatslimit ist erreicht' : `${percent} % eines Monatslimits sind verbraucht`,
      paragraphs: [
        percent >= 100
          ? `Das Monatslimit von ${whose} in „${organization}“ ist erreicht. Anfragen, für die es gilt, werden bis zum Ende des Monats abgelehnt.`
          : `${percent} % des Monatslimits von ${whose} in „${organization}“ sind verbraucht.`,
        'Inhaber und Admins können es in den Einstellungen der Organisation unter „Ausgaben“ erhöhen.',
      ],
    }),
  },
  'runs-ended': {
    en: ({ link, ...ended }) => ({
      subject: describeEnds(ended, 'en'),
      paragraphs: [`${describeEnds(ended, 'en')}.`],
      link: { label: 'Open', url: link },
      foot: 'You get this because you chose it. Turn it off on the page of your account.',
    }),
    de: ({ link, ...ended }) => ({
      subject: describeEnds(ended, 'de'),
      paragraphs: [`${describeEnds(ended, 'de')}.`],
      link: { label: 'Öffnen', url: link },
      foot: 'Sie erhalten dies, weil Sie es so gewählt haben. Auf der Seite Ihres Kontos können Sie es ausschalten.',
    }),
  },
  'organization-deleted': {
    en: ({ organization, erasedOn }) => ({
      subject: `${organization} was deleted`,
      paragraphs: [
        `The organization “${organization}” was deleted.`,
        `Its owners can bring it back until ${day(erasedOn, 'en')}. Then everything in it is erased.`,
      ],
    }),
    de: ({ organization, erasedOn }) => ({
      subject: `${organization} wurde gelöscht`,
      paragraphs: [
        `Die Organisation „${organization}“ wurde gelöscht.`,
        `Ihre Inhaber können sie bis zum ${day(erasedOn, 'de')} wiederherstellen. Danach wird ihr gesamter Inhalt gelöscht.`,
      ],
    }),
  },
};

/** Below every mail: which service it is from. */
export const SENT_BY: Readonly<Record<MailLanguage, (publicUrl: string) => string>> = {
  en: (publicUrl) => `Sent by ${publicUrl}`,
  de: (publicUrl) => `Gesendet von ${publicUrl}`,
};
