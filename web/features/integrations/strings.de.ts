import { plural } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  integrationStrings: {
    title: 'Integrationen',
    description: (workspace) =>
      `Apps, die Personen, Agenten und MCP-Clients von ${workspace} nutzen können. Die Zugangsdaten verbundener Apps bleiben beim Integrationsanbieter; importierte werden hier verschlüsselt gespeichert.`,
    list: 'Apps',
    connectedApps: 'Verbunden',
    popularApps: 'Beliebt',
    search: 'Apps suchen',
    category: 'Kategorie',
    allCategories: 'Alle Kategorien',
    show: 'Zeigen',
    shows: { all: 'Alle Apps', connected: 'Verbunden', attention: 'Braucht Aufmerksamkeit', free: 'Nicht verbunden' },
    found: (count, all) => (count === all ? `${all} Apps` : `${count} von ${all} Apps`),
    none: 'Keine passende App',
    noneText: 'Suchen Sie anders, oder setzen Sie die Filter zurück.',
    clear: 'Alle Apps zeigen',
    notMember: 'Sie sind kein Mitglied dieses Arbeitsbereichs',
    notMemberText:
      'Nur Mitglieder eines Arbeitsbereichs sehen seine Verbindungen. Fügen Sie sich auf der Seite des Arbeitsbereichs hinzu, um sie zu sehen und zu nutzen.',
    openWorkspace: 'Arbeitsbereich öffnen',
    tools: (count) => plural(count, { one: '# Tool', other: '# Tools' }),
    withWrites: (count, writes) => `${count} Tools, davon ${writes} zum Schreiben`,
    discoveredTools: 'Tools von ihrem MCP-Server',
    canRead: (workspace, reads) => `Mitglieder von ${workspace} können lesen: ${reads}.`,
    noTools: 'Für die Befehlszeile in Läufen',
    toolsOf: (app) => `Tools von ${app}`,
    connect: 'Verbinden',
    reconnect: 'Neu verbinden',
    disconnect: 'Trennen',
    import: 'Importieren',
    importAgain: 'Neu importieren',
    manage: 'Aktionen',
    disconnectTitle: (app) => `${app} trennen?`,
    disconnectText: (workspace) =>
      `${workspace} kann die App nicht mehr nutzen. Ihre Zugangsdaten werden beim Integrationsanbieter gelöscht, ebenso die Einstellungen ihrer Aktionen.`,
    disconnected: (app) => `${app} getrennt.`,
  },
  notConfiguredTexts: {
    hosted:
      'Integrationen sind vorübergehend nicht verfügbar, weil der Verbindungsdienst nicht eingerichtet ist. Wenden Sie sich an den Administrator.',
    local: 'Integrationen sind für diese lokale App nicht eingerichtet. Starten Sie den vollständigen Stack.',
  },
  connectingStrings: {
    title: (app) => `${app} verbinden`,
    opening: 'Die Verbindungsseite wird vorbereitet\u00a0…',
    waiting: 'Schließen Sie den Vorgang im neuen Fenster ab. Diese Seite aktualisiert sich danach.',
    blocked:
      'Ihr Browser hat das Fenster blockiert. Öffnen Sie die Verbindungsseite selbst; diese Seite aktualisiert sich danach.',
    open: 'Verbindungsseite öffnen',
    openAgain: 'Noch einmal öffnen',
    link: 'Verbindungslink',
    linkText: 'Er gilt nur für Sie und läuft bald ab.',
    state: (app) => `Warten auf ${app}\u00a0…`,
    expired: 'Der Verbindungslink ist abgelaufen.',
    refused: (app) =>
      `${app} wurde nicht verbunden: Der Zugriff wurde im Verbindungsfenster abgelehnt oder ist fehlgeschlagen.`,
    closed: (app) => `${app} wurde nicht verbunden: Das Verbindungsfenster wurde zu früh geschlossen.`,
    newLink: 'Neuen Link erstellen',
    done: (app) => `${app} ist verbunden.`,
  },
  askStrings: {
    title: (app, workspace) => `${app} mit ${workspace} verbinden?`,
    reads: 'Was gelesen werden kann',
    readsText: (reads) => `Mit dem Konto, das Sie verbinden: ${reads}.`,
    readsUnknown: 'Mit dem Konto, das Sie verbinden: was die App auf ihrer eigenen Seite erlaubt.',
    writes: 'Was geändert werden kann',
    writesText: (tools) => `Zunächst nichts. Ein Inhaber oder Admin kann einschalten: ${tools}.`,
    discoveredWrites: 'Zunächst nichts. Ein Inhaber oder Admin kann einschalten, was der MCP-Server der App anbietet.',
    commandWrites: 'Alles, was die Zugangsdaten erlauben: Hintergrundläufe nutzen die Befehlszeile der App.',
    noWrites: 'Nichts. Ihre Tools lesen nur.',
    who: 'Wer sie nutzen kann',
    everyone: (organization, workspace) =>
      `Alle in ${organization}, jetzt und später, denn alle sind Mitglied von ${workspace}. Auch ihre Agenten und MCP-Clients können sie nutzen.`,
    members: (names, workspace) => `Alle Mitglieder von ${workspace} mit ihren Agenten und MCP-Clients: ${names}.`,
    you: 'Sie',
    more: (count) => plural(count, { one: '# weitere Person', other: '# weitere Personen' }),
    manyMore: 'viele weitere Personen',
    own: (app) =>
      `${app} enthält meist die eigenen Daten einer Person. Um sie für sich zu behalten, verbinden Sie die App in einem Arbeitsbereich, in dem nur Sie Mitglied sind.`,
    ownNote:
      'Inhaber und Admins der Organisation sehen, dass es diesen Arbeitsbereich gibt, und können seine Mitglieder ändern.',
    connect: (workspace) => `Mit ${workspace} verbinden`,
    connectOwn: 'Nur für mich verbinden',
    ownName: (person) => `${person} (persönlich)`,
    ownDone: (app, workspace) => `${app} ist in „${workspace}“ verbunden, wo nur Sie die App nutzen können.`,
  },
  connectionStatusNames: { valid: 'Verbunden', expired: 'Abgelaufen', invalid: 'Gestört' },
  statusReasons: {
    provider_auth_refresh_failed: 'Die Autorisierung konnte nicht erneuert werden. Verbinden Sie die App neu.',
    provider_connection_errors:
      'Der Integrationsanbieter meldet Fehler bei dieser Verbindung. Verbinden Sie die App neu.',
    provider_refresh_exhausted:
      'Der Integrationsanbieter erneuert die Autorisierung nach mehreren Fehlern nicht mehr. Verbinden Sie die App neu.',
    provider_connection_missing: 'Der Integrationsanbieter hat diese Verbindung nicht mehr. Verbinden Sie die App neu.',
    workspace_membership_revoked:
      'Zuletzt hat sie jemand autorisiert, der den Arbeitsbereich verlassen hat. Verbinden Sie die App neu.',
    workspace_authority_required:
      'Zuletzt hat sie jemand autorisiert, der sie nicht ersetzen darf. Verbinden Sie die App neu.',
  },
  statusTexts: {
    expired: 'Die Autorisierung ist abgelaufen. Verbinden Sie die App neu.',
    expiredImport: 'Die importierten Zugangsdaten sind abgelaufen. Importieren Sie neue.',
    invalid: 'Diese Verbindung funktioniert nicht mehr. Verbinden Sie die App neu.',
  },
  connectionKindNames: {
    'integration-reference': 'Über den Integrationsanbieter verbunden',
    'local-cloud-profile': 'Cloud-Profil der Befehlszeile',
    'cloud-credential-process': 'Importierte Cloud-Zugangsdaten',
    'code-host-token': 'Importiertes Zugriffstoken',
  },
  categoryNames: {
    analytics: 'Analyse',
    code: 'Code',
    commerce: 'Handel',
    communication: 'Kommunikation',
    crm: 'Kunden',
    design: 'Design',
    documents: 'Dokumente',
    finance: 'Finanzen',
    hr: 'Personal',
    infrastructure: 'Infrastruktur',
    marketing: 'Marketing',
    productivity: 'Produktivität',
    support: 'Support',
  },
  authNames: {
    API_KEY: 'API-Schlüssel',
    BASIC: 'Benutzername oder Schlüsselpaar',
    OAUTH1: 'OAuth 1',
    OAUTH2: 'OAuth',
    OAUTH2_CC: 'OAuth-Client-Zugangsdaten',
    MCP_OAUTH2: 'OAuth über ihren MCP-Server',
  },
  importStrings: {
    title: (app) => `In ${app} importieren`,
    shared: 'Alle Mitglieder dieses Arbeitsbereichs können das Importierte in Hintergrundläufen nutzen.',
    kind: 'Was importieren?',
    kinds: {
      'local-cloud-profile': 'Profil',
      'cloud-credential-process': 'Zugangsdaten',
      'code-host-token': 'Zugriffstoken',
    },
    profile: 'Profilname',
    profileText: (cli) =>
      `Der Name eines Profils von ${cli} auf dem Rechner, auf dem Läufe ausgeführt werden. Nur der Name wird gespeichert.`,
    profileRequired: 'Geben Sie einen Profilnamen ein.',
    bundle: 'Zugangsdaten als JSON',
    bundleText:
      'Die Ausgabe eines „credential process“: Version, AccessKeyId, SecretAccessKey und bei Bedarf SessionToken und Expiration. Wird verschlüsselt gespeichert.',
    bundleInvalid: 'Das ist nicht die JSON-Ausgabe eines „credential process“.',
    token: 'Zugriffstoken',
    tokenText: 'Wird verschlüsselt gespeichert und nie wieder angezeigt.',
    tokenRequired: 'Geben Sie das Token ein.',
    host: 'Host (optional)',
    hostText: 'Nur für selbst betriebene Server, zum Beispiel git.example.org.',
    submit: 'Importieren',
    done: (app) => `${app} wurde importiert.`,
  },
} as const satisfies Translated<typeof english>;
