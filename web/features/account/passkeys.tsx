import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import type { Passkey } from '../../../src/contract/account/account.ts';
import { client } from '../../api/client.ts';
import { hasPasskeys, isAbandoned, makePasskey } from '../../api/passkeys.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { common } from '../../kit/strings.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { withProof } from '../../session/proof.ts';
import { Section } from './section.tsx';
import { accountStrings as strings } from './strings.ts';
import { refreshSignInWays } from './use-sign-in-ways.ts';
import { WithWays } from './with-ways.tsx';

const NAME_MAX = 100;

export function Passkeys(): ReactElement {
  const [adding, { open, close }] = useDisclosure(false);
  return (
    <Section title={strings.passkeys.title} text={strings.passkeys.text}>
      <WithWays>
        {({ passkeys }) => (
          <>
            {passkeys.length > 0 && (
              <Rows label={strings.passkeys.title}>
                {passkeys.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} />
                ))}
              </Rows>
            )}
            {hasPasskeys() ? (
              <Group justify="flex-end">
                <Button variant="default" onClick={open}>
                  {strings.passkeys.add}
                </Button>
              </Group>
            ) : (
              <Text size="sm" c="dimmed">
                {strings.passkeys.unsupported}
              </Text>
            )}
          </>
        )}
      </WithWays>
      {adding && <NewPasskey onClose={close} />}
    </Section>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }): ReactElement {
  const { id, name, createdAt, usedAt, backedUp } = passkey;
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const queryClient = useQueryClient();
  const label = useId();
  const close = (): void => setOpen(undefined);
  return (
    <Row
      title={<span id={label}>{name}</span>}
      text={
        <>
          {strings.passkeys.added} <ShowDate at={createdAt} /> ·{' '}
          {usedAt === undefined ? (
            strings.passkeys.unused
          ) : (
            <>
              {strings.passkeys.used} <ShowDate at={usedAt} />
            </>
          )}
          {backedUp && ` · ${strings.passkeys.backedUp}`}
        </>
      }
      aside={
        <>
          <Button size="xs" variant="default" aria-describedby={label} onClick={() => setOpen('rename')}>
            {strings.passkeys.rename}
          </Button>
          <Button size="xs" variant="subtle" color="red" aria-describedby={label} onClick={() => setOpen('remove')}>
            {strings.passkeys.remove}
          </Button>
          {open === 'rename' && <RenamePasskey passkey={passkey} onClose={close} />}
          {open === 'remove' && (
            <ConfirmDialog
              title={strings.passkeys.removeTitle(name)}
              text={strings.passkeys.removeText}
              confirm={strings.passkeys.remove}
              act={() => withProof(() => client.account.passkeys.remove({ passkey: id }))}
              onDone={async () => {
                close();
                toastDone(strings.passkeys.removed);
                await refreshSignInWays(queryClient);
              }}
              onClose={close}
            />
          )}
        </>
      }
    />
  );
}

function NewPasskey({ onClose }: { onClose: () => void }): ReactElement {
  const queryClient = useQueryClient();
  return (
    <NameDialog
      title={strings.passkeys.addTitle}
      text={strings.passkeys.addText}
      submitText={strings.passkeys.addSubmit}
      name=""
      send={async (name) => {
        const options = await withProof(() => client.account.passkeys.offer());
        const passkey = await makePasskey(options);
        await client.account.passkeys.add({ name, passkey });
      }}
      onDone={async () => {
        onClose();
        toastDone(strings.passkeys.done);
        await refreshSignInWays(queryClient);
      }}
      onClose={onClose}
    />
  );
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }): ReactElement {
  const queryClient = useQueryClient();
  return (
    <NameDialog
      title={strings.passkeys.renameThis(passkey.name)}
      submitText={strings.passkeys.rename}
      name={passkey.name}
      send={(name) => client.account.passkeys.rename({ passkey: passkey.id, name })}
      onDone={async () => {
        onClose();
        await refreshSignInWays(queryClient);
      }}
      onClose={onClose}
    />
  );
}

interface NameDialogProps {
  title: string;
  text?: string;
  submitText: string;
  name: string;
  send: (name: string) => Promise<unknown>;
  onDone: () => Promise<void>;
  onClose: () => void;
}

function NameDialog({ title, text, submitText, name, send, onDone, onClose }: NameDialogProps): ReactElement {
  const [left, setLeft] = useState(false);
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { name },
    validate: { name: (value) => (value.trim() === '' ? common.nameRequired : null) },
    send: async (values) => {
      setLeft(false);
      try {
        await send(values.name);
      } catch (error) {
        // The browser has said why itself.
        setLeft(isAbandoned(error));
        throw error;
      }
    },
    onDone,
  });
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {text !== undefined && <Text size="sm">{text}</Text>}
          <TextInput
            data-autofocus
            label={strings.passkeys.name}
            placeholder={strings.passkeys.namePlaceholder}
            maxLength={NAME_MAX}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <FormProblem text={left ? strings.passkeys.abandoned : problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={pending}>
              {submitText}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
