// Saves a prompt: a new one, or changes to one.
import { NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { findVariables } from '../../../src/contract/prompt-template.ts';
import type { Prompt } from '../../../src/contract/prompts.ts';
import { api, client } from '../../api/client.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { promptStrings as strings } from './strings.ts';

interface PromptDialogProps {
  /** The one to change; a new one is saved otherwise. */
  prompt?: Prompt;
  /** What a new one starts with. */
  from?: { readonly name: string; readonly text: string };
  onClose: () => void;
}

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/;
const ONLY_ME = '';

export function PromptDialog({ prompt, from, onClose }: PromptDialogProps): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: {
      name: prompt?.name ?? from?.name ?? '',
      text: prompt?.text ?? from?.text ?? '',
      workspace: prompt?.workspace?.id ?? ONLY_ME,
    },
    validate: {
      name: (value) => (NAME.test(value.trim()) ? null : strings.nameInvalid),
      text: (value) => (value.trim() === '' ? strings.textEmpty : null),
    },
    send: ({ name, text, workspace }) =>
      prompt === undefined
        ? client.prompts.create({
            organization: organization.id,
            name: name.trim(),
            text,
            ...(workspace === ONLY_ME ? {} : { workspace }),
          })
        : client.prompts.update({ prompt: prompt.id, name: name.trim(), text }),
    onDone: async ({ prompt: saved }) => {
      onClose();
      toastDone(prompt === undefined ? strings.saved(saved.name) : strings.changed);
      await queryClient.invalidateQueries({ queryKey: api.prompts.key() });
    },
    explain: ({ code }) => (code === 'prompt_name_taken' ? strings.nameTaken : undefined),
  });
  return (
    <Dialog
      onClose={onClose}
      title={prompt === undefined ? strings.createTitle : strings.editTitle(prompt.name)}
      size="lg"
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <PromptInputs form={form} isNew={prompt === undefined} />
          <FormFoot
            problem={problem}
            pending={pending}
            submit={prompt === undefined ? strings.submit : strings.save}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

interface PromptInputsProps {
  form: UseFormReturnType<{ name: string; text: string; workspace: string }>;
  isNew: boolean;
}

function PromptInputs({ form, isNew }: PromptInputsProps): ReactElement {
  const { workspaces } = useCurrentWorkspace();
  const variables = findVariables(form.values.text);
  // Owners and admins see workspaces that they are not in, and cannot share there.
  const shareable = workspaces.filter(({ role }) => role !== undefined);
  return (
    <>
      <TextInput
        data-autofocus
        label={strings.name}
        description={strings.nameText}
        leftSection="/"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={48}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={strings.text}
        description={strings.textText}
        autosize
        minRows={5}
        maxRows={14}
        maxLength={20_000}
        {...form.getInputProps('text')}
      />
      <Text size="sm" c="dimmed" component="output">
        {variables.length === 0 ? '' : strings.variables(variables.map(({ name }) => name).join(', '))}
      </Text>
      {isNew && (
        <NativeSelect
          label={strings.who}
          data={[
            { value: ONLY_ME, label: strings.onlyMe },
            ...shareable.map(({ id, name }) => ({ value: id, label: strings.inWorkspace(name) })),
          ]}
          {...form.getInputProps('workspace')}
        />
      )}
    </>
  );
}
