import { Input, PasswordInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { connections } from '../../api/runtime-client.ts';
import { connectionsQuery, type ListedConnector } from './queries.ts';
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { importStrings as strings } from './strings.ts';
import { type ImportKind, importKinds, readBundle } from './import-kinds.ts';

interface ImportDialogProps {
  place: WorkspaceNames;
  connector: ListedConnector;
  /** The name of the connection to import again; otherwise the default connection. */
  name?: string | undefined;
  onClose: () => void;
}

type ImportValues = {
  kind: ImportKind;
  profile: string;
  bundle: string;
  token: string;
  host: string;
};

/** Imports existing credentials. After a successful import, none of them remain in the page. */
export function ImportDialog({ place, connector, name, onClose }: ImportDialogProps): ReactElement {
  const { organization, workspace } = place;
  const queryClient = useQueryClient();
  const kinds = importKinds(connector);
  const { form, submit, pending, problem } = useServerForm<ImportValues, unknown>({
    initialValues: { kind: kinds[0] ?? 'code-host-token', profile: '', bundle: '', token: '', host: '' },
    validate: (values) => findFaults(values),
    send: (values) =>
      connections.import(
        { provider: connector.id, workspace, ...(name === undefined ? {} : { name }), ...toReference(values) },
        { context: { organization, access: 'write' } },
      ),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: connectionsQuery(place).queryKey });
      toastDone(strings.done(connector.name));
      onClose();
    },
    fieldOf: (field) =>
      ['profile', 'bundle', 'token', 'host'].find((own) => field === own || field.startsWith(`${own}.`)),
    isSecret: true,
  });
  return (
    <Dialog onClose={onClose} title={strings.title(connector.name)}>
      <form onSubmit={submit} noValidate autoComplete="off">
        <Stack>
          <Text size="sm" c="dimmed">
            {strings.shared}
          </Text>
          {kinds.length > 1 && (
            <Input.Wrapper label={strings.kind} labelElement="div">
              <SegmentedControl
                fullWidth
                mt={4}
                aria-label={strings.kind}
                data={kinds.map((value) => ({ value, label: strings.kinds[value] }))}
                {...form.getInputProps('kind')}
              />
            </Input.Wrapper>
          )}
          <KindFields kind={form.values.kind} cli={connector.cli ?? ''} field={(own) => form.getInputProps(own)} />
          <FormFoot problem={problem} pending={pending} submit={strings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

interface KindFieldsProps {
  kind: ImportKind;
  cli: string;
  field: (own: Exclude<keyof ImportValues, 'kind'>) => object;
}

function KindFields({ kind, cli, field }: KindFieldsProps): ReactElement {
  const plain = { autoComplete: 'off', spellCheck: false } as const;
  if (kind === 'local-cloud-profile') {
    return (
      <TextInput
        label={strings.profile}
        description={strings.profileText(cli)}
        maxLength={128}
        {...plain}
        {...field('profile')}
      />
    );
  }
  if (kind === 'cloud-credential-process') {
    return (
      <Textarea
        label={strings.bundle}
        description={strings.bundleText}
        autosize
        minRows={6}
        maxRows={14}
        classNames={{ input: 'mono-input' }}
        {...plain}
        {...field('bundle')}
      />
    );
  }
  return (
    <>
      <PasswordInput
        label={strings.token}
        description={strings.tokenText}
        maxLength={4_096}
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        {...field('token')}
      />
      <TextInput label={strings.host} description={strings.hostText} maxLength={253} {...plain} {...field('host')} />
    </>
  );
}

function findFaults({ kind, profile, bundle, token }: ImportValues): Record<string, string> {
  if (kind === 'local-cloud-profile') return profile.trim() === '' ? { profile: strings.profileRequired } : {};
  if (kind === 'cloud-credential-process')
    return readBundle(bundle) === undefined ? { bundle: strings.bundleInvalid } : {};
  return token.trim() === '' ? { token: strings.tokenRequired } : {};
}

type Imported = Parameters<typeof connections.import>[0] extends infer All
  ? All extends { provider: string }
    ? Omit<All, 'provider' | 'workspace' | 'name'>
    : never
  : never;

function toReference({ kind, profile, bundle, token, host }: ImportValues): Imported {
  if (kind === 'local-cloud-profile') return { kind, profile: profile.trim() };
  const read = kind === 'cloud-credential-process' ? readBundle(bundle) : undefined;
  if (read !== undefined) return { kind: 'cloud-credential-process', bundle: read };
  return { kind: 'code-host-token', token: token.trim(), ...(host.trim() === '' ? {} : { host: host.trim() }) };
}
