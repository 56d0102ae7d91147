import { Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import {
  ACCOUNT_AUTHS,
  accountAuths,
  type ShownAccount,
  takesProtocol,
} from '../../../src/contract/models-account.ts';
import { type AccountScope, accountsAt } from './queries.ts';
import { linesOf } from '../../kit/config-draft.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { modelsAccountStrings as strings } from './strings.ts';

interface Props {
  scope: AccountScope;
  /** Undefined for a new one. */
  account: ShownAccount | undefined;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

const required =
  (text: string) =>
  (value: string): string | null =>
    value.trim() === '' ? text : null;

function useAccountForm({ scope, account, onSaved }: Omit<Props, 'onClose'>) {
  return useServerForm({
    initialValues: {
      auth: account?.auth ?? 'bearer',
      protocol: account?.protocol ?? 'chat',
      baseUrl: account?.baseUrl ?? '',
      key: '',
      models: account?.models.join('\n') ?? '',
      takesEffort: account?.takesEffort ?? false,
    },
    validate: {
      baseUrl: required(strings.baseUrlRequired),
      key: required(strings.keyRequired),
      models: (value) => (linesOf(value) === undefined ? strings.modelsRequired : null),
    },
    fieldOf: (field) => /^(?:auth|protocol|baseUrl|key|models)(?=\.|$)/.exec(field)?.[0],
    send: ({ models, ...values }): Promise<unknown> => {
      const given = { ...values, models: linesOf(models) ?? [] };
      const accounts = accountsAt(scope);
      return account === undefined ? accounts.create(given) : accounts.save(account.id, given);
    },
    onDone: onSaved,
    isSecret: true,
  });
}

export function AccountDialog(props: Props): ReactElement {
  const { form, submit, pending, problem } = useAccountForm(props);
  const { auth } = form.getValues();
  return (
    <Dialog onClose={props.onClose} title={props.account ? strings.editTitle : strings.addTitle} size="lg">
      <form onSubmit={submit} noValidate autoComplete="off">
        <Stack>
          <Select
            label={strings.auth}
            description={strings.authHint}
            data={accountAuths().map((value) => ({ value, label: strings.auths[value] }))}
            allowDeselect={false}
            {...form.getInputProps('auth')}
            onChange={(value) => {
              const chosen = accountAuths().find((one) => one === value) ?? 'bearer';
              form.setFieldValue('auth', chosen);
              if (!takesProtocol(chosen, form.getValues().protocol))
                form.setFieldValue('protocol', ACCOUNT_AUTHS[chosen][0]);
            }}
          />
          <Select
            label={strings.protocol}
            description={strings.protocolHint}
            data={ACCOUNT_AUTHS[auth].map((value) => ({ value, label: strings.protocols[value] }))}
            allowDeselect={false}
            {...form.getInputProps('protocol')}
          />
          <TextInput
            type="url"
            label={strings.baseUrl}
            description={strings.baseUrlHints[auth]}
            autoComplete="off"
            maxLength={2_000}
            {...form.getInputProps('baseUrl')}
          />
          <TextInput
            type="password"
            label={strings.key}
            description={strings.keyHint}
            autoComplete="off"
            spellCheck={false}
            data-1p-ignore
            data-lpignore="true"
            maxLength={4_096}
            {...form.getInputProps('key')}
          />
          <Textarea
            label={strings.models}
            description={strings.modelsHint}
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            {...form.getInputProps('models')}
          />
          <Checkbox
            label={strings.takesEffort}
            description={strings.takesEffortHint}
            {...form.getInputProps('takesEffort', { type: 'checkbox' })}
          />
          <FormFoot problem={problem} pending={pending} submit={strings.save} onCancel={props.onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
