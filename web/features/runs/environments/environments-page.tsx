import { Box, Button, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../../src/contract/workspaces.ts';
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx';
import { ListState, LoadFailure } from '../../../kit/list-state.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { MoreRows, Row, Rows } from '../../../kit/rows.tsx';
import { toastDone } from '../../../kit/toasts.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../../session/organization-context.ts';
import { sessionStrings } from '../../../session/strings.ts';
import { RunsHead } from '../runs-head.tsx';
import { EnvironmentDialog } from './environment-dialog.tsx';
import {
  type ShownEnvironment,
  environmentKeys,
  type EnvironmentPlace,
  environmentsQuery,
  removeEnvironment,
} from './queries.ts';
import { SetupDialog } from './setup-dialog.tsx';
import { environmentStrings as strings } from './strings.ts';

/** What is open over the page. */
type Opened =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'delete' | 'setup'; readonly environment: ShownEnvironment };

/** The environments of the current workspace. */
export function EnvironmentsPage(): ReactElement {
  const { current, failure } = useCurrentWorkspace();
  const [creates, setCreates] = useState(false);
  return (
    <>
      <RunsHead
        title={strings.title}
        description={current === undefined ? strings.descriptionAnywhere : strings.description(current.name)}
        actions={
          current?.canManage === true && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreates(true)}>
              {strings.create}
            </Button>
          )
        }
      />
      {failure !== undefined && (
        <Box mb="md">
          <LoadFailure {...failure} title={sessionStrings.workspacesFailed} />
        </Box>
      )}
      {current !== undefined && (
        <EnvironmentList key={current.id} workspace={current} creates={creates} onCreated={() => setCreates(false)} />
      )}
    </>
  );
}

interface ListProps {
  workspace: Workspace;
  creates: boolean;
  onCreated: () => void;
}

function EnvironmentList({ workspace, creates, onCreated }: ListProps): ReactElement {
  const { organization } = useSignedIn();
  const [chosen, setChosen] = useState<Opened>();
  const place = { organization: organization.id, workspace: workspace.id };
  const query = useInfiniteQuery(environmentsQuery(place));
  const environments = query.data?.pages.flatMap((page) => page.environments) ?? [];
  const opened: Opened | undefined = creates ? { what: 'create' } : chosen;
  return (
    <>
      <ListState
        query={query}
        isEmpty={environments.length === 0}
        failed={strings.failed}
        empty={{
          icon: 'run',
          title: strings.empty,
          text: workspace.canManage ? strings.emptyText : strings.emptyForMembers,
        }}
      >
        <Rows label={strings.list}>
          {environments.map((environment) => (
            <EnvironmentRow
              key={environment.id}
              environment={environment}
              onOpen={(what) => setChosen({ what, environment })}
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {opened !== undefined && (
        <OpenedDialog
          opened={opened}
          place={place}
          taken={environments.map(({ name }) => name)}
          onClose={() => {
            setChosen(undefined);
            onCreated();
          }}
        />
      )}
    </>
  );
}

function EnvironmentRow({
  environment,
  onOpen,
}: {
  environment: ShownEnvironment;
  onOpen: (what: 'edit' | 'delete' | 'setup') => void;
}): ReactElement {
  const { name, editable } = environment;
  const facts = factsOf(environment);
  const named = <VisuallyHidden> {name}</VisuallyHidden>;
  return (
    <Row
      title={<bdi>{name}</bdi>}
      text={facts.length === 0 ? strings.nothing : facts.join(' · ')}
      aside={
        <>
          {environment.setup !== undefined && (
            <Button variant="default" size="xs" onClick={() => onOpen('setup')}>
              {strings.setup}
              {named}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => onOpen('edit')}>
            {editable ? strings.edit : strings.show}
            {named}
          </Button>
          {editable && (
            <Button variant="subtle" color="red" size="xs" onClick={() => onOpen('delete')}>
              {strings.delete}
              {named}
            </Button>
          )}
        </>
      }
    />
  );
}

function factsOf({ variables, secrets, hosts, writableHosts, repository }: ShownEnvironment): string[] {
  const listed: [(names: string) => string, readonly string[]][] = [
    [strings.variables, Object.keys(variables)],
    [strings.secrets, secrets],
    [strings.hosts, [...new Set([...hosts, ...writableHosts])]],
    [strings.repository, repository === undefined ? [] : [repository.name]],
  ];
  return listed.flatMap(([say, names]) => (names.length === 0 ? [] : [say(names.join(', '))]));
}

interface OpenedDialogProps {
  opened: Opened;
  place: EnvironmentPlace;
  taken: readonly string[];
  onClose: () => void;
}

function OpenedDialog({ opened, place, taken, onClose }: OpenedDialogProps): ReactElement {
  const queryClient = useQueryClient();
  if (opened.what === 'create') return <EnvironmentDialog place={place} taken={taken} onClose={onClose} />;
  const { what, environment } = opened;
  if (what === 'setup') return <SetupDialog place={place} environment={environment} onClose={onClose} />;
  if (what === 'edit')
    return <EnvironmentDialog place={place} taken={taken} environment={environment} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={strings.deleteTitle(environment.name)}
      text={strings.deleteText}
      confirm={strings.delete}
      act={() => removeEnvironment(place, environment.name)}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.deleted);
        await queryClient.invalidateQueries({ queryKey: environmentKeys.all });
      }}
    />
  );
}
