import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { StandingList, StandingRow, useStandingDialog } from '../runs/standing/standing-list.tsx';
import { MadeDialog } from './made-dialog.tsx';
import { type MadeTrigger, type TriggerView, triggersQuery } from './queries.ts';
import { triggerSourceNames, triggerStrings as strings } from './strings.ts';
import { TriggerBadge } from './trigger-badge.tsx';
import { TriggerDialog } from './trigger-dialog.tsx';

const route = getRouteApi('/signed/app/runs/triggers');
const PATH = '/runs/triggers';

export function TriggersPage(): ReactElement {
  const { create } = route.useSearch();
  const navigate = useNavigate();
  const { organization } = useSignedIn();
  const { workspaces, current } = useCurrentWorkspace();
  const [made, setMade] = useState<MadeTrigger>();
  const query = useInfiniteQuery(triggersQuery(organization.id));
  const openDialog = useStandingDialog(PATH);
  return (
    <StandingList
      path={PATH}
      texts={strings}
      query={query}
      dialog={
        made === undefined ? (
          create !== undefined &&
          current !== undefined && (
            <TriggerDialog
              workspaces={workspaces}
              current={current}
              onClose={() => openDialog(false)}
              onSaved={({ made: one }) => setMade(one)}
            />
          )
        ) : (
          <MadeDialog
            made={made}
            onClose={() => void navigate({ to: '/runs/triggers/$trigger', params: { trigger: made.trigger.id } })}
          />
        )
      }
    >
      {(query.data?.pages ?? []).flatMap((page) =>
        page.triggers.map((trigger) => <TriggerRow key={trigger.id} trigger={trigger} />),
      )}
    </StandingList>
  );
}

function TriggerRow({ trigger }: { trigger: TriggerView }): ReactElement {
  const { id, name, source } = trigger;
  return (
    <StandingRow
      standing={trigger}
      title={
        <AnchorLink to="/runs/triggers/$trigger" params={{ trigger: id }} c="inherit" underline="never">
          {name}
        </AnchorLink>
      }
      text={triggerSourceNames[source]}
      badge={<TriggerBadge trigger={trigger} />}
    />
  );
}
