// What the runs of a trigger can reach, and a warning where strangers can write its text while a write is enabled.
import { Alert, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { TriggerSource } from '../../../src/contract/standing/trigger-rules.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { formatList } from '../../language/format.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { connectionsQuery, connectionToolsQuery, type ListedConnection } from '../integrations/queries.ts';
import { triggerStrings as strings } from './strings.ts';

/** Whether people outside of the organization usually can. Of any program nothing is known, so it is assumed. */
const STRANGERS_WRITE: Readonly<Record<TriggerSource, boolean>> = {
  generic: true,
  github: true,
  gitlab: true,
  linear: false,
  slack: false,
  stripe: true,
  'standard-webhooks': true,
};

const keyOf = ({ provider, name }: ListedConnection): string => (name === 'default' ? provider : `${provider}.${name}`);

interface RiskNoteProps {
  source: TriggerSource;
  workspace: string;
  /** None means all. */
  capabilities: readonly string[];
}

export function RiskNote({ source, workspace, capabilities }: RiskNoteProps): ReactElement | null {
  const { organization } = useSignedIn();
  const place = { organization: organization.id, workspace };
  const { data: all } = useQuery(connectionsQuery(place));
  const reached = (all ?? []).filter((one) => capabilities.length === 0 || capabilities.includes(keyOf(one)));
  const tools = useQueries({ queries: reached.map(({ id }) => connectionToolsQuery(place, id)) });
  if (all === undefined) return null;
  const writing = reached.filter((_one, at) =>
    tools[at]?.data?.some(({ access, enabled }) => enabled && access === 'write'),
  );
  return (
    <>
      <Text size="sm" c="dimmed">
        {strings.reach}: {describeReach(reached, capabilities.length === 0)}
      </Text>
      {STRANGERS_WRITE[source] && writing.length > 0 && (
        <Alert color="yellow" role="note" icon={<Icon name="alert" />} title={strings.riskTitle}>
          {strings.riskText(formatList(writing.map(keyOf)))}
        </Alert>
      )}
    </>
  );
}

function describeReach(reached: readonly ListedConnection[], isAll: boolean): string {
  if (reached.length === 0) return strings.reachNothing;
  const names = formatList(reached.map((one) => `@${keyOf(one)}`));
  return isAll ? `${strings.reachAll}: ${names}` : names;
}
