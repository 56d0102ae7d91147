import { formatList, formatNumber, monthName, plural, weekdayName } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import { isRun, readCron } from './read-cron.ts';
import type * as english from './strings.ts';

function describeCron(line: string): string | undefined {
  const reading = readCron(line);
  if (!reading) return undefined;
  const { times, weekdays, days, months } = reading;
  const first = weekdays[0] ?? 0;
  const when =
    'at' in times
      ? `Um ${formatList(times.at)}`
      : 'minutes' in times
        ? `Jede Stunde in Minute ${formatList(times.minutes.map(String))}`
        : plural(times.everyMinutes, { one: 'Jede Minute', other: 'Alle # Minuten' });
  const onWeekdays = isRun(weekdays)
    ? `${weekdayName(first)} bis ${weekdayName(weekdays.at(-1) ?? first)}`
    : `am ${formatList(weekdays.map(weekdayName))}`;
  const onDays = `am ${formatList(days.map((day) => `${day}.`))} des Monats`;
  const day =
    days.length > 0
      ? weekdays.length > 0
        ? `${onDays} und ${onWeekdays}`
        : onDays
      : weekdays.length > 0
        ? onWeekdays
        : 'jeden Tag';
  return [when, day, ...(months.length > 0 ? [`im ${formatList(months.map(monthName))}`] : [])].join(', ');
}

export const german = {
  describeCron,
  overlapNames: {
    skip: 'Diesen Termin auslassen',
    queue: 'Trotzdem starten',
    abort: 'Den letzten Lauf vorher abbrechen',
  },
  catchUpNames: { one: 'Ein Lauf, für den jüngsten versäumten Termin', none: 'Keiner' },
  outcomeNames: { started: 'Gestartet', skipped: 'Ausgelassen', refused: 'Abgelehnt' },
  skipReasons: {
    still_running: 'Der letzte Lauf war noch nicht zu Ende.',
    missed: 'Der Dienst war zu dieser Zeit angehalten.',
  },
  scheduleStrings: {
    title: 'Zeitpläne',
    description: 'Ein Zeitplan startet zu geplanten Zeiten einen Lauf, mit Ihrem Zugriff, auch während Sie weg sind.',
    list: 'Zeitpläne, die neuesten zuerst',
    failed: 'Die Zeitpläne konnten nicht geladen werden',
    empty: 'Noch keine Zeitpläne',
    emptyText: 'Lassen Sie einen Lauf jeden Morgen, jede Stunde oder einmal zu einer bestimmten Zeit starten.',
    create: 'Neuer Zeitplan',
    createTitle: 'Neuer Zeitplan',
    submit: 'Zeitplan erstellen',
    created: 'Der Zeitplan ist eingeschaltet.',
    changed: 'Der Zeitplan wurde geändert.',
    objectiveHint: 'Beschreiben Sie die Aufgabe. Jeder Lauf weiß nur, was Sie hier schreiben.',
    timing: 'Wann',
    timings: { cron: 'Cron-Zeile', every: 'Abstand', at: 'Einmal' },
    cron: 'Cron-Zeile',
    cronHint: 'Minute, Stunde, Tag des Monats, Monat, Wochentag.',
    noReading: 'Unten steht, wann er startet.',
    timezone: 'Zeitzone',
    every: 'Minuten zwischen Läufen',
    everyInvalid: 'Geben Sie eine ganze Zahl von Minuten ein.',
    at: 'Datum und Uhrzeit',
    atRequired: 'Wählen Sie Datum und Uhrzeit.',
    everySeconds: (seconds) =>
      seconds % 60 === 0
        ? plural(seconds / 60, { one: 'Jede Minute', other: 'Alle # Minuten' })
        : `Alle ${formatNumber(seconds)} Sekunden`,
    once: (moment) => `Einmal, ${moment}`,
    overlap: 'Falls der letzte Lauf noch nicht zu Ende ist',
    catchUp: 'Nachdem der Dienst angehalten war',
    nextTimes: 'Nächste Termine, in Ihrer Zeitzone',
    noTimes: 'Er startet nicht wieder.',
    pausedTitle: 'Dieser Zeitplan ist pausiert',
    next: 'Nächster Termin',
    runNow: 'Jetzt starten',
    deleteTitle: 'Diesen Zeitplan löschen?',
    deleteText: 'Er startet keine Läufe mehr, und sein Verlauf wird gelöscht. Gestartete Läufe bleiben.',
    deleted: 'Der Zeitplan wurde gelöscht.',
    history: 'Verlauf',
    historyText: 'Was aus jedem geplanten Termin wurde, für 30 Tage.',
    historyFailed: 'Der Verlauf konnte nicht geladen werden',
    noHistory: 'Noch keine Termine',
    noHistoryText: 'Noch keiner seiner Termine ist gekommen.',
    details: 'Einzelheiten',
    notFound: 'Zeitplan nicht gefunden',
    notFoundText: 'Diesen Zeitplan gibt es nicht, oder Sie dürfen ihn nicht sehen.',
    back: 'Alle Zeitpläne',
  },
} satisfies Translated<typeof english>;
