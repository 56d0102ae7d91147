import { Button, Checkbox, Group, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ReactElement, useState } from 'react';
import type { Scope } from '../../../src/contract/tokens.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { client } from '../../api/client.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FocusedText } from '../../kit/focused-text.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { common } from '../../kit/strings.ts';
import { scopeTexts, tokenStrings as strings } from './strings.ts';
import { parseAmount } from '../../language/format.ts';

interface CreateTokenDialogProps {
  workspace: Workspace;
  onClose: () => void;
  onCreated: (token: string) => void;
  /** The initial values. */
  begin?: Partial<Pick<TokenValues, 'name' | 'scopes'>>;
}

type TokenValues = {
  name: string;
  scopes: Scope[];
  expiresIn: string;
  limited: boolean;
  models: string[];
  monthlyUsd: string;
};

const SCOPES = Object.keys(scopeTexts) as Scope[];

/** The token is shown once, so a stray click or key must not close the dialog. */
export const STAYS = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false } as const;

export function CreateTokenDialog({ workspace, onClose, onCreated, begin }: CreateTokenDialogProps): ReactElement {
  const [secret, setSecret] = useState<string>();
  const { form, submit, pending, problem } = useServerForm<TokenValues, { token: string }>({
    initialValues: {
      name: '',
      scopes: ['connect:read'],
      expiresIn: '30d',
      limited: true,
      models: [],
      monthlyUsd: '',
      ...begin,
    },
    validate: {
      name: (value) => (value.trim() === '' ? common.nameRequired : null),
      scopes: (value) => (value.length === 0 ? strings.scopesRequired : null),
      monthlyUsd: (value) => (value.trim() !== '' && !(parseAmount(value) >= 0) ? strings.monthlyUsdInvalid : null),
    },
    send: ({ name, scopes, expiresIn, limited, models, monthlyUsd }) =>
      client.tokens.create({
        name,
        scopes,
        expiresIn,
        organization: workspace.organization,
        ...(limited ? { workspace: workspace.id } : {}),
        ...(models.length > 0 ? { models } : {}),
        ...(monthlyUsd.trim() === '' ? {} : { monthlyUsd: parseAmount(monthlyUsd) }),
      }),
    onDone: ({ token }) => {
      setSecret(token);
      onCreated(token);
    },
  });
  if (secret !== undefined) {
    return (
      <Dialog onClose={onClose} title={strings.createdTitle} size="lg" {...STAYS}>
        <TokenOnce secret={secret} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title={strings.createTitle} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            data-autofocus
            label={strings.name}
            description={strings.nameHint}
            maxLength={100}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <Checkbox.Group label={strings.scopes} {...form.getInputProps('scopes')}>
            <Stack gap="xs" mt="xs">
              {SCOPES.map((scope) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  label={scopeTexts[scope].name}
                  description={`${scopeTexts[scope].text} (${scope})`}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label={strings.lifetime}
            data={Object.entries(strings.lifetimes).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('expiresIn')}
          />
          <SpendingFields form={form} />
          <Switch
            label={strings.limit}
            description={strings.limitText(workspace.name)}
            {...form.getInputProps('limited', { type: 'checkbox' })}
          />
          <FormFoot problem={problem} pending={pending} submit={strings.createSubmit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

/** What the token may be used for besides its scopes. */
function SpendingFields({ form }: { form: UseFormReturnType<TokenValues> }): ReactElement {
  return (
    <>
      <TagsInput
        label={strings.models}
        description={strings.modelsHint}
        placeholder={form.getValues().models.length === 0 ? strings.modelsPlaceholder : ''}
        maxTags={50}
        {...form.getInputProps('models')}
      />
      <TextInput
        label={strings.monthlyUsd}
        description={strings.monthlyUsdHint}
        inputMode="decimal"
        autoComplete="off"
        {...form.getInputProps('monthlyUsd')}
      />
    </>
  );
}

export function TokenOnce({ secret, onDone }: { secret: string; onDone: () => void }): ReactElement {
  return (
    <Stack>
      <FocusedText>{strings.createdText}</FocusedText>
      <CopyField label={strings.token} value={secret} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{strings.done}</Button>
      </Group>
    </Stack>
  );
}
