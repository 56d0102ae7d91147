import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  workspaceStrings: {
    title: 'Arbeitsbereiche',
    description: 'Ein Arbeitsbereich hat eigene Mitglieder, Verbindungen, Schlüssel und Tokens.',
    create: 'Neuer Arbeitsbereich',
    createTitle: 'Arbeitsbereich erstellen',
    createText: 'Nur Personen, die Sie hinzufügen, können ihn sehen. Sie werden Inhaber.',
    createSubmit: 'Arbeitsbereich anlegen',
    created: (name) => `Der Arbeitsbereich „${name}“ ist bereit.`,
    name: 'Name',
    nameHint: 'Zum Beispiel das Team oder Projekt, das ihn nutzt.',
    empty: 'Noch keine Arbeitsbereiche',
    emptyText: 'Erstellen Sie einen für ein Team oder Projekt, mit eigenen Mitgliedern, Verbindungen und Schlüsseln.',
    isDefault: 'Standard',
    noRole: 'Kein Mitglied',
    notFound: 'Arbeitsbereich nicht gefunden',
    notFoundText: (slug) =>
      `Den Arbeitsbereich „${slug}“ gibt es in dieser Organisation nicht, oder Sie sind darin kein Mitglied.`,
    defaultNote:
      'Alle in der Organisation sind Mitglied des Arbeitsbereichs Default. MCP-Clients und Chats nutzen ihn, wenn kein anderer gewählt ist. Er kann nicht gelöscht werden.',
    details: 'Details',
    id: 'Arbeitsbereichs-ID',
    openGateway: 'MCP-Gateway',
    rename: 'Umbenennen',
    renamed: 'Arbeitsbereich umbenannt.',
    cannotManage: 'Nur ein Inhaber oder Admin dieses Arbeitsbereichs oder der Organisation kann ihn ändern.',
    danger: 'Diesen Arbeitsbereich löschen',
    dangerText:
      'Seine Mitglieder verlieren sofort den Zugriff. Seine Chats, Projekte, Zeitpläne, Schlüssel und Verbindungen werden gelöscht, und innerhalb von Minuten auch, was seine Läufe geschrieben haben, ihre Dateien und Protokolle. Belege bleiben, ohne Inhalte. Das lässt sich nicht rückgängig machen.',
    delete: 'Arbeitsbereich löschen',
    deleteTitle: (name) => `„${name}“ löschen?`,
    deleteConfirm: (name) => `Geben Sie zur Bestätigung ${name} ein`,
    deleted: (name) => `Der Arbeitsbereich „${name}“ wurde gelöscht.`,
  },
} as const satisfies Translated<typeof english>;
