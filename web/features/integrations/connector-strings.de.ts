import type { Translated } from '../../language/language.ts';
import type * as english from './connector-strings.ts';

export const german = {
  connectorTexts: {
    airtable: {
      purpose: 'Datensätze in Airtable-Bases nachschlagen.',
      reads: 'die Bases, die das Konto öffnen kann, und ihre Datensätze',
    },
    amplitude: {
      purpose: 'Produktanalysen und Diagramme ansehen.',
      reads: 'Ereignisse, Nutzer und Diagramme des Projekts',
    },
    asana: {
      purpose: 'Aufgaben und Projekte verfolgen und Aufgaben erstellen.',
      reads: 'die Workspaces, Projekte und Aufgaben, die das Konto öffnen kann',
    },
    attio: {
      purpose: 'Personen, Firmen und Deals nachschlagen.',
      reads: 'Datensätze, Listen und Aufgaben des CRM',
    },
    aws: {
      purpose: 'Hintergrundläufe die AWS-Befehlszeile nutzen lassen.',
      reads: 'was das importierte Profil oder die Zugriffsschlüssel erlauben, über die Befehlszeile aws',
    },
    bamboohr: {
      purpose: 'Mitarbeitende und Abwesenheiten nachschlagen.',
      reads: 'das Mitarbeiterverzeichnis, Personaldaten und Abwesenheiten',
    },
    bitbucket: {
      purpose: 'Repositorys und Pull Requests lesen.',
      reads: 'die Repositorys, die das Konto öffnen kann, auch private, und ihre Pull Requests',
    },
    box: {
      purpose: 'Dateien in Box finden und lesen.',
      reads: 'alle Dateien und Ordner, die das Konto öffnen kann',
    },
    calendly: {
      purpose: 'Gebuchte Termine sehen.',
      reads: 'das Profil und die gebuchten Termine des Kontos, mit Namen und Adressen der Eingeladenen',
    },
    clickup: {
      purpose: 'Aufgaben, Listen und Spaces verfolgen.',
      reads: 'die Spaces, Listen und Aufgaben, die das Konto öffnen kann',
    },
    close: {
      purpose: 'Leads und Verkaufschancen nachschlagen.',
      reads: 'Leads, Kontakte und Verkaufschancen des CRM',
    },
    cloudflare: { purpose: 'Zonen und DNS-Einträge prüfen.', reads: 'Konten, Zonen und DNS-Einträge' },
    confluence: {
      purpose: 'Wiki-Seiten suchen und lesen.',
      reads: 'die Bereiche und Seiten, die das Konto öffnen kann',
    },
    contentful: { purpose: 'Einträge und Inhaltstypen lesen.', reads: 'Spaces, Einträge und Inhaltstypen' },
    databricks: {
      purpose: 'Hintergrundläufe die Databricks-Befehlszeile nutzen lassen.',
      reads: 'was das importierte Profil erlaubt, über die Befehlszeile databricks',
    },
    datadog: { purpose: 'Monitore, Dashboards und Metriken prüfen.', reads: 'Monitore, Dashboards und Metriken' },
    discord: {
      purpose: 'Sehen, auf welchen Servern ein Konto ist.',
      reads: 'das Profil des Kontos und die Server, auf denen es ist',
    },
    figma: {
      purpose: 'Entwürfe und ihre Kommentare lesen.',
      reads: 'die Dateien, die das Konto öffnen kann, und ihre Kommentare',
    },
    freshdesk: {
      purpose: 'Support-Tickets und Kontakte nachschlagen.',
      reads: 'Tickets, Unterhaltungen mit Kunden und Kontakte',
    },
    github: {
      purpose: 'Repositorys, Issues und Pull Requests lesen und Issues eröffnen.',
      reads: 'die Repositorys, die das Konto öffnen kann, auch private, mit ihren Issues und Pull Requests',
    },
    gitlab: {
      purpose: 'Projekte, Issues und Merge Requests lesen.',
      reads: 'die Projekte, die das Konto öffnen kann, auch private, mit ihren Issues und Merge Requests',
    },
    gong: { purpose: 'Aufgezeichnete Verkaufsgespräche nachschlagen.', reads: 'Anrufe und Nutzer des Gong-Kontos' },
    'google-calendar': {
      purpose: 'Kalender und Termine sehen.',
      reads: 'alle Kalender des Kontos und ihre Termine, mit Gästen und Beschreibungen',
    },
    'google-cloud': {
      purpose: 'Cloud-Projekte auflisten und Hintergrundläufe gcloud nutzen lassen.',
      reads: 'die Projekte, die das Konto öffnen kann, und in Läufen, was seine Zugangsdaten erlauben',
    },
    'google-docs': { purpose: 'Dokumente lesen.', reads: 'alle Dokumente, die das Konto öffnen kann' },
    'google-drive': {
      purpose: 'Dateien finden und sehen, was sie sind.',
      reads: 'Name, Besitzer und Details aller Dateien, die das Konto öffnen kann, auch geteilter',
    },
    'google-mail': {
      purpose: 'E-Mails suchen und lesen.',
      reads: 'alle Nachrichten und Labels des Postfachs',
    },
    'google-sheet': { purpose: 'Tabellen lesen.', reads: 'alle Tabellen, die das Konto öffnen kann' },
    greenhouse: {
      purpose: 'Stellen und Bewerbungen verfolgen.',
      reads: 'Stellen und Bewerber mit ihren persönlichen Angaben',
    },
    hubspot: { purpose: 'Kontakte und Firmen nachschlagen.', reads: 'Kontakte und Firmen des CRM' },
    intercom: {
      purpose: 'Unterhaltungen mit Kunden lesen.',
      reads: 'Unterhaltungen mit Kunden und Kontakte',
    },
    jira: {
      purpose: 'Vorgänge und Projekte suchen und lesen.',
      reads: 'die Projekte und Vorgänge, die das Konto öffnen kann',
    },
    lever: { purpose: 'Bewerber und Stellenanzeigen verfolgen.', reads: 'Bewerber, Stellenanzeigen und Nutzer' },
    'linear-mcp': {
      purpose: 'Mit Issues und Projekten über den MCP-Server von Linear arbeiten.',
      reads: 'die Issues, Projekte und Teams, die das Konto öffnen kann',
    },
    mailchimp: {
      purpose: 'Zielgruppen und Kampagnen prüfen.',
      reads: 'Zielgruppen mit ihren Mitgliedern und Kampagnen',
    },
    'microsoft-teams': {
      purpose: 'Teams, Kanäle und ihre Nachrichten lesen.',
      reads: 'die Teams, in denen das Konto ist, ihre Kanäle und Nachrichten',
    },
    miro: { purpose: 'Boards und ihren Inhalt lesen.', reads: 'die Boards, die das Konto öffnen kann' },
    neon: {
      purpose: 'Postgres-Projekte und Branches prüfen.',
      reads: 'Projekte, Branches und das Profil des Kontos',
    },
    notion: {
      purpose: 'Seiten suchen und lesen.',
      reads: 'die Seiten und Datenbanken, die in Notion für die Verbindung freigegeben wurden',
    },
    'notion-mcp': {
      purpose: 'Mit Seiten über den MCP-Server von Notion arbeiten.',
      reads: 'die Seiten und Datenbanken, die das Konto öffnen kann',
    },
    'one-drive': {
      purpose: 'Dateien in einem persönlichen Laufwerk finden.',
      reads: 'alle Dateien und Ordner des Laufwerks',
    },
    outlook: {
      purpose: 'E-Mails und Kalender lesen.',
      reads: 'alle Nachrichten und Ordner des Postfachs und seinen Kalender',
    },
    pagerduty: { purpose: 'Vorfälle prüfen.', reads: 'Vorfälle und ihre Details' },
    pipedrive: { purpose: 'Deals und Personen nachschlagen.', reads: 'Deals, Personen und Nutzer des CRM' },
    posthog: {
      purpose: 'Produkteinblicke und Feature-Flags prüfen.',
      reads: 'Projekte, Einblicke und Feature-Flags',
    },
    quickbooks: {
      purpose: 'Buchhaltungszahlen und Berichte prüfen.',
      reads: 'die Buchhaltungsdaten und Berichte der Firma',
    },
    ramp: { purpose: 'Firmenausgaben prüfen.', reads: 'Transaktionen, Karten und Nutzer der Firma' },
    salesforce: {
      purpose: 'Accounts, Kontakte und Deals abfragen.',
      reads: 'die CRM-Datensätze, die das Konto öffnen kann',
    },
    sendgrid: {
      purpose: 'Zustellung und Vorlagen von E-Mails prüfen.',
      reads: 'Vorlagen, unzustellbare Adressen und Statistiken',
    },
    sentry: {
      purpose: 'Fehler Ihrer Software prüfen.',
      reads: 'Projekte und ihre Fehler mit Stacktraces',
    },
    'sharepoint-online': {
      purpose: 'Listen und Dateien von SharePoint-Websites finden.',
      reads: 'die Websites, die das Konto öffnen kann, ihre Listen und Dateien',
    },
    shopify: {
      purpose: 'Bestellungen und Produkte prüfen.',
      reads: 'Bestellungen mit Kundendaten und Produkte des Shops',
    },
    slack: {
      purpose: 'Kanäle lesen und Nachrichten posten.',
      reads: 'die Kanäle, in denen die Verbindung ist, ihre Nachrichten und die Personen des Workspace',
    },
    'stripe-api-key': {
      purpose: 'Kunden, Rechnungen und den Kontostand prüfen.',
      reads: 'Kunden, Rechnungen und den Kontostand des Stripe-Kontos',
    },
    trello: {
      purpose: 'Boards und Karten verfolgen.',
      reads: 'die Boards, die das Konto öffnen kann, und ihre Karten',
    },
    twilio: {
      purpose: 'Gesendete Nachrichten prüfen.',
      reads: 'das Konto und seine Nachrichten, mit Telefonnummern und Text',
    },
    typeform: {
      purpose: 'Formulare und ihre Antworten lesen.',
      reads: 'Formulare und alles, was darin geantwortet wurde',
    },
    vercel: { purpose: 'Projekte und Deployments prüfen.', reads: 'Projekte und Deployments' },
    webflow: { purpose: 'Websites und ihre Inhalte lesen.', reads: 'Websites, Sammlungen und ihre Einträge' },
    wordpress: {
      purpose: 'Websites und Beiträge lesen.',
      reads: 'die Websites des Kontos und ihre Beiträge, auch Entwürfe',
    },
    xero: { purpose: 'Rechnungen prüfen.', reads: 'die verbundenen Organisationen und ihre Rechnungen' },
    zendesk: {
      purpose: 'Support-Tickets nachschlagen.',
      reads: 'Tickets und ihre Kommentare, auch private',
    },
    zoom: {
      purpose: 'Geplante Meetings sehen.',
      reads: 'das Profil des Kontos und seine Meetings',
    },
  },
} as const satisfies Translated<typeof english>;
