import { Badge, Button, Group, Progress, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Cap, CapSubject } from '../../../src/contract/spend.ts';
import { api, client } from '../../api/client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../session/organization-context.ts';
import { stateOf } from './cap-state.ts';
import { capsQuery } from './spend-queries.ts';
import { spendStrings } from './spend-strings.ts';
import { editAmount, formatCost, parseAmount, toPercent } from '../../language/format.ts';

const strings = spendStrings.caps;

export function CapsSection(): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(capsQuery(organization.id));
  const queryClient = useQueryClient();
  const [editing, setEditing] = useState<Cap | 'new'>();
  const [removing, setRemoving] = useState<Cap>();
  const caps = query.data?.pages.flatMap((page) => page.caps) ?? [];
  const refresh = (): void => void queryClient.invalidateQueries({ queryKey: api.spend.key() });
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEditing('new')}>
      {strings.set}
    </Button>
  );
  return (
    <section aria-labelledby="caps">
      <Group justify="space-between" align="flex-end" mb="md">
        <Stack gap={2} flex="1 1 20rem">
          <Title order={2} id="caps">
            {strings.title}
          </Title>
          <Text size="sm" c="dimmed">
            {strings.text}
          </Text>
        </Stack>
        {add}
      </Group>
      <ListState
        query={query}
        isEmpty={caps.length === 0}
        empty={{ icon: 'chart', title: strings.empty, text: strings.emptyText }}
      >
        <Rows label={strings.title}>
          {caps.map((cap) => (
            <CapRow key={cap.id} cap={cap} onChange={() => setEditing(cap)} onRemove={() => setRemoving(cap)} />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {editing !== undefined && (
        <CapDialog
          cap={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onSaved={(cap) => {
            setEditing(undefined);
            toastDone(strings.saved(cap.name, formatCost(cap.monthlyUsd)));
            refresh();
          }}
        />
      )}
      {removing !== undefined && (
        <ConfirmDialog
          title={strings.removeTitle(removing.name)}
          text={strings.removeText}
          confirm={strings.remove}
          act={() => client.spend.caps.remove({ org: organization.id, cap: removing.id })}
          onClose={() => setRemoving(undefined)}
          onDone={() => {
            setRemoving(undefined);
            toastDone(strings.removed(removing.name));
            refresh();
          }}
        />
      )}
    </section>
  );
}

function CapRow({ cap, onChange, onRemove }: { cap: Cap; onChange: () => void; onRemove: () => void }): ReactElement {
  const { share, color, badge } = stateOf(cap.monthlyUsd, cap.remaining);
  return (
    <Row
      title={
        <Group gap="xs">
          <bdi id={`cap-${cap.id}`}>{cap.name}</bdi>
          <Badge color="gray">{strings.kinds[cap.subject.kind]}</Badge>
          {badge !== undefined && <Badge color={color}>{badge}</Badge>}
        </Group>
      }
      text={
        <>
          {strings.left(formatCost(cap.remaining), formatCost(cap.monthlyUsd))}
          <Progress
            value={toPercent(share)}
            color={color}
            size="sm"
            mt={6}
            miw={160}
            aria-label={strings.share(cap.name)}
          />
        </>
      }
      aside={
        <>
          <Button variant="default" aria-describedby={`cap-${cap.id}`} onClick={onChange}>
            {strings.change}
          </Button>
          <Button variant="default" aria-describedby={`cap-${cap.id}`} onClick={onRemove}>
            {strings.remove}
          </Button>
        </>
      }
    />
  );
}

type CapValues = { kind: CapSubject['kind']; subject: string; monthlyUsd: string };

interface CapDialogProps {
  /** The one to change; a new one if absent. */
  cap: Cap | undefined;
  onClose: () => void;
  onSaved: (cap: Cap) => void;
}

function CapDialog({ cap, onClose, onSaved }: CapDialogProps): ReactElement {
  const { organization } = useSignedIn();
  const people = usePeople();
  const { workspaces } = useCurrentWorkspace();
  const { form, submit, pending, problem } = useServerForm<CapValues, Cap>({
    initialValues: {
      kind: cap?.subject.kind ?? 'member',
      subject: cap?.subject.id ?? '',
      monthlyUsd: cap === undefined ? '' : editAmount(cap.monthlyUsd),
    },
    validate: {
      subject: (value) => (value.trim() === '' ? strings.subjectRequired : null),
      monthlyUsd: (value) => (value.trim() === '' || !(parseAmount(value) >= 0) ? strings.amountRequired : null),
    },
    send: ({ kind, subject, monthlyUsd }) =>
      client.spend.caps.put({
        org: organization.id,
        subject: { kind, id: subject.trim() },
        monthlyUsd: parseAmount(monthlyUsd),
      }),
    onDone: onSaved,
  });
  const { kind } = form.getValues();
  const choices =
    kind === 'member'
      ? [...people].map(([value, label]) => ({ value, label }))
      : workspaces.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Dialog onClose={onClose} title={strings.dialog}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {cap === undefined ? (
            <>
              <Select
                data-autofocus
                label={strings.kind}
                data={Object.entries(strings.kinds).map(([value, label]) => ({ value, label }))}
                allowDeselect={false}
                {...form.getInputProps('kind')}
                onChange={(value) => form.setValues({ kind: (value ?? 'member') as CapSubject['kind'], subject: '' })}
              />
              {kind === 'token' ? (
                <TextInput
                  label={strings.subjects.token}
                  description={strings.tokenHint}
                  autoComplete="off"
                  {...form.getInputProps('subject')}
                />
              ) : (
                <Select label={strings.subjects[kind]} data={choices} searchable {...form.getInputProps('subject')} />
              )}
            </>
          ) : (
            <Text>
              {strings.kinds[cap.subject.kind]}: {cap.name}
            </Text>
          )}
          <TextInput
            label={strings.amount}
            inputMode="decimal"
            autoComplete="off"
            {...form.getInputProps('monthlyUsd')}
          />
          <FormFoot problem={problem} pending={pending} submit={strings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
