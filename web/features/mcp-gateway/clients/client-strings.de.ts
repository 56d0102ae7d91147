import type { Translated } from '../../../language/language.ts';
import type * as english from './client-strings.ts';

export const german = {
  clientStrings: {
    title: 'Client einrichten',
    text: (workspace) =>
      `Kopieren Sie die Konfiguration in Ihren Client. Er kann dann die Apps von ${workspace} in Ihrem Namen nutzen.`,
    client: 'Client',
    sign: 'Wie er sich anmeldet',
    signs: { oauth: 'Im Browser', token: 'Mit einem Token' },
    signTexts: {
      oauth:
        'Der Client öffnet diese App und bittet um Ihre Zustimmung. Seine Konfiguration enthält keine Geheimnisse.',
      token:
        'Ersetzen Sie YOUR_TOKEN durch Ihr Token; das für Modelle genügt, wenn es die Berechtigungen connect:read und connect:write hat. Es handelt in Ihrem Namen; geben Sie die Datei nicht weiter.',
      asked: 'Der Client fragt Sie nach einem Token und speichert es. Das Token handelt in Ihrem Namen.',
    },
    noOauth: 'Dieser Client braucht ein Token.',
    newToken: 'Neues Token',
    allTokens: 'Ihre Tokens',
    search: 'Tool-Suche',
    searchText:
      'Hängt ?tools=search an die Adresse an. Statt aller Tools sieht der Client drei, die die anderen finden, beschreiben und aufrufen. Das spart Kontext, wenn viele Apps verbunden sind.',
    address: 'Adresse',
    copyOf: (title) => `${title} kopieren`,
    terminal: 'In einem Terminal',
    afterwards: 'Dann',
    body: 'In der Datei',
    variable: 'Umgebung des Clients',
    notes: {
      'claude-code': {
        oauth: 'In Claude Code zeigt /mcp den Server und meldet Sie an.',
        token: 'In Claude Code zeigt /mcp den Server.',
      },
      'claude-desktop':
        'Claude Desktop startet ein Programm, das sich mit dieser Adresse verbindet. Starten Sie es nach der Änderung neu.',
      servicectl: 'Für Clients, die ein Programm starten. Nach servicectl login sind die beiden Variablen nicht nötig.',
      cursor: 'Für nur ein Projekt verwenden Sie dessen .cursor/mcp.json.',
      'vs-code': {
        oauth: 'VS Code öffnet den Browser, wenn es den Server startet. Die Datei kann geteilt werden.',
        token: 'VS Code fragt einmal nach dem Token und speichert es, die Datei kann also geteilt werden.',
      },
      codex: {
        oauth: 'Der letzte Befehl öffnet den Browser.',
        token: 'Codex liest das Token aus einer Umgebungsvariablen, derselben wie für Modelle.',
      },
      inspector: 'Der Inspector listet alle Tools auf und kann sie aufrufen.',
      generic: 'Die meisten Clients, die Streamable HTTP unterstützen, nehmen dieses Format an.',
    },
  },
  grantStrings: {
    title: 'Zugelassene Clients',
    text: 'Clients, die sich über den Browser angemeldet haben. Jeder handelt in Ihrem Namen, bis Sie seinen Zugriff beenden.',
    empty: 'Noch keine zugelassenen Clients',
    emptyText: 'Clients, die sich über den Browser anmelden, erscheinen hier, sobald Sie sie zugelassen haben.',
    reachAll: 'Alle Ihre Arbeitsbereiche in der Organisation',
    otherOrganization: 'Eine andere Organisation',
    approved: 'Zugelassen',
    used: 'zuletzt verwendet',
    revoke: 'Zugriff beenden',
    revokeTitle: (name) => `Zugriff von „${name}“ beenden?`,
    revokeText: 'Seine Tokens gelten sofort nicht mehr. Er kann erneut um Zugriff bitten.',
    revoked: (name) => `„${name}“ hat keinen Zugriff mehr.`,
  },
} as const satisfies Translated<typeof english>;
