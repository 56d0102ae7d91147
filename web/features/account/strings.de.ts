import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  accountStrings: {
    title: 'Konto',
    description: 'Wie Antworten für Sie geschrieben werden, Sprache, Passwort und Sitzungen.',
    instructions: {
      title: 'Eigene Anweisungen',
      text: (organization) =>
        `Was sollen Antworten über Sie wissen, und wie sollen sie geschrieben sein? Nur Sie können das sehen. Es gilt für Ihre Chats in ${organization}, nicht für Hintergrundläufe.`,
      label: 'Anweisungen',
      placeholder: 'Ich arbeite im Support. Antworte kurz, und zeige Code in TypeScript.',
      enabled: 'Für jede Antwort verwenden',
      submit: 'Anweisungen speichern',
      done: 'Eigene Anweisungen gespeichert.',
      failed: 'Die eigenen Anweisungen konnten nicht geladen werden',
    },
    tokens: 'Auch meine Tokens und verbundenen Clients widerrufen',
    tokensText:
      'Programme mit Ihren Tokens und Clients, die Sie zugelassen haben, verlieren sofort den Zugriff, und die Läufe, die sie gestartet haben, werden gestoppt. Entfernen Sie das Häkchen nur, wenn Sie sicher sind, dass niemand sonst sie hat.',
    password: {
      title: 'Passwort ändern',
      current: 'Aktuelles Passwort',
      next: 'Neues Passwort',
      required: 'Geben Sie Ihr aktuelles Passwort ein.',
      short: 'Verwenden Sie mindestens 8 Zeichen.',
      others: 'Auch überall sonst abmelden',
      othersText: 'Andere Browser und Geräte, die mit servicectl angemeldet sind.',
      submit: 'Passwort ändern',
      done: 'Passwort geändert.',
      wrong: 'Das aktuelle Passwort ist falsch.',
    },
    sessions: {
      title: 'Überall abmelden',
      text: 'Beendet alle Sitzungen, auch diese. Sie müssen sich danach neu anmelden.',
      submit: 'Überall abmelden',
    },
    language: {
      title: 'Sprache',
      text: 'Gilt in diesem Browser. Beim Wechsel wird die Seite neu geladen.',
    },
  },
} as const satisfies Translated<typeof english>;
