// Makes or changes an environment. Those who may only see it get the same form, without a way to send it.
import { Button, Checkbox, Group, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { ENVIRONMENT_LIMITS } from '../../../../src/contract/environments/environment-rules.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { FormFoot } from '../../../kit/form-foot.tsx';
import { toastDone } from '../../../kit/toasts.tsx';
import { useServerForm } from '../../../kit/use-server-form.ts';
import { type EnvironmentValues, fieldOf, findFaults, toContent, toValues } from './environment-values.ts';
import { type ShownEnvironment, environmentKeys, type EnvironmentPlace, putEnvironment } from './queries.ts';
import { environmentFormStrings as strings } from './strings.ts';

interface EnvironmentDialogProps {
  place: EnvironmentPlace;
  /** Names that a new one cannot have: it would replace what is there. */
  taken: readonly string[];
  /** The one to change; a new one is made otherwise. */
  environment?: ShownEnvironment;
  onClose: () => void;
}

const CODE = {
  autosize: true,
  spellCheck: false,
  autoComplete: 'off',
  styles: { input: { fontFamily: 'monospace' } },
} as const;

export function EnvironmentDialog({ place, taken, environment, onClose }: EnvironmentDialogProps): ReactElement {
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<EnvironmentValues, ShownEnvironment>({
    initialValues: toValues(environment),
    validate: (values) => ({
      ...findFaults(values),
      ...(environment === undefined && taken.includes(values.name.trim()) ? { name: strings.nameTaken } : {}),
    }),
    send: (values) => putEnvironment(place, values.name.trim(), toContent(values, environment)),
    onDone: async () => {
      onClose();
      toastDone(strings.saved);
      await queryClient.invalidateQueries({ queryKey: environmentKeys.all });
    },
    fieldOf,
    isSecret: true,
  });
  const readOnly = environment?.editable === false;
  return (
    <Dialog
      onClose={onClose}
      title={environment === undefined ? strings.createTitle : strings.editTitle(environment.name)}
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <fieldset disabled={readOnly} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
            <Stack>
              {environment === undefined && (
                <TextInput
                  data-autofocus
                  label={strings.name}
                  description={strings.nameHint}
                  required
                  maxLength={63}
                  autoComplete="off"
                  spellCheck={false}
                  {...form.getInputProps('name')}
                />
              )}
              <Commands form={form} />
              <Secrets form={form} known={environment?.secrets ?? []} />
              <Hosts form={form} />
              <RepositoryAndLimits form={form} />
            </Stack>
          </fieldset>
          {readOnly ? (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {strings.close}
              </Button>
            </Group>
          ) : (
            <FormFoot
              problem={problem}
              pending={pending}
              submit={environment === undefined ? strings.submit : strings.save}
              onCancel={onClose}
            />
          )}
        </Stack>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  form: UseFormReturnType<EnvironmentValues>;
}

function Commands({ form }: FieldsProps): ReactElement {
  return (
    <>
      <Textarea
        {...CODE}
        label={strings.setup}
        description={strings.setupHint}
        minRows={3}
        maxRows={12}
        maxLength={ENVIRONMENT_LIMITS.setupBytes}
        {...form.getInputProps('setup')}
      />
      <Textarea
        {...CODE}
        label={strings.variables}
        description={strings.variablesHint}
        minRows={2}
        maxRows={8}
        {...form.getInputProps('variables')}
      />
    </>
  );
}

function Secrets({ form, known }: FieldsProps & { known: readonly string[] }): ReactElement {
  return (
    <>
      {known.length > 0 && (
        <Checkbox.Group
          label={strings.keptSecrets}
          description={strings.keptSecretsHint}
          {...form.getInputProps('keptSecrets')}
        >
          <Group gap="sm" mt="xs">
            {known.map((name) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      <Textarea
        {...CODE}
        label={strings.secrets}
        description={strings.secretsHint}
        minRows={2}
        maxRows={8}
        {...form.getInputProps('secrets')}
      />
      <TextInput
        label={strings.secretVariables}
        description={strings.secretVariablesHint}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('secretVariables')}
      />
    </>
  );
}

function Hosts({ form }: FieldsProps): ReactElement {
  return (
    <>
      <Checkbox
        label={strings.packages}
        description={strings.packagesHint}
        {...form.getInputProps('packages', { type: 'checkbox' })}
      />
      <Textarea
        {...CODE}
        label={strings.hosts}
        description={strings.hostsHint}
        minRows={2}
        maxRows={8}
        {...form.getInputProps('hosts')}
      />
      <Textarea
        {...CODE}
        label={strings.writableHosts}
        description={strings.writableHostsHint}
        minRows={1}
        maxRows={8}
        {...form.getInputProps('writableHosts')}
      />
    </>
  );
}

function RepositoryAndLimits({ form }: FieldsProps): ReactElement {
  const field = (
    name: 'repository' | 'connection' | 'ref' | 'minutes' | 'memory',
    label: string,
    description: string,
  ): ReactElement => (
    <TextInput
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      label={label}
      description={description}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps(name)}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {field('repository', strings.repository, strings.repositoryHint)}
      {field('connection', strings.connection, strings.connectionHint)}
      {field('ref', strings.ref, strings.refHint)}
      {field('minutes', strings.minutes, strings.minutesHint)}
      {field('memory', strings.memory, strings.memoryHint)}
    </SimpleGrid>
  );
}
