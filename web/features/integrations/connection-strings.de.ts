import type { Translated } from '../../language/language.ts';
import type * as english from './connection-strings.ts';

export const german = {
  accessNames: { read: 'Lesen', write: 'Schreiben' },
  connectionStrings: {
    title: 'Verbindungen',
    text: (workspace) => `Apps, die mit ${workspace} verbunden sind, und wofür jede genutzt werden darf.`,
    empty: 'Noch nichts verbunden',
    emptyText:
      'Verbinden Sie eine App, damit Personen, Agenten und MCP-Clients dieses Arbeitsbereichs ihre Tools nutzen können.',
    add: 'App verbinden',
    back: 'Alle Verbindungen',
    open: (title) => `${title} öffnen`,
    titleOf: (app, name) => (name === 'default' ? app : `${app} (${name})`),
    selector: 'Adresse',
    selectorText: 'Der Name, den Aufrufe verwenden.',
    connectedOn: 'Verbunden',
    validatedOn: 'Zuletzt geprüft',
    expiresOn: 'Läuft ab',
    missing: 'Verbindung nicht gefunden',
    missingText: 'Sie wurde entfernt oder gehört zu einem anderen Arbeitsbereich.',
    actions: 'Aktionen',
    actionsText:
      'Welche Tools über diese Verbindung aufgerufen werden dürfen. Lesen ist anfangs an, Schreiben ist anfangs aus.',
    writeOn: (tool, app, workspace) =>
      `${tool} ist an: Mitglieder von ${workspace}, ihre Agenten und MCP-Clients mit Schreibzugriff können damit jetzt Daten in ${app} ändern.`,
    writeIsOn: (app, workspace) =>
      `An: Mitglieder von ${workspace}, ihre Agenten und MCP-Clients mit Schreibzugriff können damit Daten in ${app} ändern.`,
    readOnly: 'Nur ein Inhaber oder Admin des Arbeitsbereichs oder der Organisation kann dies ändern.',
    on: 'An',
    off: 'Aus',
    noActions: 'Diese Verbindung hat keine Tools. Läufe nutzen sie über die Befehlszeile der Cloud.',
    noActionsHost: 'Importierte Tokens haben keine Tools. Verbinden Sie die App, um ihre Tools zu nutzen.',
    toolsFailed: 'Die Tools dieser Verbindung konnten nicht geladen werden.',
    policyFailed: 'Die Richtlinie dieser Verbindung konnte nicht geladen werden.',
    push: 'Pushen',
    pushText:
      'Der Dienst pusht, was ein Lauf committet hat, wenn die Person, die ihn gestartet hat, es wollte: in einen neuen Branch mit dem Namen des Laufs und nirgends sonst. Läufe selbst können nie pushen.',
    pushBranches: 'Läufe dürfen einen eigenen Branch pushen lassen',
    pushSaved: 'Gespeichert',
    repositories: 'Repositorys',
    repositoriesText:
      'Wenn dies an ist, erreichen Aufrufe nur die ausgewählten Repositorys. Aufrufe, die keines nennen, werden abgelehnt.',
    enforce: 'Nur ausgewählte Repositorys',
    selected: 'Ausgewählte Repositorys',
    selectedText: 'Besitzer/Name oder ein Projektpfad. Drücken Sie nach jedem die Eingabetaste.',
    noneSelected: 'Es ist kein Repository ausgewählt, deshalb wird jeder Aufruf abgelehnt.',
    repositoryInvalid: (name) => `„${name}“ hat nicht die Form Besitzer/Name.`,
    save: 'Repositorys speichern',
    saved: 'Repositorys gespeichert.',
    try: 'Tool ausprobieren',
    tryText: 'Ruft das Tool in Ihrem Namen über REST auf und hinterlässt einen Beleg.',
  },
} as const satisfies Translated<typeof english>;
