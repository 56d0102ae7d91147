import { Alert, Stack } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { PolicyGate } from './policy-gate.tsx';
import { Rows } from '../../kit/rows.tsx';
import { SwitchRow } from '../../kit/setting-switch.tsx';
import { usePolicyChange } from './use-policy-change.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { complianceStrings as strings } from './strings.ts';

/** Not in the navigation: opened by its address. */
export function CompliancePage(): ReactElement {
  const { organization } = useSignedIn();
  const change = usePolicyChange(organization.id);
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <PolicyGate>
        {({ requireZdr, enforceStudyMode }) => (
          <Stack>
            {enforceStudyMode && (
              <Alert color="yellow" icon={<Icon name="alert" />} role="note">
                {strings.studyOn}
              </Alert>
            )}
            <Rows label={strings.title}>
              <SwitchRow
                label={strings.zdr}
                description={strings.zdrText}
                checked={requireZdr}
                onChange={(on) => change({ requireZdr: on })}
              />
              <SwitchRow
                label={strings.study}
                description={strings.studyText}
                checked={enforceStudyMode}
                onChange={(on) => change({ enforceStudyMode: on })}
              />
            </Rows>
          </Stack>
        )}
      </PolicyGate>
    </>
  );
}
