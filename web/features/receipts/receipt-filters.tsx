import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { usePeople } from '../../session/organization-context.ts';
import { receiptStrings as strings, shownKinds } from './strings.ts';
import type { ReceiptSearch } from './to-filter.ts';
import { useConnectors } from './use-names.ts';

const NO_FILTERS = {
  person: undefined,
  app: undefined,
  tool: undefined,
  kind: undefined,
  in: undefined,
  since: undefined,
  until: undefined,
} as const satisfies Record<keyof ReceiptSearch, undefined>;

/** The tools of a run that belong to no app. */
const OWN_TOOLS = ['bash', 'edit'] as const;

interface ReceiptFiltersProps {
  search: ReceiptSearch;
  workspaces: readonly Workspace[];
  onChange: (change: ReceiptSearch) => void;
}

export function ReceiptFilters({ search, workspaces, onChange }: ReceiptFiltersProps): ReactElement {
  const people = usePeople();
  const connectors = useConnectors();
  const tools = connectors
    .filter(({ id }) => search.app === undefined || id === search.app)
    .flatMap((each) => each.tools.map(({ name }) => name));
  const toolNames = [...new Set([...(search.app === undefined ? OWN_TOOLS : []), ...tools])].sort();
  const select = (name: keyof ReceiptSearch, label: string, data: { value: string; label: string }[]): ReactElement => (
    <NativeSelect
      size="sm"
      label={label}
      value={search[name] ?? ''}
      data={data}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
    />
  );
  const day = (name: 'since' | 'until', label: string): ReactElement => (
    <TextInput
      size="sm"
      type="date"
      label={label}
      value={search[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <Group component="search" gap="sm" mb="md" aria-label={strings.filters} align="flex-end" className="filters">
      {select('kind', strings.kind, options(shownKinds))}
      {select('person', strings.person, [
        { value: '', label: strings.anyone },
        ...[...people].map(([value, label]) => ({ value, label })),
      ])}
      {select('app', strings.app, [
        { value: '', label: strings.anyApp },
        ...connectors.map(({ id, name }) => ({ value: id, label: name })),
      ])}
      {select('tool', strings.tool, [
        { value: '', label: strings.anyTool },
        ...toolNames.map((name) => ({ value: name, label: name })),
      ])}
      {select('in', strings.workspace, [
        { value: '', label: strings.anyWorkspace },
        ...workspaces.map(({ slug, name }) => ({ value: slug, label: name })),
      ])}
      {day('since', strings.since)}
      {day('until', strings.until)}
      {Object.values(search).some((value) => value !== undefined) && (
        <Button variant="subtle" size="sm" onClick={() => onChange(NO_FILTERS)}>
          {strings.clear}
        </Button>
      )}
    </Group>
  );
}

const options = (names: Readonly<Record<string, string>>): { value: string; label: string }[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
