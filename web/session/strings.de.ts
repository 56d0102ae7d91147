import type { Translated } from '../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  sessionStrings: {
    workspacesFailed: 'Die Arbeitsbereiche konnten nicht geladen werden',
    toWorkspaces: 'Zu den Arbeitsbereichen',
    plan: (plan) => `Tarif ${plan.charAt(0).toUpperCase()}${plan.slice(1)}`,
  },
  proofStrings: {
    title: 'Sind Sie es?',
    text: 'Das betrifft Ihr ganzes Konto oder Ihre Organisation. Bestätigen Sie deshalb noch einmal, wer Sie sind.',
    provider:
      'Das betrifft Ihr ganzes Konto oder Ihre Organisation. Bestätigen Sie dort, wo Sie sich anmelden, noch einmal, wer Sie sind.',
    toProvider: 'Zur Anmeldung',
    password: 'Passwort',
    passwordRequired: 'Geben Sie Ihr Passwort ein.',
    wrong: 'Das Passwort ist falsch.',
    passkey: 'Passkey verwenden',
    submit: 'Weiter',
  },
} as const satisfies Translated<typeof english>;
