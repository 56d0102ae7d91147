import { type KeyUser, leavesOutChat, type UnusedReason } from '../../../src/contract/key-use.ts';
import { formatList, plural } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

const KEY_USERS = {
  workspace_chat: 'Chat in diesem Arbeitsbereich',
  named_chat: 'Chat, der diesen Arbeitsbereich nennt',
  inheriting_chat: 'Chat in allen Arbeitsbereichen ohne eigenen Schlüssel',
  unplaced_chat: 'Chat, der keinen Arbeitsbereich nennt',
  runs: 'Hintergrundläufe',
  funded_runs: 'Hintergrundläufe, die dieser Arbeitsbereich bezahlt',
  attachments: 'Anhänge',
  titles: 'Chattitel',
  global_requests: 'API-Anfragen an den Arbeitsbereich global',
} as const satisfies Record<KeyUser, string>;

const UNUSED = {
  provider_not_callable:
    'Der Dienst ruft diesen Anbieter nicht selbst auf; ein Modellkonto kann seine Modelle bedienen',
  provider_disabled: 'Die Organisation hat diesen Anbieter ausgeschaltet',
  undecryptable: 'Er kann nicht mehr entschlüsselt werden, deshalb schlagen Anfragen fehl, die ihn brauchen',
  organization_has_no_key:
    'Die Organisation hat keinen Schlüssel dieses Anbieters, und ohne ihn werden die Schlüssel ihrer Arbeitsbereiche nicht gelesen',
} as const satisfies Record<UnusedReason, string>;

export const german = {
  keyStrings: {
    title: (provider) => `API-Schlüssel von ${provider}`,
    configured: 'Eingerichtet: Neue Anfragen an diesen Anbieter nutzen den Schlüssel Ihrer Organisation.',
    notConfigured: 'Nicht eingerichtet: Anfragen nutzen weiterhin die Vorgaben der Plattform.',
    required: 'Geben Sie den API-Schlüssel des Anbieters ein.',
    placeholder: 'sk-…',
    demo: (key) =>
      `Hier antworten Demomodelle, und der Demoanbieter nimmt nur Demoschlüssel an. Speichern Sie zum Ausprobieren ${key}. Speichern Sie keinen echten Schlüssel.`,
    demoKeys: { openai: 'sk-demo', anthropic: 'sk-ant-demo' },
    masked: '•'.repeat(24),
    save: 'Schlüssel speichern',
    remove: 'Schlüssel entfernen',
    removeTitle: (provider) => `Schlüssel von ${provider} entfernen?`,
    removeText: (provider) =>
      `Anfragen nutzen ihn sofort nicht mehr, und er kann weder angezeigt noch wiederhergestellt werden: Um ihn wieder zu nutzen, fügen Sie ihn neu ein. Ohne einen anderen Schlüssel nutzen Anfragen an Modelle von ${provider} Plattformguthaben oder werden abgelehnt.`,
    fingerprint: 'Fingerabdruck',
    saved: 'Gespeichert',
    undecryptable:
      'Dieser Schlüssel kann nicht mehr entschlüsselt werden, weil sich der Verschlüsselungsschlüssel der Installation geändert hat. Anfragen, die ihn brauchen, schlagen fehl. Entfernen Sie den Schlüssel und speichern Sie ihn neu.',
    notRead: (provider) =>
      `Der Chat nutzt diesen Schlüssel nicht, weil die Organisation keinen Schlüssel von ${provider} hat. Anfragen nutzen Plattformguthaben. Ein Inhaber oder Admin der Organisation kann auf der Seite „BYOK“ einen Schlüssel speichern.`,
    readOnly: 'Nur Inhaber und Admins des Arbeitsbereichs oder der Organisation können Schlüssel ändern.',
    zdr: {
      title: 'ZDR für diesen Anbieter ausschalten?',
      text: (provider) =>
        `Ihre Organisation schreibt vor, dass Anbieter keine Daten speichern (Zero Data Retention). Solange Ihr eigener Schlüssel von ${provider} gespeichert ist, wird das für Modelle, die bei ${provider} laufen, nicht durchgesetzt. Für andere Anbieter gilt es weiter. Entfernen Sie den Schlüssel, um es wieder durchzusetzen.`,
      confirm: 'Schlüssel speichern und ZDR ausschalten',
    },
  },
  byokStrings: {
    title: 'BYOK',
    description:
      'Bring your own key: Anfragen mit Ihrem eigenen Schlüssel zählen zu Ihren Limits und werden vom Anbieter abgerechnet, nicht über Ihr Plattformguthaben.',
    loadFailed:
      'Die API-Schlüssel der Organisation konnten nicht geladen werden. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    reachTitle: 'Wo der Schlüssel der Organisation verwendet wird',
    reachText:
      'Hintergrundläufe, Anhänge und Chattitel nutzen ihn. Der Chat in einem Arbeitsbereich nutzt den Schlüssel, der im MCP-Gateway des Arbeitsbereichs unter „LLM-Schlüssel“ gespeichert ist.',
    inherit: 'Schlüssel der Organisation vererben',
    inheritText:
      'Arbeitsbereiche ohne eigenen Schlüssel nutzen auch im Chat den Schlüssel der Organisation. Wenn dies aus ist, nutzen sie Plattformguthaben.',
    note: 'Um einen Schlüssel zu ersetzen, entfernen Sie ihn und speichern einen neuen. Schlüssel werden verschlüsselt gespeichert, nie wieder angezeigt und nur an den Anbieter gesendet.',
  },
  workspaceKeyStrings: {
    title: 'LLM-Schlüssel',
    text: (workspace) => `Schlüssel, die Sie hier speichern, werden nur in ${workspace} verwendet.`,
    loadFailed: 'Die API-Schlüssel dieses Arbeitsbereichs konnten nicht geladen werden.',
  },
  modelsAccountStrings: {
    title: 'Modellkonten',
    text: 'Weitere Modellserver für diesen Arbeitsbereich. Das erste Konto mit einem passenden Muster bedient ein Modell, vor allen Schlüsseln und vor den Konten der Organisation.',
    organizationText:
      'Weitere Modellserver für alle Arbeitsbereiche, zum Beispiel ein lokales Ollama oder vLLM. Das erste Konto mit einem passenden Muster bedient ein Modell, vor allen Schlüsseln. Die eigenen Konten eines Arbeitsbereichs haben Vorrang.',
    loadFailed: 'Die Modellkonten konnten nicht geladen werden.',
    none: 'Keine Modellkonten.',
    add: 'Konto hinzufügen',
    addTitle: 'Modellkonto hinzufügen',
    edit: 'Bearbeiten',
    editOf: (account) => `${account} bearbeiten`,
    editTitle: 'Modellkonto bearbeiten',
    moveUp: (account) => `${account} nach oben`,
    moveDown: (account) => `${account} nach unten`,
    ordered: (accounts) => `Neue Reihenfolge: ${formatList(accounts)}`,
    auth: 'Anmeldung',
    authHint: 'Woran der Server das Konto erkennt.',
    auths: {
      bearer: 'Bearer-Schlüssel',
      azure: 'Azure OpenAI',
      aws: 'Amazon Bedrock',
      google: 'Google Vertex AI',
    },
    protocol: 'Protokoll',
    protocolHint: 'Was der Server spricht. Anfragen in anderen Protokollen werden übersetzt.',
    protocols: { chat: 'Chat Completions', responses: 'Responses', messages: 'Messages' },
    baseUrl: 'Basis-URL',
    baseUrlHints: {
      bearer: 'Mit Pfad, zum Beispiel https://models.example.com/v1',
      azure:
        'Zum Beispiel https://my-resource.openai.azure.com/openai/v1 oder, für die ältere API, …/openai/deployments/my-deployment?api-version=2024-10-21',
      aws: 'Zum Beispiel https://bedrock-runtime.us-east-1.amazonaws.com',
      google:
        'Mit Projekt und Standort, zum Beispiel https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5',
    },
    baseUrlRequired: 'Geben Sie die Basis-URL ein.',
    key: 'Schlüssel des Kontos',
    keyHint: 'Bei jeder Änderung nötig, wird nie wieder angezeigt.',
    keyRequired: 'Geben Sie den Schlüssel des Kontos ein.',
    accessKeyId: 'Zugriffsschlüssel-ID',
    secretAccessKey: 'Geheimer Zugriffsschlüssel',
    sessionToken: 'Sitzungstoken',
    sessionTokenHint: 'Nur für temporäre Anmeldedaten, die nach ihrem Ablauf nicht mehr gelten.',
    region: 'Region',
    regionHint: 'Zum Beispiel us-east-1',
    regionRequired: 'Geben Sie die Region ein.',
    serviceAccount: 'Schlüssel des Dienstkontos',
    serviceAccountHint: 'Der Inhalt der JSON-Schlüsseldatei. Bei jeder Änderung nötig, wird nie wieder angezeigt.',
    models: 'Modellmuster',
    modelsHint:
      'Eines pro Zeile. * steht für beliebigen Text, zum Beispiel llama3.3 oder gemini-*. Namen ohne * erscheinen in der Modellauswahl.',
    takesEffort: 'Unterstützt Denkaufwand',
    takesEffortHint:
      'Schalten Sie dies ein, wenn das Konto das Feld reasoning_effort unterstützt. Sonst entfällt der Denkaufwand, wenn eine Anfrage übersetzt wird.',
    modelsRequired: 'Geben Sie mindestens ein Modell ein.',
    save: 'Konto speichern',
    saved: 'Modellkonto gespeichert.',
    remove: 'Konto entfernen',
    removeOf: (account) => `${account} entfernen`,
    removeTitle: 'Modellkonto entfernen?',
    removeText: (account) =>
      `Die Modelle von ${account} nutzen dann andere Konten, Schlüssel oder Plattformguthaben oder sind nicht mehr verfügbar, wenn nichts anderes sie bedient.`,
    removed: 'Modellkonto entfernt.',
    undecryptable:
      'Der Schlüssel des Kontos kann nicht mehr entschlüsselt werden, weil sich der Verschlüsselungsschlüssel der Installation geändert hat. Anfragen, die ihn brauchen, schlagen fehl. Speichern Sie das Konto mit seinem Schlüssel neu.',
  },
  routeStrings: {
    title: 'Routen',
    text: 'Eine Route fasst mehrere Modelle unter einem Namen zusammen. Anfragen, die sie nennen, beantwortet das erste Modell, das antwortet. Anfragen, die ein Modell selbst nennen, gehen nie an ein anderes.',
    empty: 'Keine Routen',
    emptyText: 'Fügen Sie eine hinzu und wählen Sie sie wie ein Modell: im Chat oder als Modell einer API-Anfrage.',
    add: 'Route hinzufügen',
    slug: 'Name',
    slugHint: 'Anfragen verwenden route/ und diesen Namen. Auto folgt der Route mit dem Namen auto.',
    slugRequired: 'Geben Sie einen Namen ein.',
    order: 'Modelle in der Reihenfolge, in der sie versucht werden',
    addModel: 'Modell hinzufügen',
    modelsRequired: 'Fügen Sie mindestens ein Modell hinzu.',
    moved: (model, position) => `${model} ist jetzt Nummer ${position}.`,
    up: (model) => `${model} nach oben`,
    down: (model) => `${model} nach unten`,
    leaveOut: (model) => `${model} entfernen`,
    on: 'Das nächste Modell versuchen, wenn ein Modell',
    reasons: {
      rate_limited: 'sein Anfragelimit erreicht hat',
      overloaded: 'überlastet ist',
      unavailable: 'nicht verfügbar ist',
      timeout: 'nicht rechtzeitig antwortet',
    },
    save: 'Route speichern',
    saved: 'Route gespeichert',
    cancel: 'Abbrechen',
    test: 'Testen',
    answered: (model) => `${model} hat geantwortet.`,
    didNotAnswer: (model, reason) => `${model} nicht: ${reason}`,
    remove: 'Route löschen',
    removeTitle: (name) => `${name} löschen?`,
    removeText: 'Anfragen, die sie nennen, werden danach abgelehnt.',
    removed: 'Route gelöscht',
  },
  modelSettingsStrings: {
    title: 'Modelle',
    description:
      'Welche Modelle die Mitglieder dieser Organisation nutzen dürfen. Der Server prüft jede Chatanfrage, bevor er einen Anbieter anspricht.',
    providers: 'Anbieter',
    providersText: 'Ein Modell ist verfügbar, solange einer seiner Anbieter erlaubt ist.',
    models: 'Erlaubte Modelle',
    search: 'Modelle suchen',
    matching: (count) => plural(count, { one: '# Modell', other: '# Modelle' }),
    empty: 'Keine passenden Modelle',
    emptyText: 'Versuchen Sie einen anderen Namen oder Anbieter.',
    unknown: 'Nicht mehr im Katalog; weiterhin gesperrt.',
    denials: {
      'policy_denied:provider': 'Gesperrt: Der Anbieter ist ausgeschaltet',
      'policy_denied:compliance': 'Gesperrt: keine Zero Data Retention',
    },
    list: 'Modellliste',
    allowUnlisted: 'Nicht aufgeführte Modelle mit eigenen Schlüsseln erlauben',
    allowUnlistedText:
      'Anfragen an die Chat-API dürfen Modelle eines Anbieters nennen, die hier noch nicht stehen, wenn Ihr eigener Schlüssel für diesen Anbieter zahlt. Ihre Kosten sind unbekannt; Obergrenzen zählen sie nicht mit.',
    requireKey: 'Anbieterschlüssel der Organisation voraussetzen',
    requireKeyText:
      'Die Chatseite zeigt nur Modelle, deren Anbieter einen Schlüssel in der Organisation oder im Arbeitsbereich hat. Das kürzt nur die Liste: Der Server lehnt andere Modelle nicht ab.',
  },
  describeKeyUse: (use) => {
    if (use.unused !== undefined) return `Keine Anfrage nutzt diesen Schlüssel zurzeit: ${UNUSED[use.unused]}.`;
    const sentences = [`Genutzt für: ${formatList(use.by.map((user) => KEY_USERS[user]))}.`];
    if (leavesOutChat(use))
      sentences.push('Der Chat in Arbeitsbereichen nutzt ihn nicht, solange das Vererben ausgeschaltet ist.');
    if (use.behindModelsAccount) sentences.push('Ein Modellkonto hat Vorrang bei den Modellen, die es bedient.');
    return sentences.join(' ');
  },
} as const satisfies Translated<typeof english>;
