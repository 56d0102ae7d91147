import type { Translated } from '../../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  standingStrings: {
    name: 'Name',
    nameRequired: 'Geben Sie einen Namen ein.',
    objective: 'Auftrag',
    objectiveRequired: 'Geben Sie einen Auftrag ein.',
    save: 'Änderungen speichern',
    on: 'Ein',
    off: 'Aus',
    paused: 'Angehalten',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    edit: 'Bearbeiten',
    editTitle: (name) => `${name} bearbeiten`,
    delete: 'Löschen',
    lastRun: 'Letzter Lauf',
    openRun: 'Lauf öffnen',
    madeBy: 'Erstellt von',
    you: 'Ihnen',
    colleague: 'Jemand aus dem Team',
    workspace: 'Arbeitsbereich',
    kind: 'Art',
    model: 'Modell',
  },
  pauseTexts: {
    authority_lost:
      'Wer ihn erstellt hat, darf seine Läufe nicht mehr starten, oder das Token dafür wurde widerrufen. Falls Sie es waren: Schalten Sie ihn wieder ein, dann gilt Ihr heutiger Zugriff.',
    refused:
      'Sein Lauf wurde fünfmal nacheinander abgelehnt; die Liste unten nennt den Grund. Beheben Sie ihn, und schalten Sie ihn dann wieder ein.',
  },
} satisfies Translated<typeof english>;
