import type { Translated } from '../../language/language.ts';
import type * as english from './identity-strings.ts';

export const german = {
  identity: {
    signIn: {
      title: 'Anmelden',
      submit: 'Anmelden',
      other: 'Neu hier?',
      otherLink: 'Konto erstellen',
      invited: 'Neu hier? Öffnen Sie Ihren Einladungslink, um ein Konto zu erstellen.',
      closed: 'Die Registrierung ist geschlossen. Wenden Sie sich an Ihren Betreiber, wenn Sie ein Konto brauchen.',
      provider: (name) => `Weiter mit ${name}`,
      or: 'oder',
      firstTime: (name) => `Ihr Konto entsteht, wenn Sie sich zum ersten Mal mit ${name} anmelden.`,
      out: (name) => `Sie sind hier abgemeldet, bei ${name} aber noch angemeldet.`,
      outThere: (name) => `Auch bei ${name} abmelden`,
      goOn: 'Sie sind hier noch angemeldet.',
      goOnLink: 'Zurück zur App',
      passkey: 'Passkey verwenden',
    },
    connect: {
      title: 'Konto verbinden',
      confirm: (email, provider) => `Sie können sich bei ${email} künftig mit ${provider} anmelden.`,
      submit: 'Verbinden',
      prove: (email, provider) =>
        `Für ${email} gibt es schon ein Konto. Melden Sie sich einmal darin an, um zu zeigen, dass es Ihnen gehört. Danach meldet ${provider} Sie darin an.`,
      signIn: 'Im Konto anmelden',
      other: (signedInAs, email) =>
        `Sie sind als ${signedInAs} angemeldet. Um ${email} zu verbinden, melden Sie sich in diesem Konto an.`,
      switchAccount: 'Abmelden und fortfahren',
      goneTitle: 'Nichts zu verbinden',
      back: 'Zurück zur Anmeldung',
    },
    factor: {
      title: 'Noch ein Schritt',
      text: 'Geben Sie den Code ein, den Ihre Authenticator-App zeigt, oder einen Ihrer Wiederherstellungscodes.',
      code: 'Code',
      required: 'Geben Sie den Code ein.',
      again: 'Zurück zum Passwort',
    },
    signUp: {
      title: 'Konto erstellen',
      submit: 'Konto anlegen',
      other: 'Haben Sie schon ein Konto?',
      otherLink: 'Anmelden',
      name: 'Name',
      nameRequired: 'Geben Sie Ihren Namen ein.',
      passwordHint: 'Mindestens 8 Zeichen.',
      invited:
        'Für ein Konto brauchen Sie hier eine Einladung. Bitten Sie einen Inhaber oder Admin Ihrer Organisation darum und öffnen Sie dann den Link, den Sie bekommen.',
      closed: 'Die Registrierung ist geschlossen. Wenden Sie sich an Ihren Betreiber, wenn Sie ein Konto brauchen.',
    },
    forgot: {
      link: 'Passwort vergessen?',
      askOperator: 'Passwort vergessen? Bitten Sie Ihren Betreiber um einen Link, mit dem Sie ein neues wählen.',
      title: 'Passwort vergessen?',
      text: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie bekommen einen Link, mit dem Sie ein neues Passwort wählen.',
      submit: 'Link senden',
      sent: (email) =>
        `Wenn es für ${email} ein Konto gibt, ist ein Link unterwegs. Er gilt einmal und 60 Minuten lang. Wenn nichts ankommt, sehen Sie im Spam-Ordner nach.`,
      noMail:
        'Dieser Dienst verschickt keine E-Mails. Bitten Sie den Betreiber um einen Link, mit dem Sie ein neues Passwort wählen.',
      back: 'Zurück zur Anmeldung',
    },
    reset: {
      title: 'Neues Passwort wählen',
      text: 'Alle Ihre Sitzungen werden beendet, und Sie melden sich mit dem neuen Passwort an.',
      password: 'Neues Passwort',
      tokens: 'Auch meine Tokens und verbundenen Clients widerrufen',
      tokensText: 'Empfohlen, wenn jemand anderes Ihr Passwort kennen könnte.',
      submit: 'Passwort speichern',
      done: 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
      incomplete:
        'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der Nachricht, oder fordern Sie einen neuen an.',
      newLink: 'Neuen Link anfordern',
    },
    email: 'E-Mail',
    password: 'Passwort',
    passwordRequired: 'Geben Sie Ihr Passwort ein.',
    signOut: 'Abmelden',
    ended: {
      title: 'Ihre Sitzung ist beendet',
      text: 'Melden Sie sich wieder an, um weiterzumachen. Ihre Eingaben sind noch da.',
      submit: 'Anmelden und fortfahren',
      otherAccount: 'Anderes Konto verwenden',
      back: 'Sie sind wieder angemeldet.',
    },
  },
} as const satisfies Translated<typeof english>;
