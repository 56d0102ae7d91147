import type { ReactElement } from 'react';
import { StandingBadge } from '../runs/standing/standing-badge.tsx';
import type { TriggerView } from './queries.ts';
import { triggerStrings as strings } from './strings.ts';

export function TriggerBadge({ trigger }: { trigger: TriggerView }): ReactElement {
  return <StandingBadge standing={trigger} lacks={trigger.hasSecret ? undefined : strings.needsSecret} />;
}
