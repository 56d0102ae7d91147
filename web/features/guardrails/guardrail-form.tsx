import { Button, Card, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import type { GuardrailGroup, GuardrailRule } from '../../../src/contract/guardrails.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ConfigFields } from '../../kit/config-fields.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import {
  draftsOf,
  explainRuleFault,
  fieldsOf,
  findRuleFaults,
  type GroupDraft,
  newRule,
  placeOfFault,
  type RuleDraft,
  rulesOf,
} from './guardrail-rules.ts';
import { type ServerFormState, useServerForm } from '../../kit/use-server-form.ts';
import { common } from '../../kit/strings.ts';
import { GUARDRAIL_KINDS } from './guardrail-fields.ts';
import { guardrailKinds, guardrailStrings as strings } from './strings.ts';

const MOST_RULES = 50;
const KIND_OPTIONS = GUARDRAIL_KINDS.map((value) => ({ value, label: guardrailKinds[value].name }));

interface GuardrailFormProps {
  /** The initial values; a new group starts with one rule. */
  from?: { name: string; rules: readonly GuardrailRule[] };
  submitText: string;
  send: (group: { name: string; rules: GuardrailRule[] }) => Promise<{ group: GuardrailGroup }>;
  onDone: (group: GuardrailGroup) => unknown;
  cancel: ReactNode;
}

export function GuardrailForm({ from, submitText, send, onDone, cancel }: GuardrailFormProps): ReactElement {
  const { form, submit, pending, problem } = useServerForm<GroupDraft, { group: GuardrailGroup }>({
    initialValues:
      from === undefined ? { name: '', rules: [newRule('pii')] } : { name: from.name, rules: draftsOf(from.rules) },
    validate: ({ name, rules }) => ({
      ...(name.trim() === '' ? { name: common.nameRequired } : {}),
      ...findRuleFaults(rules),
    }),
    fieldOf: placeOfFault,
    explain: explainRuleFault,
    send: ({ name, rules }) => send({ name, rules: rulesOf(rules) }),
    onDone: ({ group }) => onDone(group),
  });
  const { rules } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label={strings.name}
          maxLength={100}
          autoComplete="off"
          maw="28rem"
          {...form.getInputProps('name')}
        />
        {rules.map((rule, at) => (
          <RuleCard key={rule.id} rule={rule} at={at} form={form} removable={rules.length > 1} />
        ))}
        <Group>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            disabled={rules.length >= MOST_RULES}
            onClick={() => form.insertListItem('rules', newRule('pii'))}
          >
            {strings.addRule}
          </Button>
        </Group>
        <FormProblem text={problem} />
        <Group justify="flex-end">
          {cancel}
          <Button type="submit" loading={pending}>
            {submitText}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function RuleCard({
  rule,
  at,
  form,
  removable,
}: {
  rule: RuleDraft;
  at: number;
  form: ServerFormState<GroupDraft>['form'];
  removable: boolean;
}): ReactElement {
  const fields = fieldsOf(rule.kind);
  const title = strings.rule(at + 1);
  return (
    <Card component="fieldset" aria-labelledby={rule.id} m={0}>
      <Stack>
        <Group justify="space-between">
          <Title order={2} id={rule.id} fz="h3">
            {title}
          </Title>
          {removable && (
            <Button
              variant="default"
              size="xs"
              aria-describedby={rule.id}
              onClick={() => form.removeListItem('rules', at)}
            >
              {strings.removeRule}
            </Button>
          )}
        </Group>
        <Select
          label={strings.kind}
          description={guardrailKinds[rule.kind].text}
          data={KIND_OPTIONS}
          value={rule.kind}
          maw="28rem"
          onChange={(kind) => {
            if (kind !== null && kind !== rule.kind)
              form.setFieldValue(`rules.${at}`, { ...newRule(kind), id: rule.id });
          }}
        />
        {fields.length === 0 ? (
          <Text size="sm" c="dimmed">
            {strings.noConfig}
          </Text>
        ) : (
          <ConfigFields fields={fields} path={`rules.${at}.config`} form={form} />
        )}
      </Stack>
    </Card>
  );
}
