import { formatList } from '../../language/format.ts';
import type { Translated } from '../../language/language.ts';
import type * as english from './strings.ts';

export const german = {
  settingsStrings: {
    title: 'Einstellungen der Organisation',
    rail: 'Einstellungen der Organisation',
    items: {
      general: 'Allgemein',
      members: 'Mitglieder',
      byok: 'BYOK',
      models: 'Modelle',
      guardrails: 'Leitplanken',
      policies: 'Richtlinien',
      tools: 'Tools',
      plan: 'Tarif und Nutzung',
      spending: 'Ausgaben',
      feedback: 'Bewertungen',
      domains: 'Domains',
      sso: 'Single Sign-on',
      directory: 'Verzeichnisabgleich',
    },
    groups: { acts: 'Wirksam', stored: 'Nur gespeichert', placeholder: 'Noch nicht verfügbar' },
    effects: {
      acts: {
        badge: 'Wirksam',
        text: 'Änderungen auf dieser Seite wirken sofort.',
        except: (controls) => `Wirkt sofort, außer: ${formatList(controls)}.`,
      },
      stored: {
        badge: 'Nur gespeichert',
        text: 'Änderungen werden gespeichert, aber keine Anfrage wird deshalb anders behandelt.',
        except: (controls) => `Wird gespeichert, aber nicht angewendet, außer: ${formatList(controls)}.`,
      },
      placeholder: {
        badge: 'Platzhalter',
        text: 'Hier gibt es noch nichts einzustellen.',
        except: (controls) => `Hier gibt es noch nichts einzustellen, außer: ${formatList(controls)}.`,
      },
    },
    refusedTitle: 'Nur Inhaber und Admins können die Einstellungen der Organisation öffnen',
    refusedText: (organization, role) =>
      `Ihre Rolle in ${organization} ist ${role}. Fragen Sie einen Inhaber oder Admin, wenn hier etwas geändert werden soll.`,
  },
  generalStrings: {
    title: 'Allgemein',
    description: 'Der Name der Organisation und wem sie gehört.',
    name: 'Name der Organisation',
    nameHint: 'Alle in der Organisation sehen ihn.',
    rename: 'Umbenennen',
    renamed: (name) => `Die Organisation heißt jetzt ${name}.`,
    id: 'Organisations-ID',
    idText: 'Für Programme, die die API aufrufen.',
    slug: 'Name in Adressen',
    slugText: 'Teil der Links in die App. Er bleibt gleich, wenn die Organisation umbenannt wird.',
    owners: 'Inhaber',
    ownersText: 'Sie können alles ändern, auch wer sonst noch Inhaber ist.',
    changeOwners: 'Rollen ändern',
    ownersFailed: 'Die Inhaber konnten nicht geladen werden.',
    plan: 'Tarif',
  },
  deleteOrganizationStrings: {
    title: 'Diese Organisation löschen',
    text: 'Alle verlieren sofort den Zugriff. Inhaber können sie noch einige Tage zurückholen; dann wird alles darin gelöscht.',
    ownersOnly: 'Nur Inhaber können die Organisation löschen.',
    submit: 'Organisation löschen',
    dialogTitle: (name) => `${name} löschen?`,
    happens: [
      'Ihre Mitglieder verlieren sofort den Zugriff. Ihre Tokens, Streams und Läufe enden.',
      'Inhaber können sie bis zu dem Tag zurückholen, der danach angezeigt wird.',
      'Dann werden ihre Arbeitsbereiche, Chats, Dateien, Projekte, Läufe, Schlüssel und Verbindungen gelöscht. Das lässt sich nicht rückgängig machen.',
      'Belege bleiben, ohne Namen und Inhalte, und lassen sich weiter prüfen.',
    ],
    typed: (name) => `Geben Sie zur Bestätigung ${name} ein`,
  },
  placeholderStrings: {
    domains: {
      title: 'Domains',
      text: 'Hier lässt sich noch nichts einstellen. Wer sich anmelden darf, und aus welchen Domains, legt der Betreiber dieser Installation fest.',
    },
    sso: {
      title: 'Single Sign-on',
      text: 'Hier lässt sich noch nichts einstellen. Wie sich Personen anmelden, auch über einen Anbieter, legt der Betreiber dieser Installation fest.',
    },
    directory: {
      title: 'Verzeichnisabgleich',
      text: 'Hier lässt sich noch nichts einstellen. Ein Inhaber lässt die Mitglieder auf der Seite „Mitglieder“ unter „Bereitstellung“ von einem Identitätsanbieter pflegen.',
    },
  },
  controlNames: {
    'Require organization provider key': 'Anbieterschlüssel der Organisation voraussetzen',
    'Plan feature entitlements': 'Funktionen nach Tarif',
    'Sharing of chats': 'das Teilen von Chats',
  },
} as const satisfies Translated<typeof english>;
