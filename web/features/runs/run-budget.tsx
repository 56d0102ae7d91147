import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { formatCost } from '../../language/format.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { mySpendQuery } from '../plan/spend-queries.ts';
import type { RunView } from './queries.ts';
import { budgetStrings as strings } from './strings.ts';

/** What the run has cost of the tightest cap that it is under this month. Only the person whose run it is knows those caps. */
export function RunBudget({ run, cost }: { run: RunView; cost: number }): ReactElement | null {
  const { organization, user } = useSignedIn();
  const isMine = run.createdBy === user.id;
  const { data } = useQuery({ ...mySpendQuery(organization.id), enabled: isMine });
  // What an earlier month paid for is in no cap of this one.
  const counts = isMine && data?.month === run.startedAt?.slice(0, 'yyyy-mm'.length);
  const under = [user.id, run.workspace, run.fundingWorkspace];
  const [tightest] = (data?.caps ?? [])
    .filter(({ subject }) => under.includes(subject.id))
    .toSorted((a, b) => a.remaining - b.remaining);
  if (!counts || tightest === undefined || tightest.limit <= 0) return null;
  const { limit, remaining, name, subject } = tightest;
  const used = Math.max(cost, limit - remaining);
  const said = strings.left(formatCost(remaining), formatCost(limit), subject.id === user.id ? undefined : name);
  return (
    <div>
      <Progress.Root size="sm" mb={4}>
        <Progress.Section value={percent(used - cost, limit)} color="gray" aria-label={strings.others} />
        <Progress.Section value={percent(cost, limit)} aria-label={strings.thisRun} />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {said}
      </Text>
    </div>
  );
}

const percent = (part: number, whole: number): number => Math.min(100, Math.max(0, (part / whole) * 100));
