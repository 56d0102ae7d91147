import { Group, NativeSelect } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import type { RunKind, RunStatus } from './queries.ts';
import { kindNames, runStrings as strings, statusNames } from './strings.ts';

/** As in the address. */
export interface RunSearch {
  readonly status?: string | undefined;
  readonly kind?: string | undefined;
  /** A workspace by slug. */
  readonly in?: string | undefined;
}

export function readStatus(text: string | undefined): RunStatus | undefined {
  return text !== undefined && Object.hasOwn(statusNames, text) ? (text as RunStatus) : undefined;
}

export function readKind(text: string | undefined): RunKind | undefined {
  return text !== undefined && Object.hasOwn(kindNames, text) ? (text as RunKind) : undefined;
}

interface RunFiltersProps {
  search: RunSearch;
  workspaces: readonly Workspace[];
  onChange: (change: RunSearch) => void;
}

export function RunFilters({ search, workspaces, onChange }: RunFiltersProps): ReactElement {
  return (
    <Group component="search" gap="sm" mb="md" aria-label={strings.filters} align="flex-end">
      <NativeSelect
        size="sm"
        label={strings.status}
        value={readStatus(search.status) ?? ''}
        data={[{ value: '', label: strings.anyStatus }, ...optionsOf(statusNames)]}
        onChange={(event) => onChange({ status: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        size="sm"
        label={strings.kind}
        value={readKind(search.kind) ?? ''}
        data={[{ value: '', label: strings.anyKind }, ...optionsOf(kindNames)]}
        onChange={(event) => onChange({ kind: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        size="sm"
        label={strings.workspace}
        value={workspaces.some(({ slug }) => slug === search.in) ? search.in : ''}
        data={[
          { value: '', label: strings.anyWorkspace },
          ...workspaces.map(({ slug, name }) => ({ value: slug, label: name })),
        ]}
        onChange={(event) => onChange({ in: event.currentTarget.value || undefined })}
      />
    </Group>
  );
}

export function optionsOf(names: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
