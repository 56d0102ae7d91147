import { formatNumber, plural } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  chatImportStrings: {
    title: 'Chats importieren',
    description:
      'Bringen Sie Ihre Chats aus ChatGPT, Claude oder LibreChat mit. Was schon hier ist, wird nicht noch einmal importiert.',
    link: 'Chats aus ChatGPT, Claude oder LibreChat importieren',
    accountTitle: 'Chats aus anderen Diensten',
    accountText: 'Ziehen Sie mit Ihren Chats aus ChatGPT, Claude oder LibreChat um.',
    steps: [
      'ChatGPT: Einstellungen, Datenkontrollen, Daten exportieren. Wählen Sie die ZIP-Datei aus der E-Mail.',
      'Claude: Einstellungen, Datenschutz, Daten exportieren. Wählen Sie die ZIP-Datei aus der E-Mail.',
      'LibreChat: in einem Chat als JSON exportieren. Wählen Sie diese Datei oder eine ZIP-Datei mit mehreren.',
    ],
    place: (workspace) =>
      `Die Chats werden im Arbeitsbereich ${workspace} sein, und nur Sie können sie sehen. Nichts wird an ein Modell gesendet.`,
    projects: 'Auch Projekte importieren',
    projectsText: 'Nur Sie sehen sie, bis Sie sie teilen.',
    choose: 'Datei auswählen',
    chooseSame: 'Dieselbe Datei auswählen, um fortzufahren',
    otherFile: 'Das ist eine andere Datei. Wählen Sie die, mit der Sie begonnen haben.',
    earlier: 'Ihre Importe',
    back: 'Alle Importe',
    missing: 'Import nicht gefunden',
    missingText: 'Berichte werden 90 Tage lang aufbewahrt.',
    states: {
      uploading: 'Wird hochgeladen',
      waiting: 'Wartet',
      running: 'Wird importiert',
      done: 'Fertig',
      failed: 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
    sources: { chatgpt: 'ChatGPT', claude: 'Claude', librechat: 'LibreChat' },
    from: (source) => `Importiert aus ${source}`,
    interrupted: 'Das Hochladen wurde unterbrochen',
    goesOn: 'Sie können diese Seite verlassen: Der Import läuft weiter.',
    staysOpen: 'Lassen Sie diesen Tab offen, bis alles hochgeladen ist.',
    progress: 'Fortschritt des Imports',
    uploadProgress: 'Fortschritt des Hochladens',
    cancel: 'Import abbrechen',
    cancelTitle: 'Diesen Import abbrechen?',
    cancelText: 'Chats, die schon importiert sind, bleiben.',
    cancelled: 'Import abgebrochen',
    download: 'Bericht herunterladen',
    failedTitle: 'Die Datei konnte nicht importiert werden',
    failedAfter: 'Was davor importiert wurde, bleibt.',
    reasonsOfFailure: {
      file_damaged:
        'Die Datei ist beschädigt oder unvollständig. Laden Sie sie dort, woher Sie sie haben, noch einmal herunter, und importieren Sie sie dann.',
      file_encrypted:
        'Die Datei ist durch ein Passwort geschützt. Entpacken Sie sie, und importieren Sie dann die JSON-Datei darin.',
      file_too_complex:
        'Die Datei ist entpackt viel größer, als ein Export es ist. Entpacken Sie sie, und importieren Sie dann die JSON-Datei darin.',
      import_format_unknown:
        'Darin sind keine Unterhaltungen aus ChatGPT, Claude oder LibreChat. Wählen Sie die ZIP- oder JSON-Datei, die Sie beim Export bekommen haben.',
      workspace_membership_required:
        'Sie sind nicht mehr Mitglied des Arbeitsbereichs. Importieren Sie die Datei in einen anderen.',
      internal:
        'Bei uns ist etwas schiefgegangen. Versuchen Sie es noch einmal, oder bitten Sie Ihren Betreiber um Hilfe.',
    },
    outcomes: { taken: 'Importiert', present: 'Schon hier', 'left-out': 'Nicht importiert' },
    counted: (label, count) => `${label}: ${formatNumber(count)}`,
    nothing: {
      taken: 'Nichts wurde importiert',
      present: 'Nichts war schon hier',
      'left-out': 'Nichts wurde ausgelassen',
    },
    nothingText: 'Das Übrige steht in den anderen Tabs.',
    untitled: 'Ohne Titel',
    project: 'Projekt',
    messages: (count) => plural(count, { one: '# Nachricht', other: '# Nachrichten' }),
    reasons: {
      'unknown-format': 'Das Format ist nicht bekannt.',
      damaged: 'Es ist beschädigt.',
      empty: 'Es hat keine Nachrichten.',
      'too-large': 'Es ist zu groß.',
      'too-many-messages': 'Es hat mehr als 20.000 Nachrichten.',
      'too-many-projects': 'Der Arbeitsbereich hat so viele Projekte, wie er haben kann.',
      'not-wanted': 'Sie wollten keine Projekte importieren.',
      example: 'Es ist ein Beispiel, das der Dienst mitliefert.',
      internal: 'Dabei ist etwas schiefgegangen.',
    },
    without: (parts) => `Ohne: ${parts}`,
    notes: {
      'file-missing': (count) =>
        plural(count, { one: '# Datei, die nicht im Export ist', other: '# Dateien, die nicht im Export sind' }),
      'file-unsupported': (count) =>
        plural(count, { one: '# Datei mit nicht unterstütztem Typ', other: '# Dateien mit nicht unterstützten Typen' }),
      'file-too-large': (count) => plural(count, { one: '# zu große Datei', other: '# zu große Dateien' }),
      'storage-full': (count) =>
        plural(count, { one: '# Datei, weil der Speicher voll ist', other: '# Dateien, weil der Speicher voll ist' }),
      settings: (count) => plural(count, { one: '# verborgene Anweisung', other: '# verborgene Anweisungen' }),
      'unknown-part': (count) => plural(count, { one: '# Teil unbekannter Art', other: '# Teile unbekannter Art' }),
      version: (count) => plural(count, { one: '# alte Fassung', other: '# alte Fassungen' }),
      document: (count) =>
        plural(count, {
          one: '# Dokument: Fügen Sie es dem Projekt als Datei hinzu',
          other: '# Dokumente: Fügen Sie sie dem Projekt als Dateien hinzu',
        }),
      'instructions-cut': () => 'das Ende der Anweisungen, die zu lang sind',
    },
  },
} satisfies Translated<typeof english>;
