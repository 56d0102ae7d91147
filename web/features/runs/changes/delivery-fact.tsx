import type { ReactElement } from 'react';
import { Fact } from '../fact.tsx';
import type { RunView } from '../queries.ts';
import { pushStrings as strings } from './strings.ts';

const TEXTS = {
  branch: strings.branch,
  'pull-request': strings.pullRequest,
} satisfies Record<NonNullable<RunView['deliver']>, string>;

/** What is pushed of the commits of a run; renders nothing if that was not asked for. */
export function DeliveryFact({ deliver }: Pick<RunView, 'deliver'>): ReactElement | null {
  return deliver === undefined ? null : <Fact name={strings.label}>{TEXTS[deliver]}</Fact>;
}
