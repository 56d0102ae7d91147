import { Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import {
  ACCOUNT_AUTHS,
  type AccountAuth,
  accountAuths,
  takesProtocol,
} from '../../../src/contract/accounts/account-kinds.ts';
import type { ShownAccount } from '../../../src/contract/models-account.ts';
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

const missing = (value: string, text: string): string | null => (value.trim() === '' ? text : null);

const NO_KEY = { key: '', secretAccessKey: '', sessionToken: '', region: '' };

/** The key as it is sent: that of AWS has several parts. */
function keyOf({ auth, key, secretAccessKey, sessionToken, region }: typeof NO_KEY & { auth: AccountAuth }): string {
  if (auth !== 'aws') return key;
  const session = sessionToken.trim() === '' ? {} : { sessionToken: sessionToken.trim() };
  const parts = { accessKeyId: key.trim(), secretAccessKey: secretAccessKey.trim(), region: region.trim(), ...session };
  return JSON.stringify(parts);
}

function useAccountForm({ scope, account, onSaved }: Omit<Props, 'onClose'>) {
  return useServerForm({
    initialValues: {
      auth: account?.auth ?? 'bearer',
      protocol: account?.protocol ?? 'chat',
      baseUrl: account?.baseUrl ?? '',
      ...NO_KEY,
      models: account?.models.join('\n') ?? '',
      takesEffort: account?.takesEffort ?? false,
    },
    validate: ({ auth, baseUrl, key, secretAccessKey, region, models }) => ({
      baseUrl: missing(baseUrl, strings.baseUrlRequired),
      key: missing(key, strings.keyRequired),
      secretAccessKey: auth === 'aws' ? missing(secretAccessKey, strings.keyRequired) : null,
      region: auth === 'aws' ? missing(region, strings.regionRequired) : null,
      models: linesOf(models) === undefined ? strings.modelsRequired : null,
    }),
    fieldOf: (field) => /^(?:auth|protocol|baseUrl|key|models)(?=\.|$)/.exec(field)?.[0],
    send: ({ models, ...values }): Promise<unknown> => {
      const { auth, protocol, baseUrl, takesEffort } = values;
      const given = { auth, protocol, baseUrl, takesEffort, key: keyOf(values), models: linesOf(models) ?? [] };
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
          <KeyFields auth={auth} form={form} />
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

interface KeyFieldsProps {
  auth: AccountAuth;
  form: ReturnType<typeof useAccountForm>['form'];
}

const SECRET = {
  type: 'password',
  autoComplete: 'off',
  spellCheck: false,
  'data-1p-ignore': true,
  'data-lpignore': 'true',
  maxLength: 4_096,
} as const;

function KeyFields({ auth, form }: KeyFieldsProps): ReactElement {
  if (auth === 'google')
    return (
      <Textarea
        label={strings.serviceAccount}
        description={strings.serviceAccountHint}
        autoComplete="off"
        spellCheck={false}
        minRows={4}
        maxRows={8}
        autosize
        maxLength={16_384}
        {...form.getInputProps('key')}
      />
    );
  if (auth !== 'aws')
    return <TextInput {...SECRET} label={strings.key} description={strings.keyHint} {...form.getInputProps('key')} />;
  return (
    <>
      <TextInput
        label={strings.accessKeyId}
        description={strings.keyHint}
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('key')}
      />
      <TextInput {...SECRET} label={strings.secretAccessKey} {...form.getInputProps('secretAccessKey')} />
      <TextInput
        {...SECRET}
        label={strings.sessionToken}
        description={strings.sessionTokenHint}
        {...form.getInputProps('sessionToken')}
      />
      <TextInput
        label={strings.region}
        description={strings.regionHint}
        autoComplete="off"
        {...form.getInputProps('region')}
      />
    </>
  );
}
