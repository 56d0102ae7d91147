import { Alert, Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { describeCondition } from '../../../src/contract/standing/condition-text.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { formatDate } from '../../language/format.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { Fact } from '../runs/fact.tsx';
import { StandingMissing, StandingPage } from '../runs/standing/standing-page.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { type TriggerView, triggerQuery } from './queries.ts';
import { RiskNote } from './risk-note.tsx';
import { triggerSourceNames, triggerSourceSteps, triggerStrings as strings } from './strings.ts';
import { TriggerActions } from './trigger-actions.tsx';

const route = getRouteApi('/signed/app/runs/triggers/$trigger');
const PATH = '/runs/triggers';

export function TriggerPage(): ReactElement {
  const { trigger: id } = route.useParams();
  const { organization } = useSignedIn();
  const query = useQuery(triggerQuery(organization.id, id));
  if (query.data !== undefined) return <ShowTrigger key={id} trigger={query.data.trigger} url={query.data.url} />;
  return <StandingMissing path={PATH} texts={strings} query={query} />;
}

function ShowTrigger({ trigger, url }: { trigger: TriggerView; url: string }): ReactElement {
  const { user } = useSignedIn();
  const { id, source, filter, hasSecret, oldSecretUntil, run, createdBy } = trigger;
  return (
    <StandingPage
      path={PATH}
      texts={strings}
      standing={trigger}
      description={triggerSourceNames[source]}
      actions={<TriggerActions trigger={trigger} />}
      notices={
        <>
          {!hasSecret && (
            <Alert color="yellow" icon={<Icon name="alert" />} title={strings.noSecretTitle}>
              {strings.noSecretText}
            </Alert>
          )}
          <Card component="section" aria-label={strings.where}>
            <Stack gap="sm">
              <Text size="sm">{triggerSourceSteps[source]}</Text>
              <CopyField label={strings.address} value={url} />
              {oldSecretUntil !== undefined && (
                <Text size="sm" c="dimmed">
                  {strings.oldSecret(formatDate(oldSecretUntil, 'moment'))}
                </Text>
              )}
            </Stack>
          </Card>
        </>
      }
      facts={
        <Fact name={strings.filter}>
          {filter.length === 0 ? strings.none : filter.map((one) => describeCondition(one)).join(' · ')}
        </Fact>
      }
      more={<RiskNote source={source} workspace={run.workspace} capabilities={run.capabilities} />}
      history={<DeliveryList id={id} mayReplay={createdBy === user.id} />}
    />
  );
}
