import { Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useDeferredValue, useState } from 'react';
import type { ListedModel } from '../../../src/contract/models.ts';
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import { organizationModelsQuery, providerKeysQuery } from './queries.ts';
import { EmptyCard } from '../../kit/empty-card.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { PolicyGate } from '../policies/policy-gate.tsx';
import { Rows } from '../../kit/rows.tsx';
import { SettingSwitch, SwitchRow } from '../../kit/setting-switch.tsx';
import { usePolicyChange } from '../policies/use-policy-change.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { RoutesSection } from './routes-section.tsx';
import { modelSettingsStrings as strings } from './strings.ts';

export function ModelSettingsPage(): ReactElement {
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <PolicyGate>{(policy) => <ModelSettings policy={policy} />}</PolicyGate>
    </>
  );
}

function ModelSettings({ policy }: { policy: OrganizationPolicy }): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(organizationModelsQuery(organization.id));
  const change = usePolicyChange(organization.id);
  const models = query.data ?? [];
  return (
    <Stack gap="xl">
      <Card component="section">
        <Stack gap="md">
          <SettingSwitch
            label={strings.requireKey}
            description={strings.requireKeyText}
            checked={policy.requireProviderKey}
            onChange={(requireProviderKey) => change({ requireProviderKey })}
          />
          <SettingSwitch
            label={strings.allowUnlisted}
            description={strings.allowUnlistedText}
            checked={policy.allowUnlistedModels}
            onChange={(allowUnlistedModels) => change({ allowUnlistedModels })}
          />
        </Stack>
      </Card>
      <ListState
        query={query}
        isEmpty={models.length === 0}
        empty={{ icon: 'models', title: strings.empty, text: strings.emptyText }}
      >
        <Stack gap="xl">
          <Providers
            models={models}
            disabled={policy.disabledProviders}
            onChange={(disabledProviders) => change({ disabledProviders })}
          />
          <RoutesSection models={models.filter(({ id, modality }) => modality === 'chat' && id !== 'service/auto')} />
          <Models
            models={models}
            disabled={policy.disabledModels}
            onChange={(disabledModels) => change({ disabledModels })}
          />
        </Stack>
      </ListState>
    </Stack>
  );
}

interface SectionProps {
  models: readonly ListedModel[];
  disabled: readonly string[];
  onChange: (disabled: string[]) => void;
}

function Providers({ models, disabled, onChange }: SectionProps): ReactElement {
  const { organization } = useSignedIn();
  const { data: named = [] } = useQuery(providerKeysQuery({ organization: organization.id, workspace: 'global' }));
  const providers = [...new Set([...models.flatMap((model) => model.providers), ...disabled])];
  return (
    <section aria-labelledby="providers">
      <Title order={2} id="providers">
        {strings.providers}
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        {strings.providersText}
      </Text>
      <Rows label={strings.providers}>
        {providers.map((provider) => {
          const count = models.filter((model) => model.providers.includes(provider)).length;
          return (
            <SwitchRow
              key={provider}
              label={named.find((each) => each.provider === provider)?.name ?? provider}
              description={strings.matching(count)}
              checked={!disabled.includes(provider)}
              onChange={(on) => onChange(without(disabled, provider, on))}
            />
          );
        })}
      </Rows>
    </section>
  );
}

function Models({ models, disabled, onChange }: SectionProps): ReactElement {
  const [search, setSearch] = useState('');
  const words = useDeferredValue(search)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const known = new Set(models.map(({ id }) => id));
  const rows = [
    ...models.map(({ id, name, providers, denials }) => ({
      id,
      name,
      text: [id, providers.join(', '), ...denials.flatMap((denial) => strings.denials[denial] ?? [])].join(' · '),
    })),
    ...disabled.filter((id) => !known.has(id)).map((id) => ({ id, name: id, text: strings.unknown })),
  ];
  const shown = rows.filter(({ name, text }) => words.every((word) => `${name} ${text}`.toLowerCase().includes(word)));
  return (
    <section aria-labelledby="models">
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2} id="models">
            {strings.models}
          </Title>
          <Text component="output" size="sm" c="dimmed" display="block" mt={4}>
            {strings.matching(shown.length)}
          </Text>
        </div>
        <TextInput
          type="search"
          label={strings.search}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<Icon name="search" size={16} />}
          autoComplete="off"
          w={{ base: '100%', xs: 260 }}
        />
      </Group>
      {shown.length === 0 ? (
        <EmptyCard title={strings.empty} text={strings.emptyText} />
      ) : (
        <Rows label={strings.list}>
          {shown.map(({ id, name, text }) => (
            <SwitchRow
              key={id}
              label={name}
              description={text}
              checked={!disabled.includes(id)}
              onChange={(on) => onChange(without(disabled, id, on))}
            />
          ))}
        </Rows>
      )}
    </section>
  );
}

/** The disabled items after a change to one of them. */
function without(disabled: readonly string[], item: string, allowed: boolean): string[] {
  const others = disabled.filter((each) => each !== item);
  return allowed ? others : [...others, item];
}
