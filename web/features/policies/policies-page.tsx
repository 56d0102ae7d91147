import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { OrganizationPolicy } from '../../../src/contract/policy.ts';
import { client } from '../../api/client.ts';
import { policyQuery } from './queries.ts';
import { asConfig, type ConfigField, configOf, type ConfigDraft, draftOf } from '../../kit/config-draft.ts';
import { ConfigFields } from '../../kit/config-fields.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { PlainNote } from '../../kit/plain-note.tsx';
import { PolicyGate } from './policy-gate.tsx';
import { Rows } from '../../kit/rows.tsx';
import { SwitchRow } from '../../kit/setting-switch.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { MODULE_FIELDS } from './module-fields.ts';
import { moduleStrings as strings, policyPageStrings, sharingStrings } from './strings.ts';
import { usePolicyChange } from './use-policy-change.ts';

type Module = keyof OrganizationPolicy['modules'];
const MODULES = Object.keys(MODULE_FIELDS) as Module[];

export function PoliciesPage(): ReactElement {
  const { organization } = useSignedIn();
  const change = usePolicyChange(organization.id);
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <PolicyGate>
        {({ modules, disableSharing }) => (
          <Stack gap="lg">
            <Rows label={sharingStrings.title}>
              <SwitchRow
                label={sharingStrings.allow}
                description={sharingStrings.allowText}
                checked={!disableSharing}
                onChange={(on) => change({ disableSharing: !on })}
              />
            </Rows>
            <PlainNote text={strings.note} />
            {MODULES.map((module) => (
              <ModuleForm key={module} module={module} rules={modules[module]} />
            ))}
          </Stack>
        )}
      </PolicyGate>
    </>
  );
}

function ModuleForm({ module, rules }: { module: Module; rules: OrganizationPolicy['modules'][Module] }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { title, text } = strings.modules[module];
  const fields: readonly ConfigField[] = MODULE_FIELDS[module];
  const { form, submit, pending, problem } = useServerForm<{ rules: ConfigDraft }, OrganizationPolicy>({
    initialValues: { rules: draftOf(fields, asConfig(rules)) },
    send: (values) =>
      client.policy.update({
        org: organization.id,
        modules: { [module]: configOf(fields, values.rules, asConfig(rules)) },
      }),
    onDone: (policy, values) => {
      queryClient.setQueryData(policyQuery(organization.id).queryKey, policy);
      form.resetDirty(values);
      toastDone(strings.saved(title));
    },
  });
  return (
    <Card>
      <form onSubmit={submit} noValidate aria-labelledby={module}>
        <Stack>
          <div>
            <Title order={2} id={module}>
              {title}
            </Title>
            <Text size="sm" c="dimmed" mt={4}>
              {text}
            </Text>
          </div>
          <ConfigFields fields={fields} path="rules" form={form} />
          <FormProblem text={problem} />
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={pending}
              disabled={!form.isDirty()}
              aria-describedby={module}
            >
              {policyPageStrings.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
