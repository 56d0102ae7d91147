// The tables of the page on personal data, printed from the table that erasing goes by.
import { DATA, type DataRow, DIRECTORIES, OF_THE_SERVICE, type Subject } from '../src/leaving/data-table.ts';
import { EXPORTS } from '../src/leaving/export/export-table.ts';

const VARIABLE = /SERVICE_[A-Z_]+/g;

export function personalDataTable(): string {
  const rows = Object.entries<DataRow>(DATA).map(([table, { holds, kept, erases }]) => {
    const fates = (['person', 'organization', 'workspace'] as const).map((subject) => fateOf(erases[subject], subject));
    return `| \`${table}\` | ${holds} | ${named(kept)} | ${fates.join(' | ')} |`;
  });
  return [
    '| table | holds | kept | erasing a person | an organization | a workspace |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export function directoriesTable(): string {
  const rows = Object.entries(DIRECTORIES).map(
    ([name, { holds, kept, erasing }]) => `| \`${name}\` | ${holds} | ${named(kept)} | ${erasing} |`,
  );
  return ['| in the data directory | holds | kept | erasing |', '|---|---|---|---|', ...rows, ''].join('\n');
}

export function serviceTable(): string {
  const rows = Object.entries(OF_THE_SERVICE).map(([table, holds]) => `| \`${table}\` | ${holds} |`);
  return ['| table | holds |', '|---|---|', ...rows, ''].join('\n');
}

export function exportTable(): string {
  const rows = Object.entries(EXPORTS).map(([table, row]) => {
    const place = 'file' in row ? `\`${row.file}.json\`` : 'within' in row ? `\`${row.within}\`` : '–';
    return `| \`${table}\` | ${place} | ${'leftOut' in row ? row.leftOut : ''} |`;
  });
  return ['| table | in the archive | if not, why |', '|---|---|---|', ...rows, ''].join('\n');
}

function fateOf(todo: DataRow['erases'][Subject], subject: Subject): string {
  if (todo === undefined) return '–';
  if ('goesWith' in todo) return `deleted with \`${todo.goesWith}\``;
  if ('stays' in todo) return `stays: ${todo.stays}`;
  const done = todo.map((step) =>
    'clears' in step
      ? `emptied (\`${step.clears}\`)`
      : 'deletes' in step
        ? whichRows(step.deletes, subject)
        : 'deleted',
  );
  return [...new Set(done)].join('; ');
}

/** A condition that says more than whose the rows are is shown. */
function whichRows(where: string, subject: Subject): string {
  const plain = { person: 'user_id = $1', organization: 'organization_id = $1', workspace: 'workspace_id = $1' }[
    subject
  ];
  const all = where === plain || where === 'id = $1';
  return all || !where.includes("'private'") ? 'deleted' : 'deleted if private; else it stays in the workspace';
}

function named(text: string): string {
  return text.replaceAll(VARIABLE, '`$&`');
}
