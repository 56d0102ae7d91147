import type { ReactElement } from 'react';
import { Rows } from '../../kit/rows.tsx';
import { SwitchRow } from '../../kit/setting-switch.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { PolicyGate } from './policy-gate.tsx';
import { factorStrings as strings } from './strings.ts';
import { usePolicyChange } from './use-policy-change.ts';

/** Shown with the members whom it concerns. */
export function RequireSecondFactor(): ReactElement {
  const { organization } = useSignedIn();
  const change = usePolicyChange(organization.id);
  return (
    <PolicyGate>
      {({ requireSecondFactor }) => (
        <Rows label={strings.title}>
          <SwitchRow
            label={strings.require}
            description={strings.requireText}
            checked={requireSecondFactor}
            onChange={(on) => change({ requireSecondFactor: on })}
          />
        </Rows>
      )}
    </PolicyGate>
  );
}
