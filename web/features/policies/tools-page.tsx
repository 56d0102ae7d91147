import { Stack } from '@mantine/core';
import type { ReactElement } from 'react';
import { PageHeader } from '../../kit/page-header.tsx';
import { PlainNote } from '../../kit/plain-note.tsx';
import { PolicyGate } from './policy-gate.tsx';
import { Rows } from '../../kit/rows.tsx';
import { SwitchRow } from '../../kit/setting-switch.tsx';
import { usePolicyChange } from './use-policy-change.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { toolStrings as strings } from './strings.ts';

export function ToolsPage(): ReactElement {
  const { organization } = useSignedIn();
  const change = usePolicyChange(organization.id);
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Stack gap="lg">
        <PlainNote text={strings.note} />
        <PolicyGate>
          {({ toolSwitches }) => (
            <Rows label={strings.switches}>
              {[...new Set([...Object.keys(strings.known), ...Object.keys(toolSwitches)])].map((tool) => (
                <SwitchRow
                  key={tool}
                  label={strings.known[tool]?.name ?? tool}
                  description={strings.known[tool]?.text ?? strings.other}
                  checked={toolSwitches[tool] === true}
                  onChange={(on) => change({ toolSwitches: { ...toolSwitches, [tool]: on } })}
                />
              ))}
            </Rows>
          )}
        </PolicyGate>
      </Stack>
    </>
  );
}
