import { formatNumber, plural } from '../../../language/format.ts';
import type { Translated } from '../../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  changeNames: { added: 'Neu', modified: 'Geändert', deleted: 'Gelöscht', renamed: 'Umbenannt' },
  changesStrings: {
    title: 'Änderungen',
    failed: 'Die Änderungen konnten nicht geladen werden',
    loading: 'Wird geladen …',
    files: (count) => plural(count, { one: '# Datei', other: '# Dateien' }),
    on: (repository, base) => `in ${repository}, verglichen mit ${base}`,
    onUnnamed: (base) => `verglichen mit ${base}`,
    lines: (added, deleted) => `${formatNumber(added)} Zeilen hinzugefügt, ${formatNumber(deleted)} gelöscht`,
    layout: 'Ansicht',
    unified: 'Eine Spalte',
    split: 'Nebeneinander',
    download: 'Patch herunterladen',
    list: 'Geänderte Dateien',
    show: 'Anzeigen',
    hide: 'Ausblenden',
    from: (path) => `hieß ${path}`,
    binary: 'Diese Datei ist kein Text.',
    noLines: 'Ihr Inhalt ist derselbe.',
    notInPatch: 'Diese Datei fehlt im Patch: Alle Dateien zusammen sind zu groß.',
    noPatch: 'Der Patch wurde nicht aufbewahrt, weil der Speicher der Organisation voll ist.',
    cut: 'Der Patch enthält nur die ersten Dateien, weil alle zusammen zu groß sind.',
    more: (count) =>
      plural(count, { one: '# weitere Datei ist nicht aufgeführt', other: '# weitere Dateien sind nicht aufgeführt' }),
    diff: (path) => `Was sich in ${path} geändert hat`,
    addedLine: 'neu',
    removedLine: 'gelöscht',
    commentHere: ' diese Zeile kommentieren',
    commentOld: ' (gelöscht) diese Zeile kommentieren',
    comment: 'Kommentar',
    commentPlaceholder: 'Was soll hier anders sein?',
    keep: 'Kommentar hinzufügen',
    cancel: 'Abbrechen',
    kept: 'Zu Ihrer Nachricht unten hinzugefügt.',
    applyHint: 'In einer Arbeitskopie des Repositorys:',
  },
} as const satisfies Translated<typeof english>;
