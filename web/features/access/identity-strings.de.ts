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
