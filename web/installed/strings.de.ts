import type { Translated } from '../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  installedStrings: {
    newVersion: 'Eine neue Version ist da.',
    reload: 'Neu laden',
  },
  notificationStrings: {
    title: 'Benachrichtigungen',
    text: 'Ihr Browser meldet, wenn ein Lauf endet, den Sie hier gestartet haben, und wenn eine Antwort vollständig ist, während Sie in einem anderen Tab sind. Dazu muss ein Tab der App offen sein.',
    on: 'Auf diesem Gerät benachrichtigen',
    titles: 'Titel des Chats oder Ziel des Laufs anzeigen',
    titlesText:
      'Andere können das auf Ihrem Bildschirm lesen. Sonst sagt eine Benachrichtigung nur, dass etwas beendet ist.',
    denied:
      'Ihr Browser blockiert Benachrichtigungen dieser Website. Erlauben Sie sie in seinen Einstellungen und schalten Sie sie dann hier ein.',
    unsupported:
      'Dieser Browser kann hier keine Benachrichtigungen anzeigen. Fügen Sie die App auf einem iPhone oder iPad zuerst zum Home-Bildschirm hinzu.',
    mailRuns: 'Eine E-Mail senden, wenn ein Lauf endet, den ich gestartet habe',
    mailRunsText: 'Auf allen Geräten. Sie sagt, wie der Lauf geendet hat, und weder seinen Auftrag noch sein Ergebnis.',
    tellMe: 'Benachrichtigen, wenn er endet',
    willTell: 'Sie werden benachrichtigt, wenn er endet.',
    ended: {
      completed: 'Ein Lauf ist fertig',
      failed: 'Ein Lauf ist fehlgeschlagen',
      aborted: 'Ein Lauf wurde gestoppt',
    },
    answer: { done: 'Eine Antwort ist vollständig', failed: 'Eine Antwort konnte nicht vollendet werden' },
  },
} satisfies Translated<typeof english>;
