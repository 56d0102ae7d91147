// The reference page of what becomes of every field of the chat surfaces, printed from the table that the decoders are
// held to.
import { type Cell, type Kept, type Target, TARGETS } from '../src/model-providers/codecs/fields/cells.ts';
import { FIELD_TABLE } from '../src/model-providers/codecs/fields/field-table.ts';
import type { Row, Section } from '../src/model-providers/codecs/fields/rows.ts';

const SURFACES = {
  chat: 'Chat Completions',
  responses: 'Responses',
  messages: 'Messages',
  embeddings: 'Embeddings',
} as const satisfies Record<keyof typeof FIELD_TABLE, string>;
const NAMES = { openai: 'OpenAI', anthropic: 'Anthropic', account: 'Models account' } as const satisfies Record<
  Target,
  string
>;

export function chatFieldsPage(): string {
  return [
    '# Fields of the chat API',
    '',
    'What becomes of each field of a request, by who answers: a model of OpenAI, one of Anthropic, or a Models account that speaks Chat Completions. An account that speaks Responses is treated like OpenAI, one that speaks Messages like Anthropic.',
    '',
    '- **passed**: the provider speaks the protocol of the surface and gets what you wrote. So it does of fields that this page does not name.',
    '- **translated**: the other protocol says it in its own way.',
    '- **left out**: the other protocol has no such thing, and the answer means the same without it.',
    '- **refused**: 400, because the answer would mean something else. A field that this page does not name is refused by its name (`unknown_parameter`) wherever a body is translated.',
    '',
    'On platform credit a few things are changed or refused beyond this: [what platform credit pays for](../users/chat-api.md#what-platform-credit-pays-for). This page is printed from `src/model-providers/codecs/fields` by `npm run docs`, and a test sends every cell.',
    '',
    '## What a provider would keep',
    '',
    'On platform credit, and under Require ZDR on every credential, the provider is asked to keep nothing. This is by the protocol that it is called with; what is left out is named in `x-service-left-out`. On platform credit references to stored objects are refused anyway.',
    '',
    '| protocol | field | what happens |',
    '|---|---|---|',
    ...Object.entries(SURFACES).flatMap(([surface, name]) =>
      Object.entries<Row>(FIELD_TABLE[surface as keyof typeof SURFACES].request.rows).flatMap(([field, { kept }]) =>
        kept ? [`| ${name} | \`${field}\` | ${renderKept(kept)} |`] : [],
      ),
    ),
    '',
    ...Object.entries(SURFACES).flatMap(([surface, name]) => [
      `## ${name}`,
      '',
      ...Object.values<Section>(FIELD_TABLE[surface as keyof typeof SURFACES]).flatMap(renderSection),
    ]),
  ].join('\n');
}

function renderSection({ title, kinds, rows }: Section): string[] {
  const columns = groupTargets(rows);
  const head = [
    kinds === undefined ? 'field' : kinds.field,
    ...columns.map((targets) => targets.map((target) => NAMES[target]).join(', ')),
  ];
  const lines = Object.entries(rows).map(
    ([name, row]) =>
      `| \`${name}\` | ${columns.map(([target]) => (target === undefined ? '' : renderCell(row[target]))).join(' | ')} |`,
  );
  return [`### ${title}`, '', `| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines, ''];
}

function renderKept(kept: Kept): string {
  if (kept.does === 'sent as') return `sent as \`${JSON.stringify(kept.value)}\`: ${kept.note}`;
  return `${kept.does}: ${kept.note}${kept.unless ? `; passed where it is ${kept.unless.says}` : ''}`;
}

/** Targets for which a section says the same share a column. */
function groupTargets(rows: Section['rows']): Target[][] {
  const column = (target: Target): string => JSON.stringify(Object.values(rows).map((row) => renderCell(row[target])));
  return [...Map.groupBy(TARGETS, column).values()];
}

function renderCell(cell: Cell): string {
  const note = cell.note.replaceAll('|', '\\|');
  if (cell.does !== 'refused') return note === '' ? cell.does : `${cell.does}: ${note}`;
  return `refused: ${note}${cell.unless ? `; left out where it is ${cell.unless.says}` : ''}`;
}
