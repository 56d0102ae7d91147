import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Confinement } from '../../../src/contract/sandbox-limits.ts';
import { useModelName } from '../models-and-keys/use-model-name.ts';
import { DeliveryFact } from './changes/delivery-fact.tsx';
import { Fact } from './fact.tsx';
import type { RunView } from './queries.ts';
import { StarterFact } from './run-starter.tsx';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../session/organization-context.ts';
import { describeReach, kindNames, runStrings as strings, startedWithNames } from './strings.ts';
import { describeConfinement, describeWeakness } from './sandbox/strings.ts';
import { formatDate } from '../../language/format.ts';

export function RunFacts({ run }: { run: RunView }): ReactElement {
  const { user } = useSignedIn();
  const people = usePeople();
  const modelName = useModelName();
  const { workspaces } = useCurrentWorkspace();
  const nameOf = (id: string): string => workspaces.find((each) => each.id === id)?.name ?? strings.goneWorkspace;
  return (
    <dl className="run-facts">
      <Fact name={strings.kind}>{kindNames[run.kind]}</Fact>
      <Fact name={strings.workspace}>{nameOf(run.workspace)}</Fact>
      <Fact name={strings.by}>
        {run.createdBy === user.id ? strings.you : (people.get(run.createdBy) ?? strings.unknownPerson)}
      </Fact>
      <StarterFact run={run} />
      <Fact name={strings.created}>
        <time dateTime={run.createdAt}>{formatDate(run.createdAt, 'second')}</time>
      </Fact>
      <Fact name={strings.model}>{run.model === undefined ? strings.anyModel : modelName(run.model)}</Fact>
      <Fact name={strings.capabilities}>
        {run.capabilities.length === 0 ? strings.noCapabilities : run.capabilities.map((key) => `@${key}`).join(', ')}
      </Fact>
      {run.environment !== undefined && <Fact name={strings.environment}>{run.environment}</Fact>}
      <DeliveryFact deliver={run.deliver} />
      <Fact name={strings.funding}>
        {run.fundingWorkspace === undefined ? strings.fundedByOrganization : nameOf(run.fundingWorkspace)}
      </Fact>
      {run.startedWith !== undefined && (
        <Fact
          name={strings.startedWith}
        >{`${startedWithNames[run.startedWith]}: ${describeReach(run.scopes ?? [])}`}</Fact>
      )}
      {run.sandbox !== undefined && (
        <Fact name={strings.sandbox} isWide>
          <Sandbox confinement={run.sandbox} />
        </Fact>
      )}
      {run.attempt > 1 && <Fact name={strings.attempt}>{run.attempt}</Fact>}
    </dl>
  );
}

function Sandbox({ confinement }: { confinement: Confinement }): ReactElement {
  const weakness = describeWeakness(confinement.limits);
  return (
    <>
      {describeConfinement(confinement)}
      {weakness !== undefined && (
        <Text size="xs" c="dimmed">
          {weakness}
        </Text>
      )}
    </>
  );
}
