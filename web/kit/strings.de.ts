import type { Translated } from '../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  common: {
    product: 'Agent Platform',
    claim: 'Modelle, Tools und Hintergrundläufe für Ihre ganze Organisation, auf Ihrer eigenen Infrastruktur.',
    points: [
      'Chatten Sie mit Modellen über eigene Anbieterschlüssel oder mit Plattformguthaben.',
      'Lassen Sie Agenten und MCP-Clients in verbundenen Apps handeln. Schreiben bleibt aus, bis Sie es erlauben.',
      'Hintergrundläufe und Tool-Aufrufe über REST hinterlassen Belege in einer Hashkette, die jeder prüfen kann.',
    ],
    cancel: 'Abbrechen',
    close: 'Schließen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copySelected: 'Ihr Browser hat das Kopieren verhindert. Der Text ist markiert: Kopieren Sie ihn mit der Tastatur.',
    copyFailed: 'Ihr Browser hat das Kopieren verhindert. Markieren Sie den Text und kopieren Sie ihn selbst.',
    copyThis: (text) => `Ihr Browser hat das Kopieren verhindert. Kopieren Sie diesen Text selbst: ${text}`,
    tryAgain: 'Erneut versuchen',
    loadMore: 'Mehr laden',
    loading: 'Wird geladen\u00a0…',
    showTyped: 'Eingabe anzeigen',
    code: 'Code',
    you: 'Sie',
    language: 'Sprache der App',
    backToApp: 'Zurück zur App',
    nameRequired: 'Geben Sie einen Namen ein.',
    emailInvalid: 'Geben Sie eine gültige E-Mail-Adresse ein, zum Beispiel ada@example.org.',
    listFailed: 'Diese Liste konnte nicht geladen werden.',
    pageTitle: (page) => `${page} · Agent Platform`,
  },
  roleNames: { owner: 'Inhaber', admin: 'Admin', member: 'Mitglied' },
} as const satisfies Translated<typeof english>;
