import type { Translated } from '../../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  followUpStrings: {
    title: 'Nachfragen',
    label: 'Nachricht an den Lauf',
    hint: 'Die Eingabetaste sendet. Mit der Umschalttaste beginnt sie eine neue Zeile.',
    send: 'Senden',
    reply: 'Antworten',
    whenQueued: 'Der Lauf liest Ihre Nachricht, wenn er beginnt.',
    whenRunning: 'Der Lauf liest Ihre Nachricht vor seinem nächsten Schritt.',
    whenEnded:
      'Ihre Nachricht startet einen neuen Lauf, der hier weitermacht, mit denselben Einstellungen und, solange sie aufgehoben sind, denselben Dateien.',
    onlyStarter:
      'Solange dieser Lauf arbeitet, kann nur mit ihm sprechen, wer ihn gestartet hat. Ist er zu Ende, können ihm alle im Arbeitsbereich antworten.',
    noControl: 'Läufe der Art Control nehmen keine Nachrichten an.',
    sent: 'Ihre Nachricht wartet auf den Lauf.',
    started: 'Ein neuer Lauf macht hier weiter.',
    waiting: 'Nachrichten an den Lauf',
    notRead: 'Noch nicht gelesen',
    neverRead: 'Nicht gelesen: Der Lauf war vorher zu Ende',
    again: 'Wieder aufnehmen',
    earlier: 'Früher in diesem Gespräch',
    later: 'Später in diesem Gespräch',
    earlierRun: (objective) => `Früherer Lauf: ${objective}`,
    laterRun: (objective) => `Späterer Lauf: ${objective}`,
    gone: 'Einen früheren Lauf gibt es nicht mehr, oder Sie dürfen ihn nicht sehen.',
    loadFailed: 'Ein Lauf dieses Gesprächs konnte nicht geladen werden.',
    answerOf: 'Seine Antwort',
    open: 'Lauf öffnen',
    more: 'Öffnen Sie ihn, um die Läufe davor zu sehen.',
    moreLater: 'Öffnen Sie ihn, um die Läufe danach zu sehen.',
  },
} satisfies Translated<typeof english>;
