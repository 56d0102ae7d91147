import { PROJECT_LIMITS } from '../../../src/contract/project-limits.ts';
import { formatNumber, plural } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

const MOST_MEGABYTES = PROJECT_LIMITS.bytes / 1024 / 1024;

export const german = {
  projectStrings: {
    title: 'Projekte',
    description:
      'Ein Projekt enthält Anweisungen, Dateien und ein Modell, die mehrere Chats gemeinsam haben. Behalten Sie es für sich, oder teilen Sie es als Assistenten mit Ihrem Arbeitsbereich. Jeder Chat darin bleibt für andere unsichtbar.',
    all: 'Alle Projekte',
    empty: 'Noch keine Projekte',
    emptyText:
      'Legen Sie eines für ein Thema an, auf das Sie zurückkommen: Seine Anweisungen und Dateien gelten für jeden Chat darin.',
    emptySide: 'Anweisungen und Dateien für mehrere Chats.',
    noMatch: 'Keine passenden Projekte',
    noMatchText: 'Versuchen Sie es mit einem anderen Namen.',
    search: 'Projekte durchsuchen',
    create: 'Neues Projekt',
    createTitle: 'Projekt anlegen',
    sharing: (workspace: string): string => `Wer es in ${workspace} noch verwenden kann`,
    sharings: {
      private: { label: 'Nur ich', hint: 'Niemand sonst sieht es.' },
      use: {
        label: 'Alle können es verwenden',
        hint: 'Sie chatten darin und lesen seine Anweisungen und Dateien.',
      },
      edit: {
        label: 'Alle können es verwenden und ändern',
        hint: 'Sie ändern auch Anweisungen, Dateien und Modell.',
      },
    },
    sharingHint: 'Chats werden mit dem Projekt nie geteilt: Alle sehen nur ihre eigenen.',
    badges: { private: 'Nur für Sie', use: 'Zum Verwenden geteilt', edit: 'Geteilt' },
    by: (name: string): string => `von ${name}`,
    use: 'Verwenden',
    share: 'Teilen',
    shareTitle: (name: string): string => `${name} teilen`,
    shared: 'Freigabe gespeichert',
    whoSees: 'Wer was sieht',
    sees: {
      private: 'Anweisungen und Dateien: nur Sie.',
      abandoned: 'Anweisungen und Dateien: Inhaber und Admins des Arbeitsbereichs und der Organisation.',
      use: (workspace: string): string =>
        `Anweisungen und Dateien: alle Mitglieder von ${workspace} sowie Inhaber und Admins der Organisation.`,
      edit: (workspace: string): string =>
        `Anweisungen und Dateien: alle Mitglieder von ${workspace}, die sie auch ändern können, sowie Inhaber und Admins der Organisation.`,
      chats: 'Chats: Alle sehen nur ihre eigenen.',
      ifYouLeave:
        'Wenn Sie den Arbeitsbereich verlassen, können dessen Inhaber und Admins dieses Projekt sehen und übernehmen.',
      managedBy: (name: string): string =>
        `Verwaltet von ${name}. Verlässt diese Person den Arbeitsbereich, können dessen Inhaber und Admins das Projekt übernehmen.`,
    },
    left: (name: string): string => `${name} hat dieses Projekt verwaltet und den Arbeitsbereich verlassen.`,
    takeOver: 'Übernehmen',
    takenOver: 'Sie verwalten dieses Projekt jetzt',
    createSubmit: 'Anlegen',
    name: 'Name',
    descriptionLabel: 'Beschreibung',
    descriptionHint: 'Eine Zeile, freiwillig.',
    created: (name: string): string => `Projekt ${name} angelegt`,
    inWorkspace: 'Arbeitsbereich:',
    files: (count: number): string => plural(count, { one: '# Datei', other: '# Dateien' }),
    back: 'Alle Projekte',
    newChat: 'Neuer Chat',
    newChatIn: (name: string): string => `Neuer Chat in ${name}`,
    edit: 'Name und Beschreibung bearbeiten',
    editTitle: 'Projekt bearbeiten',
    save: 'Speichern',
    saved: 'Projekt gespeichert',
    actions: 'Projektaktionen',
    delete: 'Projekt löschen',
    deleteTitle: (name: string): string => `${name} löschen?`,
    deleteText:
      'Seine Anweisungen und Dateien werden für alle gelöscht, die es verwenden. Die Chats bleiben, ohne Projekt. Das lässt sich nicht rückgängig machen.',
    deleted: 'Projekt gelöscht',
    notFound: 'Projekt nicht gefunden',
    notFoundText: 'Dieses Projekt gibt es nicht, es wurde gelöscht, oder es ist nicht mit Ihnen geteilt.',
    readOnly:
      'Sie können dieses Projekt sehen, aber nur Mitglieder seines Arbeitsbereichs können es ändern oder darin chatten.',
    onlyForUse: (name: string): string =>
      `Sie können dieses Projekt verwenden. Fragen Sie ${name}, wenn sich darin etwas ändern soll.`,
    instructions: 'Anweisungen',
    instructionsHint: `Antworten und Hintergrundläufe in diesem Projekt folgen ihnen. Höchstens ${formatNumber(PROJECT_LIMITS.instructions)} Zeichen.`,
    instructionsPlaceholder:
      'Zum Beispiel: Antworte auf Deutsch. Unser Produkt heißt Atlas. Bevorzuge kurze Antworten.',
    noInstructions: 'Keine Anweisungen.',
    instructionsSaved: 'Anweisungen gespeichert',
    changedByOther:
      'Jemand anderes hat die Anweisungen inzwischen geändert. Wenn Sie speichern, ersetzen Sie diesen Text.',
    characters: (used: number): string =>
      `${formatNumber(used)} von ${formatNumber(PROJECT_LIMITS.instructions)} Zeichen`,
    tooLong: `Verwenden Sie höchstens ${formatNumber(PROJECT_LIMITS.instructions)} Zeichen.`,
    model: 'Standardmodell',
    modelHint: 'Neue Chats in diesem Projekt beginnen damit. Alle können ein anderes wählen.',
    noModel: 'Keines: das zuletzt verwendete',
    modelUnavailable: (model: string): string => `${model} (nicht verfügbar)`,
    modelSaved: 'Standardmodell gespeichert',
    chats: 'Ihre Chats',
    chatsHint: 'Nur Sie sehen sie.',
    noChats: 'Noch keine Chats',
    noChatsText: 'Beginnen Sie hier einen, oder verschieben Sie einen vorhandenen über sein Menü in dieses Projekt.',
    startTitle: (name: string): string => `Neuer Chat in ${name}`,
    startText: (instructions: boolean, files: number): string => {
      if (instructions && files > 0)
        return 'Antworten folgen den Anweisungen des Projekts und verwenden seine Dateien.';
      if (instructions) return 'Antworten folgen den Anweisungen des Projekts.';
      return files > 0
        ? 'Antworten verwenden die Dateien des Projekts.'
        : 'Dieses Projekt hat noch keine Anweisungen und keine Dateien.';
    },
    startPrivate: 'Diesen Chat sehen nur Sie.',
    chatProject: 'Projekt:',
    chatBlocked: 'Dieses Projekt lässt sich nicht öffnen. Beginnen Sie einen neuen Chat ohne Projekt.',
    chatReadOnly:
      'Nur Mitglieder des Arbeitsbereichs können in diesem Projekt chatten. Bitten Sie einen Inhaber des Arbeitsbereichs, Sie hinzuzufügen.',
    toggle: 'Projekte',
  },
  fileStrings: {
    title: 'Dateien',
    hint: `Stellen, die zu einer Frage passen, bekommt das Modell. PDF, Office-Dokumente und Text wie Markdown, CSV oder Quelltext: höchstens ${PROJECT_LIMITS.files} Dateien von je ${MOST_MEGABYTES}\u00a0MB. Durchsucht werden die ersten ${formatNumber(PROJECT_LIMITS.characters)} Zeichen einer Datei.`,
    add: 'Dateien hinzufügen',
    choose: 'Dateien zum Hinzufügen auswählen',
    drop: 'Dateien hier ablegen, um sie dem Projekt hinzuzufügen',
    empty: 'Noch keine Dateien',
    emptyText:
      'Legen Sie Dateien hier ab, oder wählen Sie welche aus. Alle, die das Projekt verwenden dürfen, lesen sie.',
    by: (name: string): string => `hinzugefügt von ${name}`,
    count: (count: number): string => `${count} von ${PROJECT_LIMITS.files} Dateien`,
    states: { waiting: 'Wird gelesen\u00a0…', ready: 'Bereit', failed: 'Nicht lesbar' },
    uploading: (percent: number): string => `Wird hochgeladen, ${percent}\u00a0%`,
    uploadOf: (name: string): string => `${name} wird hochgeladen`,
    reasons: {
      file_without_text:
        'In dieser Datei steht kein Text. Wenn sie ein Scan ist, wenden Sie zuerst eine Texterkennung (OCR) an.',
      file_damaged:
        'Diese Datei ist beschädigt. Öffnen Sie sie in ihrem Programm, speichern Sie sie neu, und fügen Sie diese hinzu.',
      file_encrypted:
        'Diese Datei ist durch ein Passwort geschützt. Speichern Sie eine Kopie ohne Passwort, und fügen Sie diese hinzu.',
      file_too_complex:
        'Diese Datei ist entpackt zu groß. Speichern Sie den Teil, den Sie brauchen, als kleinere Datei.',
      file_type_unsupported:
        'Der Text dieser Art von Datei kann nicht gelesen werden. Speichern Sie sie als Text, und fügen Sie diesen hinzu.',
    },
    otherReason:
      'Der Text konnte nicht gelesen werden. Löschen Sie die Datei und fügen Sie sie erneut hinzu, oder speichern Sie sie zuerst als Text.',
    tooLarge: `Größer als ${MOST_MEGABYTES}\u00a0MB.`,
    tooMany: `Ein Projekt kann höchstens ${PROJECT_LIMITS.files} Dateien haben. Löschen Sie zuerst eine.`,
    image: 'Bilder haben keinen Text. Hängen Sie sie stattdessen an eine Nachricht an.',
    removeOf: (name: string): string => `${name} löschen`,
    dismissOf: (name: string): string => `${name} ausblenden`,
    removeTitle: (name: string): string => `${name} löschen?`,
    removeText:
      'Sie wird für alle gelöscht, die das Projekt verwenden. Frühere Antworten behalten die Auszüge, die sie zitieren.',
    remove: 'Löschen',
    removed: 'Datei gelöscht',
  },
  moveStrings: {
    action: 'In Projekt verschieben\u00a0…',
    title: 'In Projekt verschieben',
    text: 'Für Ihre nächsten Fragen gelten dann die Anweisungen und Dateien des Projekts. Den Chat sehen weiterhin nur Sie.',
    label: 'Projekt',
    none: 'Kein Projekt',
    empty: 'Im Arbeitsbereich dieses Chats gibt es noch keine Projekte.',
    submit: 'Verschieben',
    moved: (name: string): string => `Nach ${name} verschoben`,
    movedOut: 'Aus dem Projekt genommen',
  },
  sourceStrings: {
    title: 'Quellen',
    source: 'Quelle',
    excerpt: (number: number, name: string): string => `Auszug aus Quelle ${number}, ${name}`,
  },
} as const satisfies Translated<typeof english>;
