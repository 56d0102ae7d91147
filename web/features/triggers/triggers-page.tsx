import { Breadcrumbs, Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../session/organization-context.ts';
import { runStrings } from '../runs/strings.ts';
import { MadeDialog } from './made-dialog.tsx';
import { type MadeTrigger, type TriggerView, triggersQuery } from './queries.ts';
import { triggerSourceNames, triggerStrings as strings } from './strings.ts';
import { TriggerDialog } from './trigger-dialog.tsx';
import { StateBadge } from './trigger-state.tsx';

const route = getRouteApi('/signed/app/runs/triggers');

/** The person's triggers; those who manage a workspace or the organization see those of others, too. */
export function TriggersPage(): ReactElement {
  const { create } = route.useSearch();
  const navigate = useNavigate();
  const { organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const [made, setMade] = useState<MadeTrigger>();
  const query = useInfiniteQuery(triggersQuery(organization.id));
  const triggers = query.data?.pages.flatMap((page) => page.triggers) ?? [];
  const open = (isOpen: boolean): void =>
    void navigate({
      to: '/runs/triggers',
      search: (before) => ({ ...before, create: isOpen ? '1' : undefined }),
      replace: true,
      resetScroll: false,
      state: { keepFocus: true },
    });
  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open(true)}>
      {strings.create}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={strings.title}
        description={strings.description}
        above={
          <Breadcrumbs separator="/" fz="sm">
            <AnchorLink to="/runs" size="sm">
              {runStrings.title}
            </AnchorLink>
          </Breadcrumbs>
        }
        actions={triggers.length > 0 ? createButton : undefined}
      />
      <ListState
        query={query}
        isEmpty={triggers.length === 0}
        failed={strings.failed}
        empty={{ icon: 'run', title: strings.empty, text: strings.emptyText, action: createButton }}
      >
        <Rows label={strings.list}>
          {triggers.map((trigger) => (
            <TriggerRow key={trigger.id} trigger={trigger} />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {create !== undefined && made === undefined && current !== undefined && (
        <TriggerDialog
          workspaces={workspaces}
          current={current}
          onClose={() => open(false)}
          onSaved={({ made: one }) => setMade(one)}
        />
      )}
      {made !== undefined && (
        <MadeDialog
          made={made}
          onClose={() => void navigate({ to: '/runs/triggers/$trigger', params: { trigger: made.trigger.id } })}
        />
      )}
    </>
  );
}

function TriggerRow({ trigger }: { trigger: TriggerView }): ReactElement {
  const { user } = useSignedIn();
  const people = usePeople();
  const { id, name, source, createdBy } = trigger;
  return (
    <Row
      className="row-link"
      lead={<Icon name="run" size={22} />}
      title={
        <AnchorLink to="/runs/triggers/$trigger" params={{ trigger: id }} c="inherit" underline="never">
          {name}
        </AnchorLink>
      }
      text={
        <>
          {triggerSourceNames[source]}
          {createdBy !== user.id && ` · ${people.get(createdBy) ?? strings.colleague}`}
        </>
      }
      aside={<StateBadge trigger={trigger} />}
    />
  );
}
