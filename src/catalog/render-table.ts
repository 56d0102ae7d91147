import { AUTH_MODES, isCredentialOnly, needsApplication } from './auth-modes.ts';
import { type Catalog, type Connector, SURFACES } from './connector-types.ts';

/** The catalogue as Markdown: what each connector publishes and how it is authorized. */
export function renderConnectorsTable(catalog: Catalog): string {
  const { connectors, counts } = catalog;
  const typed = connectors.filter((connector) => connector.surface === 'typed-proxy');
  return [
    `${counts.connectors} connectors, ${counts.tools} static tools, ${counts.writes} of them writes.`,
    '',
    ...table(
      ['Surface', 'Connectors'],
      SURFACES.map((surface) => [code(surface), String(counts.surfaces[surface])]),
    ),
    '',
    ...table(
      ['Connector', 'Id', 'Category', 'Surface', 'Authorization', 'Integration', 'Logo', 'Tools'],
      connectors.map((connector) => [
        connector.name,
        code(connector.id),
        connector.category,
        code(connector.surface),
        `${AUTH_MODES[connector.auth.mode].says} (${code(connector.auth.provider)})`,
        isCredentialOnly(connector)
          ? 'created on first use'
          : needsApplication(connector)
            ? 'registered by the operator'
            : 'created by the operator, without credentials',
        connector.logo ?? 'monogram',
        toolsCell(connector),
      ]),
    ),
    '',
    ...table(
      ['Typed tool', 'Access', 'Request'],
      typed.flatMap((connector) =>
        connector.tools.map((tool) => [
          code(`${connector.id}__${tool.name}`),
          tool.access === 'write' ? '**write**' : 'read',
          code(`${tool.method} ${tool.baseUrl ?? ''}${tool.path}`),
        ]),
      ),
    ),
    '',
  ].join('\n');
}

function toolsCell(connector: Connector): string {
  if (connector.surface === 'provider-mcp') return 'discovered';
  const cli = connector.command ? `CLI ${code(connector.command.cli)}` : '';
  const tools = connector.tools.map(({ name }) => code(name)).join(', ');
  return [tools, cli].filter((part) => part !== '').join('; ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
}

function code(text: string): string {
  return `\`${text}\``;
}
