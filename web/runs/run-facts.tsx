import type { ReactElement, ReactNode } from 'react';
import { type Run, isEnded } from '../api/runs.ts';
import { usePeople } from '../parts/use-people.ts';
import { useStanding } from '../shell/organization-context.ts';
import { useCurrentWorkspace } from '../shell/use-current-workspace.ts';
import { kindNames, runStrings as strings } from '../strings/runs.ts';
import { Elapsed } from './elapsed.tsx';

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function RunFacts({ run }: { run: Run }): ReactElement {
  const { user } = useStanding();
  const people = usePeople();
  const { workspaces } = useCurrentWorkspace();
  const nameOf = (id: string): string => workspaces.find((each) => each.id === id)?.name ?? strings.goneWorkspace;
  return (
    <dl className="run-facts">
      <Fact name={strings.kind}>{kindNames[run.kind]}</Fact>
      <Fact name={strings.workspace}>{nameOf(run.workspace)}</Fact>
      <Fact name={strings.by}>{run.createdBy === user.id ? strings.you : (people.get(run.createdBy) ?? strings.somebody)}</Fact>
      <Fact name={strings.created}>
        <time dateTime={run.createdAt}>{moment.format(new Date(run.createdAt))}</time>
      </Fact>
      {run.startedAt !== undefined && (
        <Fact name={isEnded(run) ? strings.took : strings.soFar}>
          <Elapsed run={run} />
        </Fact>
      )}
      <Fact name={strings.model}>{run.model ?? strings.anyModel}</Fact>
      <Fact name={strings.capabilities}>{run.capabilities.length === 0 ? strings.noCapabilities : run.capabilities.map((key) => `@${key}`).join(', ')}</Fact>
      <Fact name={strings.funding}>{run.fundingWorkspace === undefined ? strings.fundedByOrganization : nameOf(run.fundingWorkspace)}</Fact>
      {run.attempt > 1 && <Fact name={strings.attempt}>{run.attempt}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
