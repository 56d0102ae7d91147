import { Button, Center, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../api/client.ts';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { common } from '../../kit/strings.ts';
import { useServerForm } from '../../kit/use-server-form.ts';
import { withProof } from '../../session/proof.ts';
import { CodePicture } from './code-picture.tsx';
import { RecoveryCodeList } from './recovery-codes.tsx';
import { accountStrings } from './strings.ts';
import { refreshSignInWays } from './use-sign-in-ways.ts';

const { codes: strings } = accountStrings;
const DIGITS = 6;

/** Scan, confirm, keep the recovery codes. They are shown once: the dialog closes only by its button. */
export function OneTimeCodesDialog({
  offer,
  onClose,
}: {
  offer: { readonly secret: string; readonly address: string };
  onClose: () => void;
}): ReactElement {
  const queryClient = useQueryClient();
  const [recovery, setRecovery] = useState<readonly string[]>();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { code: '' },
    validate: { code: (value) => (value.replaceAll(/\s/g, '').length === DIGITS ? null : strings.codeRequired) },
    send: ({ code }) => withProof(() => client.account.oneTimeCodes.confirm({ code })),
    onDone: ({ recoveryCodes }) => setRecovery(recoveryCodes),
    isSecret: true,
  });
  const finish = (): void => {
    onClose();
    void refreshSignInWays(queryClient);
  };
  if (recovery !== undefined)
    return (
      <Dialog
        onClose={finish}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title={strings.recoveryTitle}
      >
        <RecoveryCodeList codes={recovery} onDone={finish} />
      </Dialog>
    );
  return (
    <Dialog onClose={onClose} title={strings.setUpTitle}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{strings.scan}</Text>
          <Center>
            <CodePicture text={offer.address} label={strings.picture} />
          </Center>
          <CopyField label={strings.secret} value={offer.secret} />
          <TextInput
            label={strings.code}
            description={strings.codeText}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            {...form.getInputProps('code')}
          />
          <FormProblem text={problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={pending}>
              {strings.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
