import { Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { policyQuery } from '../policies/queries.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { ProviderKeyCards } from './provider-keys.tsx';
import { SettingSwitch } from '../../kit/setting-switch.tsx';
import { usePolicyChange } from '../policies/use-policy-change.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { byokStrings as strings } from './strings.ts';
import { ModelsAccounts } from './models-accounts.tsx';

export function ByokPage(): ReactElement {
  const { organization } = useSignedIn();
  const { data: policy } = useQuery(policyQuery(organization.id));
  const change = usePolicyChange(organization.id);
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Stack gap="lg">
        <ProviderKeyCards
          key={organization.id}
          scope={{ organization: organization.id, workspace: 'global' }}
          canManage
          failure={strings.loadFailed}
        />
        {policy !== undefined && (
          <Card>
            <Stack>
              <div>
                <Title order={2}>{strings.reachTitle}</Title>
                <Text size="sm" c="dimmed" mt={4}>
                  {strings.reachText}
                </Text>
              </div>
              <SettingSwitch
                label={strings.inherit}
                description={strings.inheritText}
                checked={policy.inheritOrganizationKeys}
                onChange={(inheritOrganizationKeys) => change({ inheritOrganizationKeys })}
              />
            </Stack>
          </Card>
        )}
        <Text size="sm" c="dimmed">
          {strings.note}
        </Text>
        <ModelsAccounts key={`account of ${organization.id}`} scope={{ org: organization.id }} canManage />
      </Stack>
    </>
  );
}
