import { expect, it } from 'vitest';
import { loadConnectors } from './load-connectors.ts';
import { renderConnectorsTable } from './render-table.ts';

const catalog = loadConnectors();
const lines = renderConnectorsTable(catalog).split('\n');

it('has one row for each connector and each typed tool', () => {
  const rowsOf = (id: string): number => lines.filter((line) => line.includes(`| \`${id}\` |`)).length;
  expect(catalog.connectors.filter(({ id }) => rowsOf(id) !== 1)).toEqual([]);
  const typed = catalog.connectors.filter(({ surface }) => surface === 'typed-proxy');
  expect(lines.filter((line) => /^\| `[^`]+__[^`]+` \|/.test(line))).toHaveLength(
    typed.reduce((sum, { tools }) => sum + tools.length, 0),
  );
});

it('shows what an operator needs to know', () => {
  const { connectors, tools, writes } = catalog.counts;
  expect(lines[0]).toBe(`${connectors} connectors, ${tools} static tools, ${writes} of them writes.`);
  expect(lines).toContain('| `github__create-issue` | **write** | `POST /repos/{owner}/{repo}/issues` |');
  expect(lines).toContain(
    '| Google Cloud | `google-cloud` | infrastructure | `typed-proxy` | OAuth 2.0 (`google`) | registered by the operator | googlecloud | `list-projects`; CLI `gcloud` |',
  );
  expect(lines).toContain(
    "| Linear | `linear-mcp` | productivity | `provider-mcp` | OAuth 2.0 of the provider's MCP server (`linear-mcp`) | created by the operator, without credentials | linear | discovered |",
  );
});

it('keeps every table rectangular', () => {
  const width = (line: string): number => line.split(/(?<!\\)\|/).length;
  const tables = lines
    .slice(2)
    .join('\n')
    .trim()
    .split('\n\n')
    .map((table) => new Set(table.split('\n').map(width)));
  expect(tables.map((widths) => [...widths])).toEqual([[4], [10], [5]]);
});
