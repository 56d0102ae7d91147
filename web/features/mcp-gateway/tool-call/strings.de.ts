import type { Translated } from '../../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  tryStrings: {
    tool: 'Tool',
    arguments: 'Argumente',
    mode: 'Format der Argumente',
    modes: { form: 'Formular', json: 'JSON' },
    json: 'Argumente als JSON',
    jsonInvalid: 'Geben Sie ein JSON-Objekt ein.',
    formCannotShow:
      'Das Formular kann nicht alles davon zeigen. Bleiben Sie bei JSON, oder entfernen Sie Argumente, die das Tool nicht hat.',
    required: 'Diese Angabe ist nötig.',
    numberInvalid: 'Geben Sie eine Zahl ein.',
    integerInvalid: 'Geben Sie eine ganze Zahl ein.',
    fieldJsonInvalid: 'Das ist kein gültiges JSON.',
    listHint: 'Eines pro Zeile.',
    jsonHint: 'Als JSON.',
    notSet: 'Nicht gesetzt',
    yes: 'Ja',
    no: 'Nein',
    noArguments: 'Dieses Tool hat keine Argumente.',
    allowWrite: 'Mit der Berechtigung connect:write aufrufen',
    allowWriteText: (app) => `Dieses Tool ändert Daten in ${app}. Aufrufe ohne connect:write werden abgelehnt.`,
    disabled:
      'Diese Aktion ist für diese Verbindung aus, deshalb werden Aufrufe abgelehnt. Ein Inhaber oder Admin kann sie oben einschalten.',
    call: 'Tool aufrufen',
    cancel: 'Nicht mehr warten',
    result: 'Ergebnis',
    running: 'Wird aufgerufen\u00a0…',
    status: (status) => `Status ${status}`,
    ok: 'Erfolg',
    failed: 'Die App hat einen Fehler gemeldet',
    refused: 'Der Aufruf wurde abgelehnt',
    headers: 'Header',
    body: 'Inhalt',
    emptyBody: 'Die Antwort hat keinen Inhalt.',
    cutBody: (shown, all) => `Gezeigt werden die ersten ${shown} von ${all} Zeichen.`,
    copyBody: 'Inhalt kopieren',
    receipt: 'Beleg',
    showReceipt: (index) => `Beleg ${index} zeigen`,
    reconnect: 'Die App nimmt diese Verbindung nicht mehr an. Verbinden Sie sie neu und versuchen Sie es noch einmal.',
    writeScope:
      'Zum Schreiben ist die Berechtigung connect:write nötig. Setzen Sie oben das Häkchen, um damit aufzurufen. Für ein Programm erstellen Sie ein Token mit dieser Berechtigung.',
    notEnabled: 'Diese Verbindung hat das Tool nicht, oder es ist aus. Ein Inhaber oder Admin kann es einschalten.',
  },
} as const satisfies Translated<typeof english>;
