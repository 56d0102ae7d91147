import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  promptStrings: {
    title: 'Prompts',
    failed: 'Ihre Prompts konnten nicht geladen werden',
    description:
      'Texte, die Sie immer wieder verwenden. Geben Sie am Anfang einer Nachricht / ein, um einen zu verwenden.',
    list: 'Prompts',
    search: 'Prompts durchsuchen',
    create: 'Neuer Prompt',
    createTitle: 'Neuer Prompt',
    saveAs: 'Als Prompt speichern',
    editTitle: (name) => `/${name} bearbeiten`,
    name: 'Name',
    nameText: 'Was Sie nach dem Schrägstrich eingeben. Kleinbuchstaben, Ziffern und Bindestriche.',
    nameInvalid: 'Verwenden Sie Kleinbuchstaben, Ziffern und innere Bindestriche, höchstens 48 Zeichen.',
    nameTaken: 'Einen Prompt mit diesem Namen gibt es schon. Wählen Sie einen anderen Namen.',
    text: 'Text',
    textText: 'Schreiben Sie {{name}} für einen Teil zum Ausfüllen oder {{name:vorgabe}}, um einen Wert vorzuschlagen.',
    textEmpty: 'Schreiben Sie den Text des Prompts.',
    variables: (names) => `Fragt nach: ${names}`,
    who: 'Wer ihn verwenden kann',
    onlyMe: 'Nur ich',
    inWorkspace: (name) => `Alle in ${name}`,
    submit: 'Prompt speichern',
    save: 'Änderungen speichern',
    saved: (name) => `Gespeichert. Geben Sie in einem Chat /${name} ein, um ihn zu verwenden.`,
    changed: 'Prompt geändert.',
    sharedIn: (workspace) => `Geteilt in ${workspace}`,
    by: (name) => `von ${name}`,
    edit: 'Bearbeiten',
    delete: 'Löschen',
    deleteTitle: (name) => `/${name} löschen?`,
    deleteOwn: 'Der Prompt wird endgültig gelöscht. Nachrichten, die damit geschrieben wurden, bleiben.',
    deleteShared: (workspace) =>
      `Der Prompt wird für alle in ${workspace} endgültig gelöscht. Nachrichten, die damit geschrieben wurden, bleiben.`,
    deleted: 'Prompt gelöscht.',
    empty: 'Noch keine Prompts',
    emptyText:
      'Speichern Sie einen Text, den Sie oft senden, zum Beispiel „Übersetze ins {{sprache:Englische}}: {{text}}“. Wenn Sie in einem Chat /translate eingeben, wird dann nach Sprache und Text gefragt.',
    tryExample: 'Mit diesem Beispiel beginnen',
    example: { name: 'translate', text: 'Übersetze ins {{sprache:Englische}}:\n\n{{text}}' },
    noMatch: 'Keine passenden Prompts',
    noMatchText: 'Suchen Sie nach anderen Wörtern, oder leeren Sie die Suche.',
  },
} as const satisfies Translated<typeof english>;
