// The lines to paste into clients of the chat API, for the documentation: the same table as in the web app. And what was
// run of each client.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderResults, type Result } from '../test/clients/render-results.ts';
import {
  CHAT_CLIENT_IDS,
  CHAT_CLIENTS,
  type ChatClientId,
  chatSnippetsFor,
} from '../web/features/mcp-gateway/clients/chat-clients.ts';
import { chatClientStrings } from '../web/features/mcp-gateway/clients/chat-client-strings.ts';

const RESULTS = join(import.meta.dirname, '..', 'test', 'clients', 'results.json');
const EXAMPLE = {
  origin: 'https://example.com',
  token: undefined,
  contextWindow: 400_000,
  maxOutputTokens: 128_000,
} as const;
/** Those whose own models are Anthropic's. */
const ANTHROPIC: readonly ChatClientId[] = ['claude-code', 'anthropic-typescript'];

export function clientLines(): string {
  return CHAT_CLIENT_IDS.flatMap((client) => [
    '',
    `### ${CHAT_CLIENTS[client].name}`,
    ...chatSnippetsFor(client, {
      ...EXAMPLE,
      model: ANTHROPIC.includes(client) ? 'anthropic/claude-sonnet-5' : 'openai/gpt-5-mini',
    }).flatMap(({ title, language, text }) => ['', `${title}:`, '', `\`\`\`${language}`, text, '```']),
    '',
    chatClientStrings.notes[client],
  ])
    .concat('', '')
    .join('\n');
}

export async function clientResults(): Promise<string> {
  return renderResults(JSON.parse(await readFile(RESULTS, 'utf8')) as Result[]);
}
