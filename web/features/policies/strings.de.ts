import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  policyPageStrings: {
    loadFailed: 'Diese Einstellungen konnten nicht geladen werden.',
    save: 'Speichern',
    changed: 'Einstellung gespeichert.',
  },
  complianceStrings: {
    title: 'Compliance',
    description: 'Der Server prüft dies bei jeder Chatanfrage, in der App und über /v1.',
    zdr: 'ZDR vorschreiben',
    zdrText:
      'Nur Modelle mit Zero Data Retention dürfen genutzt werden. Andere werden mit policy_denied:compliance abgelehnt. Ihr eigener Anbieterschlüssel hebt dies für Modelle auf, die bei diesem Anbieter laufen.',
    study: 'Lernmodus erzwingen',
    studyText:
      'Jede Anfrage nutzt das Modell des Lernmodus, gleich welches Modell gewählt ist. Kein Anbieter bedient dieses Modell, deshalb schlägt jede Anfrage fehl.',
    studyOn: 'Der Lernmodus ist an: Chatanfragen in dieser Organisation werden nicht beantwortet.',
  },
  toolStrings: {
    title: 'Tools',
    description: 'Die Tools der Anbieter, die diese Organisation im Chat erlauben würde.',
    note: 'Diese Schalter werden zu jeder Chatanfrage festgehalten, aber nicht durchgesetzt: Chatanfragen enthalten nie Tools der Anbieter.',
    switches: 'Schalter für Tools',
    known: {
      web_search: { name: 'Websuche', text: 'Websuche durch den Anbieter.' },
      file_search: { name: 'Dateisuche', text: 'Suche in hochgeladenen Dateien durch den Anbieter.' },
      code_interpreter: { name: 'Codeausführung', text: 'Code, den der Anbieter ausführt.' },
      image_generation: { name: 'Bilderzeugung', text: 'Bilder, die der Anbieter erzeugt.' },
    },
    other: 'Über die API festgelegt.',
  },
  sharingStrings: {
    title: 'Chats teilen',
    allow: 'Teilen von Chats per Link erlauben',
    allowText:
      'Mitglieder können eine schreibgeschützte Kopie eines Chats mit dem Arbeitsbereich teilen. Wenn dies aus ist, lassen sich keine Links erstellen, und vorhandene Links öffnen sich nicht. Der Server prüft das bei jeder Anfrage.',
  },
  factorStrings: {
    title: 'Anmeldung',
    require: 'Zweiten Faktor verlangen',
    requireText:
      'Mitglieder, deren Sitzung keinen zweiten Faktor hat, können diese Organisation erst öffnen, wenn sie einen Passkey oder Einmalcodes eingerichtet haben. Die Anmeldung über Ihren Anbieter zählt als einer. Tokens mit Namen funktionieren weiter. Zum Einschalten braucht Ihre eigene Sitzung einen zweiten Faktor.',
  },
  moduleStrings: {
    title: 'Richtlinien',
    description:
      'Ob Chats geteilt werden dürfen, und vier Richtlinienmodule, die mit der Organisation gespeichert werden.',
    note: 'Zu den vier Modulen unten: Diese Einstellungen werden gespeichert, aber nicht durchgesetzt. Die geltenden Grenzen, Anfragen pro Person und Budgets in Dollar, legen der Betreiber und der Tarif fest.',
    saved: (module) => `${module} gespeichert.`,
    modules: {
      rateLimiting: { title: 'Anfragelimit', text: 'Wie viele Anfragen ein Mitglied senden darf.' },
      budgetLimiting: { title: 'Budgetlimit', text: 'Wie viel pro Monat ausgegeben werden darf.' },
      loggingConfig: { title: 'Protokollierung', text: 'Was über Anfragen protokolliert wird und wie lange.' },
      toolApproval: { title: 'Tool-Freigabe', text: 'Welche Tool-Aufrufe die Freigabe einer Person brauchen.' },
    },
  },
  moduleFieldTexts: {
    rateLimiting: {
      enabled: { label: 'Eingeschaltet' },
      requestsPerMinute: { label: 'Anfragen pro Minute', hint: 'Für jedes Mitglied.' },
    },
    budgetLimiting: {
      enabled: { label: 'Eingeschaltet' },
      monthlyUsd: { label: 'Organisation, USD pro Monat' },
      memberMonthlyUsd: { label: 'Jedes Mitglied, USD pro Monat' },
    },
    loggingConfig: {
      enabled: { label: 'Eingeschaltet' },
      level: { label: 'Umfang', options: { metadata: 'Nur Metadaten', full: 'Metadaten und Inhalt' } },
      retentionDays: { label: 'Aufbewahrung in Tagen' },
    },
    toolApproval: {
      enabled: { label: 'Eingeschaltet' },
      mode: { label: 'Freigabe für', options: { writes: 'Jeden Schreibzugriff', all: 'Jeden Aufruf' } },
      exempt: { label: 'Tools, die nie eine Freigabe brauchen', hint: 'Eines pro Zeile.' },
    },
  },
} as const satisfies Translated<typeof english>;
