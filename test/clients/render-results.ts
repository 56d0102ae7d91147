// The results as lines of the run and as the page of the documentation.
import { CHAT_CLIENT_IDS, CHAT_CLIENTS, chatSnippetsFor } from '../../web/clients/chat-clients.ts';
import { chatClientStrings } from '../../web/strings/chat-clients.ts';
import type { Row } from './run-case.ts';
import { MODELS } from './open-world.ts';
import { WINDOW } from './run-lines.ts';
import { STEPS } from './steps.ts';

export function renderRow({ client, version, model, credential, outcomes }: Row): string {
  // A fault that several steps share is said once.
  const faults = [...Map.groupBy(outcomes.filter(({ fault }) => fault !== undefined), ({ fault }) => fault)];
  const head = `${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${client}  ${version}  ${model}  ${credential}`;
  return [`${head}  ${outcomes.filter(({ fault }) => fault === undefined).map(({ step }) => step).join(' ')}`, ...faults.map(([fault, of]) => `      ${of.map(({ step }) => step).join(', ')}: ${fault}`)].join('\n');
}

export function renderClientsPage(rows: readonly Row[]): string {
  return [
    '# Clients',
    '',
    'The clients below were run unchanged against this service, on models of both providers and on every credential. The lines to paste, made for you and your workspace, are on the MCP Gateway page, tab **Clients**, under **Use it with**. This page is written by `npm run test:clients`.',
    '',
    '## Results',
    '',
    ...resultTable(rows),
    '',
    'Each was put through what it can do of this:',
    '',
    ...Object.entries(STEPS).map(([name, { text }]) => `- **${name}**: ${text}`),
    '',
    'A model provider that is told what to answer stands in for the real ones; `demo` is the demo models of `npm start`.',
    '',
    '## Lines to paste',
    '',
    'With your address in the place of `https://example.com`, your token and a model that you may use.',
    '',
    ...CHAT_CLIENT_IDS.flatMap((id) => [
      `### ${CHAT_CLIENTS[id].name}`,
      '',
      ...chatSnippetsFor(id, { origin: 'https://example.com', model: id === 'claude-code' || id === 'anthropic-typescript' ? MODELS.anthropic : MODELS.openai, token: undefined, ...WINDOW }).flatMap(({ title, language, text }) => [`${title}:`, '', `\`\`\`${language}`, text, '```', '']),
      chatClientStrings.notes[id],
      '',
    ]),
  ].join('\n');
}

function resultTable(rows: readonly Row[]): string[] {
  const cells = rows.map(({ client, version, model, credential, outcomes }) => {
    const failed = outcomes.filter(({ fault }) => fault !== undefined).map(({ step }) => step);
    return `| ${client} | ${version} | ${model === '' ? '' : `\`${model}\``} | ${credential} | ${failed.length === 0 ? 'works' : `fails: ${[...new Set(failed)].join(', ')}`} |`;
  });
  return ['| client | version | model | credential | result |', '|---|---|---|---|---|', ...cells];
}
