import { plural } from '../language/format.ts';
import type { Translated } from '../language/language.ts';
import type * as english from './error-strings.ts';

const RATE_LIMITED = 'Zu viele Anfragen:';
const LATER = 'Versuchen Sie es in Kürze noch einmal.';
const AGAIN = 'Versuchen Sie es noch einmal.';
const UNSURE =
  'Eine schreibende Aktion kann trotzdem ausgeführt worden sein: Prüfen Sie das, bevor Sie sie wiederholen.';

/** What follows the first colon: the provider's own words, which are not translated. */
const reasonIn = (message: string): string => message.slice(message.indexOf(':') + 1).trim();

/** The first name in quotation marks: of the server's message, or of one that was translated before. */
const nameIn = (message: string): string => /['„]([^'“]+)['“]/.exec(message)?.[1] ?? '';

/** What a schedule is refused for, by how the server's sentence about it begins. */
const SCHEDULE_FAULTS: readonly (readonly [string, string])[] = [
  ['A schedule has either', 'Ein Zeitplan hat entweder eine Cron-Zeile oder einen Abstand oder einen Zeitpunkt.'],
  [
    'A cron line has five',
    'Eine Cron-Zeile hat fünf Felder: Minute, Stunde, Tag des Monats, Monat, Wochentag. Sekunden gibt es nicht.',
  ],
  [
    'The cron line cannot',
    'Die Cron-Zeile ist nicht lesbar. Prüfen Sie jedes Feld: Minute 0-59, Stunde 0-23, Tag 1-31, Monat 1-12, Wochentag 0-7.',
  ],
  ['No day fits', 'Zu dieser Cron-Zeile passt kein Tag, wie beim 31. Februar. Ändern Sie Tag oder Monat.'],
  ['A cron line needs', 'Eine Cron-Zeile braucht die Zeitzone, in der sie gemeint ist, zum Beispiel Europe/Berlin.'],
  ['A time zone belongs', 'Eine Zeitzone gehört zu einer Cron-Zeile.'],
  ['There is no time zone', 'Diese Zeitzone gibt es nicht. Verwenden Sie einen Namen wie Europe/Berlin oder UTC.'],
  ['The shortest interval', 'Der Abstand ist kürzer, als er hier sein darf.'],
];
const scheduleFault = (message: string): string =>
  SCHEDULE_FAULTS.find(([beginning]) => message.startsWith(beginning))?.[1] ??
  'Dieser Zeitpunkt ist vorbei. Wählen Sie einen, der noch kommt.';

/** A sentence about what the message names, or about the thing as such. */
const about = (message: string, named: (name: string) => string, otherwise: string): string =>
  nameIn(message) === '' ? otherwise : named(nameIn(message));

export const german = {
  errorTexts: {
    unreachable:
      'Der Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal. Ihre Eingaben sind noch da.',
    unauthenticated: 'Ihre Sitzung ist beendet. Melden Sie sich wieder an, um fortzufahren.',
    invalid_request: 'Einige Angaben sind ungültig. Prüfen Sie die markierten Felder.',
    last_owner: 'Eine Organisation braucht mindestens einen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.',
    seat_capacity_reached:
      'Alle Plätze Ihres Tarifs sind belegt. Entfernen Sie ein Mitglied, oder bitten Sie Ihren Betreiber um einen größeren Tarif.',
    slug_taken: 'Diese Adresse ist vergeben. Wählen Sie einen anderen Namen.',
    owner_required: 'Das kann nur ein Inhaber der Organisation.',
    too_many_scim_tokens:
      'Diese Organisation hat schon zwei SCIM-Token. Widerrufen Sie das, das nicht mehr verwendet wird.',
    already_member: 'Diese Person ist schon Mitglied.',
    invalid_credentials: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    user_exists: 'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Melden Sie sich stattdessen an.',
    openid_unavailable: `Der Anmeldedienst hat nicht geantwortet. ${LATER}`,
    openid_refused:
      'Die Antwort des Anmeldedienstes konnte nicht geprüft werden. Beginnen Sie noch einmal. Wenn es wieder geschieht, sagen Sie es Ihrem Betreiber.',
    openid_state_invalid:
      'Diese Anmeldung hat zu lange gedauert, wurde schon verwendet oder begann in einem anderen Browser. Beginnen Sie noch einmal.',
    openid_cancelled:
      'Der Anmeldedienst hat Sie nicht angemeldet, oder Sie haben abgebrochen. Beginnen Sie noch einmal.',
    openid_address_unverified:
      'Der Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt. Bestätigen Sie sie dort, oder fragen Sie Ihren Betreiber, und melden Sie sich dann wieder an.',
    openid_domain_refused:
      'Adressen dieser Domain können sich hier nicht anmelden. Verwenden Sie das Konto Ihrer Organisation.',
    openid_link_gone:
      'Es gibt nichts zu verbinden, oder es hat zu lange gedauert. Melden Sie sich noch einmal über den Anmeldedienst an.',
    openid_link_other_account:
      'Sie sind mit einem anderen Konto angemeldet. Melden Sie sich mit dem Konto an, das Sie verbinden möchten.',
    openid_not_fresh:
      'Der Anmeldedienst hat nicht bestätigt, dass Sie sich dort gerade angemeldet haben. Versuchen Sie es noch einmal.',
    password_sign_in_closed:
      'Passwörter werden hier nicht angenommen. Melden Sie sich über den Anmeldedienst Ihrer Organisation an.',
    account_disabled: 'Dieses Konto ist gesperrt. Wenden Sie sich an die Betreiber des Dienstes.',
    too_many_runs: 'Mehr Läufe können nicht warten. Warten Sie, bis einige begonnen haben, oder stoppen Sie einen.',
    too_many_streams:
      'Zu viele Live-Ansichten sind offen. Schließen Sie einige Tabs dieser App und laden Sie diese Seite neu.',
    sign_up_closed:
      'Für ein Konto brauchen Sie hier eine Einladung. Öffnen Sie Ihren Einladungslink und verwenden Sie die E-Mail-Adresse, für die er erstellt wurde.',
    organizations_closed:
      'Nur der Betreiber dieses Dienstes kann Organisationen erstellen. Bitten Sie ihn, eine für Sie anzulegen.',
    storage_full:
      'Der Speicher Ihrer Organisation ist voll. Löschen Sie Chats mit Anhängen, die Sie nicht mehr brauchen, oder bitten Sie Ihren Betreiber um mehr Platz.',
    quota_exceeded: 'Kontingent erschöpft: Das Budget Ihrer Organisation reicht für diese Anfrage nicht aus.',
  },
  RATE_LIMITED,
  rateLimited: (seconds) =>
    `${RATE_LIMITED} Sie haben in kurzer Zeit zu viele gesendet. ${
      seconds === undefined
        ? 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.'
        : `Versuchen Sie es in ${plural(seconds, { one: '# Sekunde', other: '# Sekunden' })} noch einmal.`
    }`,
  FALLBACK_ERROR:
    'Etwas ist schiefgelaufen. Versuchen Sie es noch einmal. Wenn es öfter passiert, wenden Sie sich an Ihren Betreiber.',
  serverTexts: {
    internal:
      'Bei uns ist etwas schiefgelaufen. Versuchen Sie es noch einmal. Wenn es öfter passiert, nennen Sie Ihrem Betreiber die Anfrage-ID.',
    unknown_parameter: 'Die Anfrage enthält ein Feld, das dieses Modell nicht unterstützt.',
    not_found: 'Hier ist nichts, oder Sie dürfen es nicht sehen.',
    invalid_code:
      'Der Code ist falsch oder wurde schon verwendet. Geben Sie den ein, den Ihre App jetzt zeigt, oder einen anderen Wiederherstellungscode.',
    invalid_passkey:
      'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    challenge_expired:
      'Es ist zu viel Zeit vergangen, oder zu viele Codes waren falsch. Beginnen Sie die Anmeldung von vorn.',
    second_factor_required:
      'Dafür braucht Ihre Sitzung einen zweiten Faktor. Richten Sie in Ihrem Konto einen Passkey oder Einmalcodes ein, oder melden Sie sich mit dem an, den Sie haben.',
    last_way_in: 'Das ist der einzige Weg in Ihr Konto. Fügen Sie zuerst einen Passkey oder ein Passwort hinzu.',
    one_time_codes_exist:
      'Einmalcodes sind schon eingerichtet. Entfernen Sie sie zuerst, um eine andere App zu verwenden.',
    one_time_codes_missing: 'Einmalcodes sind noch nicht eingerichtet.',
    password_exists: 'Ihr Konto hat ein Passwort. Ändern Sie stattdessen dieses.',
    too_many_passkeys: 'Mehr Passkeys kann ein Konto nicht haben. Entfernen Sie zuerst einen.',
    address_managed: (message) =>
      message.includes('provider')
        ? 'Ihre Adresse legt der Anbieter fest, über den Sie sich anmelden. Wenden Sie sich an dessen Betreiber.'
        : 'Dieser Dienst versendet keine E-Mails und kann eine neue Adresse deshalb nicht bestätigen. Bitten Sie den Betreiber, den Versand einzurichten.',
    method_not_allowed: 'Das geht an dieser Adresse nicht.',
    request_too_large: 'Die Anfrage ist größer als erlaubt.',
    request_timeout: 'Die Anfrage kam nicht rechtzeitig an. Senden Sie sie ohne Pause noch einmal.',
    delivery_unverified:
      'Es wurde nichts gestartet: Die Signatur passt nicht. Prüfen Sie die Adresse, das Geheimnis und die Uhr des Absenders.',
    delivery_refused:
      'Der Lauf dieses Eingangs wurde abgelehnt. Wenn der Grund behoben ist, senden oder wiederholen Sie ihn noch einmal.',
    delivery_not_kept: 'Der Inhalt dieses Eingangs ist nicht mehr vorhanden. Lassen Sie ihn noch einmal senden.',
    too_many_triggers: 'Dieser Arbeitsbereich hat so viele Auslöser, wie er haben kann. Löschen Sie zuerst einen.',
    prompt_name_taken: 'Einen Prompt mit diesem Namen gibt es schon. Wählen Sie einen anderen Namen.',
    run_takes_no_messages:
      'Läufe dieser Art nehmen keine Nachrichten an, solange sie arbeiten. Warten Sie, bis der Lauf zu Ende ist, oder stoppen Sie ihn.',
    too_many_messages:
      'Dieser Lauf hat so viele Nachrichten bekommen, wie einer haben kann. Warten Sie, bis er zu Ende ist, und antworten Sie ihm dann.',
    snapshot_gone:
      'Die Dateien dieses Laufs sind nicht mehr aufgehoben. Senden Sie die Nachricht ohne sie, um nur mit dem Gespräch weiterzumachen.',
    maker_required:
      'Das kann nur die Person, die dies erstellt hat. Inhaber und Admins können es anhalten und löschen.',
    authority_lost:
      'Was dies durfte, gilt nicht mehr: Das Token oder die App wurde widerrufen, das Konto geschlossen oder die Mitgliedschaft beendet. Schalten Sie es als Mitglied mit gültigem Zugriff wieder ein.',
    invalid_schedule: scheduleFault,
    too_many_schedules:
      'Sie haben so viele Zeitpläne, wie eine Person haben kann. Löschen Sie einen, und versuchen Sie es dann noch einmal.',
    prompt_authority_required:
      'Nur wer diesen Prompt erstellt hat sowie Inhaber und Admins des Arbeitsbereichs oder der Organisation können ihn ändern.',
    too_many_prompts:
      'Hier gibt es schon so viele Prompts wie möglich. Löschen Sie einen, und versuchen Sie es dann noch einmal.',
    recipe_name_taken:
      'Ein Rezept mit diesem Namen gibt es in diesem Arbeitsbereich schon. Wählen Sie einen anderen Namen.',
    recipe_authority_required:
      'Nur wer dieses Rezept erstellt hat sowie Inhaber und Admins des Arbeitsbereichs oder der Organisation können es ändern.',
    too_many_recipes:
      'Dieser Arbeitsbereich hat schon so viele Rezepte wie möglich. Löschen Sie eines, und versuchen Sie es dann noch einmal.',
    environment_not_found:
      'Diese Umgebung gibt es in diesem Arbeitsbereich nicht, oder Sie dürfen sie nicht sehen. Wählen Sie eine andere.',
    too_many_environments:
      'Dieser Arbeitsbereich hat schon so viele Umgebungen wie möglich. Löschen Sie eine, und versuchen Sie es dann noch einmal.',
    environment_secrets_not_configured:
      'Hier können keine Geheimnisse von Umgebungen gespeichert werden. Bitten Sie Ihren Betreiber, SERVICE_CONNECTION_ENCRYPTION_KEY_B64 zu setzen: Damit werden sie verschlüsselt.',
    environment_secret_lost:
      'Ein Geheimnis dieser Umgebung lässt sich nicht mehr öffnen. Setzen Sie es neu, und starten Sie den Lauf dann noch einmal.',
    setting_not_supported:
      'Dieses Modell nimmt den eingestellten Aufwand oder die Temperatur nicht an. Ändern Sie sie, oder wählen Sie ein anderes Modell.',
    subscriptions_not_configured:
      'Hier kann nichts abonniert werden. Bitten Sie Ihren Betreiber, SERVICE_CONNECTION_ENCRYPTION_KEY_B64 zu setzen: Damit werden die Geheimnisse verschlüsselt.',
    subscription_disabled:
      'Dieses Abonnement ist ausgeschaltet. Schalten Sie es ein, und senden Sie die Nachricht dann noch einmal.',
    too_many_subscriptions:
      'Es gibt hier so viele Abonnements, wie möglich sind. Löschen Sie eines, und versuchen Sie es dann noch einmal.',
    too_many_routes:
      'Diese Organisation hat so viele Routen, wie sie haben kann. Löschen Sie eine, und versuchen Sie es dann noch einmal.',
    too_many_models_accounts:
      'Es gibt bereits so viele Modellkonten, wie möglich sind. Entfernen Sie eines und versuchen Sie es noch einmal.',
    project_role_required: 'Dafür fehlt Ihnen das Recht an diesem Projekt. Fragen Sie die Person, die es verwaltet.',
    project_still_managed:
      'Die Person, die dieses Projekt verwaltet, ist noch im Arbeitsbereich. Übernehmen lässt es sich erst, wenn sie ihn verlassen hat.',
    too_many_projects:
      'In diesem Arbeitsbereich gibt es bereits so viele solche Projekte wie möglich. Löschen Sie eines, und versuchen Sie es dann noch einmal.',
    too_many_project_files:
      'Dieses Projekt hat so viele Dateien, wie es haben kann. Löschen Sie eine, und versuchen Sie es dann noch einmal.',
    import_too_large:
      'Die Datei ist größer, als auf einmal importiert werden kann. Entpacken Sie sie und importieren Sie ihre conversations.json, oder bitten Sie Ihren Betreiber um ein höheres Limit.',
    import_in_progress:
      'Ein anderer Import von Ihnen ist noch nicht zu Ende. Warten Sie, bis er fertig ist, oder brechen Sie ihn ab.',
    import_incomplete: 'Teile der Datei fehlen. Laden Sie sie hoch, und starten Sie dann den Import.',
    import_closed: 'Dieser Import nimmt keine Teile einer Datei mehr an. Beginnen Sie einen neuen.',
    import_format_unknown:
      'In dieser Datei sind keine Unterhaltungen aus ChatGPT, Claude oder LibreChat. Wählen Sie die ZIP- oder JSON-Datei, die Sie beim Export bekommen haben.',
    file_type_unsupported:
      'Der Text dieses Dateityps kann nicht gelesen werden. Fügen Sie ein PDF, ein Office-Dokument oder eine Textdatei in UTF-8 hinzu.',
    file_without_text:
      'In dieser Datei steht kein Text; vielleicht ist sie ein Scan. Wenden Sie zuerst eine Texterkennung (OCR) an, oder hängen Sie die Seiten als Bilder an.',
    file_damaged:
      'Diese Datei ist beschädigt und kann nicht gelesen werden. Öffnen Sie sie in ihrem Programm, speichern Sie sie neu, und versuchen Sie es damit.',
    file_encrypted:
      'Diese Datei ist durch ein Passwort geschützt. Speichern Sie eine Kopie ohne Passwort, und versuchen Sie es damit.',
    file_too_complex:
      'Diese Datei ist entpackt zu groß, um gelesen zu werden. Speichern Sie den Teil, den Sie brauchen, als kleinere Datei, und versuchen Sie es damit.',
    conflict: `Jemand hat dies gleichzeitig geändert. Laden Sie es neu. ${AGAIN}`,
    unavailable: `Der Dienst startet gerade oder erreicht seine Datenbank nicht. ${LATER}`,
    organization_paused:
      'Der Betreiber dieses Dienstes hat diese Organisation angehalten. Fragen Sie ihn, wann es weitergeht.',
    export_in_progress:
      'Ihre Daten werden gerade heruntergeladen. Warten Sie, bis das beendet ist, oder brechen Sie es ab, und versuchen Sie es dann noch einmal.',
    proof_required: 'Bestätigen Sie noch einmal, wer Sie sind, und wiederholen Sie es innerhalb von zehn Minuten.',
    password_refused:
      'Dieses Passwort ist leicht zu erraten: Es steht auf einer Liste gestohlener Passwörter, oder es besteht aus Ihrem Namen, Ihrer Adresse oder dem Namen des Dienstes. Wählen Sie ein anderes.',
    link_invalid:
      'Dieser Link wurde schon benutzt, durch einen neueren ersetzt oder ist abgelaufen. Fordern Sie einen neuen an.',
    mail_not_configured:
      'Dieser Dienst verschickt keine E-Mails. Bitten Sie den Betreiber um einen Link, mit dem Sie ein neues Passwort wählen.',
    account_disabled: 'Dieses Konto ist gesperrt. Wenden Sie sich an die Betreiber des Dienstes.',
    openid_not_configured:
      'Dieser Dienst hat keinen Anmeldedienst. Melden Sie sich mit E-Mail-Adresse und Passwort an.',
    cross_origin: 'Diese Anfrage kam von einer anderen Adresse. Öffnen Sie die App an ihrer eigenen Adresse.',
    push_not_allowed:
      'Läufe dürfen über diese Verbindung nicht pushen. Owner und Admins erlauben es in den Einstellungen der Verbindung.',
    insufficient_scope: 'Dem Token fehlt die nötige Berechtigung. Erstellen Sie ein Token, das sie hat.',
    user_not_found: 'Hier hat niemand diese ID. Laden Sie die Person stattdessen per E-Mail-Adresse ein.',
    invitation_expired: 'Diese Einladung ist abgelaufen. Bitten Sie um eine neue.',
    organization_limit_reached:
      'Sie haben so viele Organisationen erstellt, wie eine Person hier erstellen kann. Bitten Sie den Betreiber dieses Dienstes, das Limit zu erhöhen.',
    workspace_reserved:
      'Dieser Arbeitsbereich gehört der ganzen Organisation. Sie können ihn nicht verlassen, löschen oder seine Mitglieder ändern.',
    workspace_authority_required: (message) =>
      message.startsWith('Only the person who started this run')
        ? 'Solange dieser Lauf arbeitet, kann nur mit ihm sprechen, wer ihn gestartet hat. Ist er zu Ende, können ihm alle im Arbeitsbereich antworten.'
        : 'Nur Inhaber und Admins des Arbeitsbereichs oder der Organisation können das tun.',
    workspace_membership_required:
      'Nur Mitglieder des Arbeitsbereichs können das tun. Bitten Sie seinen Inhaber, Sie hinzuzufügen.',
    sharing_disabled:
      'Ihre Organisation erlaubt es nicht, Chats zu teilen. Ein Inhaber oder Admin kann das in den Richtlinien ändern.',
    integrations_not_configured:
      'Integrationen sind nicht eingerichtet. Der Betreiber muss SERVICE_INTEGRATIONS_URL, SERVICE_INTEGRATIONS_SECRET_KEY und SERVICE_INTEGRATIONS_WEBHOOK_SECRET setzen.',
    connections_not_configured:
      'Diese Installation kann keine Verbindungen speichern. Ihr Betreiber muss SERVICE_CONNECTION_ENCRYPTION_KEY_B64 setzen.',
    integration_provider_failed: `Der Integrationsanbieter hat einen Fehler gemeldet. ${LATER} Wenn es öfter passiert, informieren Sie Ihren Betreiber.`,
    integration_key_refused:
      'Der Integrationsanbieter nimmt den Schlüssel dieser Installation nicht an, oder dem Schlüssel fehlt eine Berechtigung. Informieren Sie Ihren Betreiber: SERVICE_INTEGRATIONS_SECRET_KEY muss der geheime Schlüssel der Umgebung prod sein, mit den Berechtigungen aus der Anleitung.',
    integration_not_registered:
      'Der Integrationsanbieter kennt diese App noch nicht. Ihr Betreiber muss sie dort eintragen, mit servicectl integrations reconcile --apply oder mit einer OAuth-Anwendung.',
    connector_not_found: 'Diese App ist nicht im Katalog.',
    connection_exists:
      'Eine Verbindung anderer Art hat schon diesen Namen. Entfernen Sie sie zuerst, oder wählen Sie einen anderen Namen.',
    connection_undecryptable: 'Die Verbindung kann nicht mehr entschlüsselt werden. Verbinden Sie die App neu.',
    name_reserved:
      'Der Name „agent-registry“ ist für Cloud-Konten der Agent-Registry reserviert. Wählen Sie einen anderen Namen.',
    capability_unusable: (message) =>
      `${about(message, (name) => `„${name}“ ist gerade nicht verfügbar.`, 'Eine App, die dafür nötig ist, ist gerade nicht verfügbar.')} Verbinden Sie die App. ${AGAIN}`,
    service_debug_disabled:
      'Die Diagnose ist aus. Setzen Sie SERVICE_DEBUG_TOKEN oder SERVICE_DEBUG_JWT_SECRET, um sie einzuschalten.',
    provider_not_found: 'Der Katalog hat kein Modell dieses Anbieters.',
    provider_key_exists:
      'Hier ist schon ein Schlüssel eingerichtet. Entfernen Sie ihn zuerst, dann speichern Sie den neuen.',
    provider_keys_not_configured:
      'Diese Installation kann keine Schlüssel speichern. Ihr Betreiber muss BYOK_ENCRYPTION_KEY_B64 setzen.',
    guardrail_too_slow:
      'Eine Regel dieser Gruppe braucht zu lange. Vermeiden Sie verschachtelte Wiederholungen in regulären Ausdrücken und verwenden Sie weniger Alternativen in Schemas.',
    not_on_platform_credit:
      'Das wird unverändert an den Anbieter weitergegeben; das Plattformguthaben kann dafür nicht aufkommen. Speichern Sie einen eigenen Schlüssel Ihrer Organisation für den Anbieter oder ein Modellkonto, das das Modell anbietet.',
    surface_not_served: 'Das wird hier nicht angeboten. Die Seite /docs/api dieses Dienstes zeigt, was es gibt.',
    model_not_found: (message) =>
      about(
        message,
        (name) => `Das Modell „${name}“ gibt es nicht, oder es kann hier nicht genutzt werden.`,
        'Dieses Modell gibt es nicht, oder es kann hier nicht genutzt werden.',
      ),
    policy_denied: 'Das gewählte KI-Modell ist für Ihre Organisation nicht erlaubt.',
    'policy_denied:missing_provider_api_key':
      'Für diesen Anbieter ist ein API-Schlüssel der Organisation nötig, aber es ist keiner eingerichtet.',
    'policy_denied:provider_not_supported_by_byok':
      'Hier sind nur Modelle erlaubt, die mit einem API-Schlüssel der Organisation laufen.',
    study_mode_unavailable: 'Der Lernmodus braucht ein Modell, das nicht verfügbar ist. Es gibt keine Antwort.',
    provider_key_undecryptable:
      'Für diesen Anbieter ist ein Schlüssel gespeichert, der nicht mehr entschlüsselt werden kann. Entfernen Sie ihn und speichern Sie ihn neu.',
    model_not_routable:
      'Nichts kann für dieses Modell bezahlen. Wählen Sie ein anderes Modell, oder richten Sie ein Modellkonto ein, das es bedient.',
    cap_reached:
      'Ein monatliches Ausgabenlimit reicht für diese Anfrage nicht aus. Bitten Sie einen Inhaber oder Admin Ihrer Organisation, es zu erhöhen, oder warten Sie, bis es neu beginnt.',
    token_not_active: 'Dieses Token ist widerrufen, abgelaufen oder schon ersetzt. Erstellen Sie ein neues.',
    token_model_denied:
      'Dieses Token darf für dieses Modell nicht verwendet werden. Wählen Sie ein erlaubtes Modell oder ein anderes Token.',
    provider_key_rejected:
      'Keine Verbindung zum KI-Dienst. Prüfen Sie, ob der API-Schlüssel Ihrer Organisation oder der Schlüssel Ihres Modellkontos gültig ist.',
    provider_unavailable: `Der KI-Dienst hat einen Fehler gemeldet. ${LATER}`,
    provider_unreachable: (message) =>
      /cut off|abgeschnitten/.test(message)
        ? `Die Antwort des Anbieters wurde abgeschnitten. ${UNSURE}`
        : `Der Anbieter war nicht erreichbar. ${LATER}`,
    provider_timeout: `Der Anbieter hat nicht rechtzeitig geantwortet. ${UNSURE}`,
    provider_overloaded: `Der KI-Dienst ist überlastet. ${LATER}`,
    provider_rate_limited: `Das Anfragelimit des Anbieters ist erreicht. Warten Sie einen Moment. ${AGAIN}`,
    provider_quota_exceeded:
      'Das Konto beim Anbieter, das dafür bezahlt, hat kein Guthaben mehr. Prüfen Sie dort Tarif und Abrechnung.',
    provider_request_too_large: (message) => `Die Anfrage ist zu groß für den Anbieter: ${reasonIn(message)}`,
    previous_response_not_found: 'Die vorherige Antwort wurde nicht gefunden.',
    response_not_found: 'Die Antwort wurde nicht gefunden.',
    provider_refused: (message) => `Der Anbieter hat die Anfrage abgelehnt: ${reasonIn(message)}`,
    context_length_exceeded: (message) => `Die Unterhaltung ist zu lang für dieses Modell: ${reasonIn(message)}`,
    run_budget_exhausted:
      'Der Lauf hat sein Budget verbraucht. Teilen Sie den Auftrag auf, oder bitten Sie Ihren Betreiber, SERVICE_RUN_BUDGET_CENTS zu erhöhen.',
    model_not_supported_for_runs:
      'Hintergrundläufe nutzen OpenAI, das dieses Modell nicht anbietet. Wählen Sie ein Modell von OpenAI.',
    thread_busy: 'In diesem Chat läuft noch eine Antwort. Warten Sie, bis sie fertig ist, oder halten Sie sie an.',
    thread_changed: 'Dieser Chat wurde inzwischen geändert. Laden Sie ihn neu und senden Sie Ihre Nachricht dann.',
    too_many_versions: 'Diese Nachricht hat so viele Versionen, wie sie haben kann. Löschen Sie zuerst eine.',
    background_runs_unavailable:
      'Hintergrundläufe sind in dieser Installation nicht verfügbar. Bitten Sie stattdessen um eine direkte Antwort.',
    runtime_unreachable: `Der Dienst, der Hintergrundläufe startet, hat nicht geantwortet. Nichts ist verloren. ${LATER}`,
    attachment_type_unsupported:
      'Diese Art von Datei wird nicht unterstützt. Hängen Sie Bilder (PNG, JPEG, GIF, WebP), PDF-Dokumente, Office-Dokumente (DOCX, XLSX, PPTX, ODT, ODS, ODP) oder UTF-8-Text an.',
    repository_not_selected:
      'Diese Verbindung ist auf ausgewählte Repositorys beschränkt, und dieser Aufruf betrifft keines davon.',
    provider_response_too_large:
      'Die Antwort des Anbieters ist größer als 5\u00a0MiB. Fragen Sie weniger ab: eine kleinere Seite, weniger Felder oder einen engeren Filter.',
    provider_response_unreadable: 'Die Antwort des Anbieters hat eine Kodierung, die nicht unterstützt wird.',
    provider_redirect_refused:
      'Der Anbieter hat mit einer Weiterleitung geantwortet, der nicht gefolgt wird. Fragen Sie ihr Ziel direkt ab.',
    provider_site_not_found:
      'Das verbundene Konto hat keine Site für dieses Produkt. Verbinden Sie ein Konto, das eine hat.',
    reconnect_required: `Der Anbieter nimmt diese Verbindung nicht mehr an. Verbinden Sie sie neu. ${AGAIN}`,
    sandbox_unavailable: (message) => `Läufe sind hier nicht möglich: ${reasonIn(message)}`,
    sandbox_full: `Mehr Sandboxes sind gerade nicht möglich. ${LATER}`,
    sandbox_not_found: 'Diese Sandbox gibt es nicht. Vielleicht ist ihre Zeit abgelaufen.',
    idempotency_conflict: 'Diese Anfrage wurde schon mit anderem Inhalt gesendet. Laden Sie die Seite neu.',
    sandbox_disk_full: 'Der Speicher der Sandbox ist voll.',
  },
  serverSentences: [
    { said: 'the address answered {}', shown: 'die Adresse antwortete mit {}' },
    { said: 'the address did not answer within {} s', shown: 'die Adresse antwortete nicht innerhalb von {}\u00a0s' },
    { said: 'the address refused the connection', shown: 'die Adresse lehnte die Verbindung ab' },
    { said: 'the name of the address is unknown', shown: 'der Name der Adresse ist unbekannt' },
    { said: 'the certificate of the address is not valid', shown: 'das Zertifikat der Adresse ist nicht gültig' },
    { said: 'the address could not be reached', shown: 'die Adresse war nicht erreichbar' },
    { said: 'the subscription is turned off', shown: 'das Abonnement ist ausgeschaltet' },
    {
      said: 'its secret cannot be decrypted with this key',
      shown: 'das Geheimnis lässt sich mit diesem Schlüssel nicht entschlüsseln',
    },
    {
      said: 'Only organization owners or admins can manage {}.',
      shown: 'Nur Inhaber oder Admins der Organisation können dies verwalten.',
    },
    {
      said: 'A workspace is required to manage provider keys.',
      shown: 'Zum Verwalten von Anbieterschlüsseln ist ein Arbeitsbereich nötig.',
    },
    {
      said: 'Only workspace or organization owners or admins can manage provider keys.',
      shown: 'Nur Inhaber oder Admins des Arbeitsbereichs oder der Organisation können Anbieterschlüssel verwalten.',
    },
    { said: 'Provider API key is required.', shown: 'Geben Sie den API-Schlüssel des Anbieters ein.' },
    { said: '{} API keys must start with {}.', shown: 'API-Schlüssel von {} müssen mit {} beginnen.' },
    {
      said: 'Unable to connect to {}. Verify that your {} API key is valid.',
      shown: 'Keine Verbindung zu {}. Prüfen Sie, ob Ihr API-Schlüssel von {} gültig ist.',
    },
    {
      said: '{} could not validate this API key right now. Try again shortly.',
      shown: '{} konnte diesen API-Schlüssel gerade nicht prüfen. Versuchen Sie es in Kürze noch einmal.',
    },
    {
      said: '{} could not validate this API key right now. Check your connection and try again.',
      shown:
        '{} konnte diesen API-Schlüssel gerade nicht prüfen. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    },
    {
      said: 'integration action not found or disabled',
      shown: 'Diese Verbindung hat das Tool nicht, oder es ist aus. Ein Inhaber oder Admin kann es einschalten.',
    },
    {
      said: "integration action '{}' requires connect:write",
      shown: 'Für „{}“ ist die Berechtigung connect:write nötig.',
    },
    { said: "header '{}' is not allowed", shown: 'Der Header „{}“ ist nicht erlaubt.' },
    {
      said: "Service runtime refused to replay invalid chain for stream '{}': {} at index {}",
      shown: 'Die Belege des Streams „{}“ lassen sich nicht mehr bestätigen: {} bei Beleg {}.',
    },
    // What a client asked wrongly, and why there is no sandbox.
    {
      said: 'PKCE is required: send code_challenge with code_challenge_method=S256.',
      shown: 'PKCE fehlt: Der Client muss code_challenge mit code_challenge_method=S256 senden.',
    },
    { said: 'response_type must be code.', shown: 'response_type muss code sein.' },
    {
      said: 'resource must be the MCP endpoint of this service.',
      shown: 'resource muss der MCP-Endpunkt dieses Dienstes sein.',
    },
    {
      said: 'None of the requested scopes exists. Ask for some of: {}.',
      shown: 'Keine der verlangten Berechtigungen gibt es. Möglich sind: {}.',
    },
    { said: 'state has more than {} characters.', shown: 'state hat mehr als {} Zeichen.' },
    { said: '{} is given more than once.', shown: '{} ist mehr als einmal angegeben.' },
    { said: 'neither docker nor podman is installed', shown: 'weder Docker noch podman ist installiert' },
    { said: 'bubblewrap needs Linux', shown: 'bubblewrap braucht Linux' },
    {
      said: 'the kernel allows no user namespaces (user.max_user_namespaces is 0)',
      shown: 'der Kernel erlaubt keine User-Namespaces (user.max_user_namespaces ist 0)',
    },
    {
      said: 'the kernel lets only root create user namespaces (kernel.unprivileged_userns_clone is 0)',
      shown: 'der Kernel lässt nur root User-Namespaces anlegen (kernel.unprivileged_userns_clone ist 0)',
    },
    {
      said: 'AppArmor prevents bubblewrap from creating user namespaces ({})',
      shown: 'AppArmor hindert bubblewrap daran, User-Namespaces anzulegen ({})',
    },
    { said: 'this container does not allow user namespaces', shown: 'dieser Container erlaubt keine User-Namespaces' },
    {
      said: 'the kernel does not let bubblewrap create user namespaces',
      shown: 'der Kernel lässt bubblewrap keine User-Namespaces anlegen',
    },
    { said: 'the kernel does not accept a seccomp filter', shown: 'der Kernel nimmt keinen seccomp-Filter an' },
    {
      said: 'there are no free user numbers for runs in this container',
      shown: 'in diesem Container sind keine Benutzernummern für Läufe frei',
    },
    { said: 'a sandbox cannot be created ({})', shown: 'eine Sandbox lässt sich nicht anlegen ({})' },
    { said: 'the sandbox is not secure: {}', shown: 'die Sandbox ist nicht sicher: {}' },
    { said: 'the container is not secure: {}', shown: 'der Container ist nicht sicher: {}' },
    {
      said: 'allow unprivileged user namespaces, or run the controller as root; see docs/operators/sandbox.md',
      shown:
        'User-Namespaces ohne Rechte erlauben oder die Steuerung als root ausführen; siehe docs/operators/sandbox.md',
    },
    {
      said: 'install Docker or podman, or use bubblewrap',
      shown: 'Docker oder podman installieren oder bubblewrap verwenden',
    },
    { said: 'see docs/operators/sandbox.md', shown: 'siehe docs/operators/sandbox.md' },
    {
      said: 'see docs/operators/sandbox.md, or choose another driver with SERVICE_SANDBOX_DRIVER',
      shown: 'siehe docs/operators/sandbox.md, oder mit SERVICE_SANDBOX_DRIVER einen anderen Treiber wählen',
    },
    { said: 'use a kernel with CONFIG_SECCOMP_FILTER', shown: 'einen Kernel mit CONFIG_SECCOMP_FILTER verwenden' },
  ],
} as const satisfies Translated<typeof english>;
