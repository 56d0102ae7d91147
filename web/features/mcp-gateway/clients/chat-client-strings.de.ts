import type { Translated } from '../../../language/language.ts';
import type * as english from './chat-client-strings.ts';

export const german = {
  chatClientStrings: {
    title: 'Verwenden mit',
    text: (workspace) =>
      `Editoren, Agenten und Bibliotheken, die mit OpenAI oder Anthropic arbeiten, können die Modelle von ${workspace} nutzen. Wählen Sie eines und fügen Sie seine Konfiguration ein.`,
    client: 'Verwenden mit',
    model: 'Modell',
    noModel: 'Es sind keine Modelle verfügbar',
    noModelText: 'Inhaber und Admins wählen die erlaubten Modelle in den Einstellungen der Organisation.',
    address: 'Adresse der Chat-API',
    addressText: 'Für OpenAI-Clients. Lassen Sie /v1 für Anthropic-Clients weg.',
    makeToken: 'Token erstellen',
    tokenMissing:
      'Ersetzen Sie YOUR_TOKEN durch Ihr Token mit der Berechtigung chat, oder erstellen Sie eines, das dann eingesetzt wird. Mit den Berechtigungen connect:read und connect:write gilt es auch für Apps (Client einrichten).',
    tokenMade:
      'Ihr Token ist unten eingesetzt, bis Sie diese Seite verlassen. Es handelt in Ihrem Namen; halten Sie es geheim. Mit den Berechtigungen connect:read und connect:write gilt es auch für Apps (Client einrichten).',
    reach: (slug) =>
      `Ein Token, das auf diesen Arbeitsbereich beschränkt ist, braucht sonst nichts. Senden Sie mit jedem anderen den Header x-service-workspace: ${slug}.`,
    token: 'Token, einmal pro Terminal',
    terminal: 'In einem Terminal',
    project: 'In Ihrem Projekt',
    settings: 'In den Einstellungen',
    tryIt: 'Ausprobieren',
    notes: {
      'claude-code':
        'Starten Sie claude im selben Terminal. Seine Aliasse, Unteragenten und Hintergrundanfragen nutzen dasselbe Modell, es muss also kein anderes erlaubt sein.',
      codex: 'Starten Sie codex im selben Terminal. Es liest das Token aus der Umgebung.',
      opencode:
        'Starten Sie opencode im selben Terminal. Für nur ein Projekt legen Sie die Einstellungen in dessen opencode.json ab.',
      'qwen-code': 'Starten Sie qwen im selben Terminal.',
      cursor: 'Cursor ruft die Adresse von eigenen Servern auf, sie muss also aus dem Internet erreichbar sein.',
      continue: 'Continue liest das Token aus ~/.continue/.env.',
      'openai-typescript': 'Unterstützt chat.completions, responses, embeddings und models.',
      'openai-python': 'Unterstützt chat.completions, responses, embeddings und models.',
      'anthropic-typescript': 'Die Adresse hat kein /v1, weil das SDK es anfügt.',
      'ai-sdk': 'Nutzt die Responses-API. Für Chat Completions verwenden Sie openai.chat(…).',
      langchain: 'Für ChatAnthropic aus @langchain/anthropic setzen Sie anthropicApiUrl ohne /v1.',
      curl: 'Die Antwort kommt als Server-Sent Events. Lassen Sie "stream" weg, um sie in einem Stück zu erhalten.',
    },
  },
} as const satisfies Translated<typeof english>;
