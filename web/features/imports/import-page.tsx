import { Alert, Anchor, Button, Card, FileButton, Group, Progress, Stack, Tabs, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { IMPORT_OUTCOMES, type ImportNote, type ImportOutcome } from '../../../src/contract/imports/import-words.ts';
import type { ChatImport, ImportItem } from '../../../src/contract/imports/imports.ts';
import { api, client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ListState, LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { TabLine } from '../../kit/tab-line.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { formatList } from '../../language/format.ts';
import { importQuery, itemsQuery } from './queries.ts';
import { sendFile, sendings } from './send-file.ts';
import { chatImportStrings as strings } from './strings.ts';

export function ImportPage(): ReactElement {
  const { import: id = '' } = useParams({ strict: false });
  const query = useQuery(importQuery(id));
  if (query.data !== undefined) return <ShownImport key={id} chatImport={query.data} />;
  if (query.error === null)
    return (
      <>
        <PageHeader title={strings.title} />
        <Loading />
      </>
    );
  if (readFault(query.error).status === 404)
    return (
      <>
        <PageHeader title={strings.missing} description={strings.missingText} />
        <ButtonLink to="/imports" variant="default">
          {strings.back}
        </ButtonLink>
      </>
    );
  return (
    <>
      <PageHeader title={strings.title} />
      <LoadFailure error={query.error} retry={() => query.refetch()} />
    </>
  );
}

function ShownImport({ chatImport }: { chatImport: ChatImport }): ReactElement {
  const { name, state, source, endedAt } = chatImport;
  const facts = [strings.states[state], source && strings.sources[source]].filter(Boolean);
  return (
    <>
      <PageHeader
        title={name}
        above={
          <AnchorLink to="/imports" size="sm">
            {strings.back}
          </AnchorLink>
        }
        description={<output>{facts.join(' · ')}</output>}
        actions={endedAt === undefined && <CancelImport id={chatImport.id} />}
      />
      <Stack gap="lg" maw="44rem">
        {state === 'uploading' && <Uploading chatImport={chatImport} />}
        {(state === 'waiting' || state === 'running') && (
          <Card padding="lg">
            <Progress value={Math.round(chatImport.progress * 100)} aria-label={strings.progress} animated />
            <Text size="sm" c="dimmed" mt="sm">
              {strings.goesOn}
            </Text>
          </Card>
        )}
        {state === 'failed' && (
          <Alert color="red" role="alert" icon={<Icon name="alert" />} title={strings.failedTitle}>
            {explain(chatImport.reason)} {chatImport.taken > 0 && strings.failedAfter}
          </Alert>
        )}
        {state !== 'uploading' && <Report chatImport={chatImport} />}
      </Stack>
    </>
  );
}

function explain(reason = 'internal'): string {
  const texts: Readonly<Record<string, string>> = strings.reasonsOfFailure;
  return texts[reason] ?? strings.reasonsOfFailure.internal;
}

function Uploading({ chatImport: { id, name, size, received } }: { chatImport: ChatImport }): ReactElement {
  const { isSending, problem } = sendings.use(id);
  const [isOther, setOther] = useState(false);
  const choose = (file: File | null): void => {
    if (file === null) return;
    const isSame = file.size === size && file.name === name;
    setOther(!isSame);
    if (isSame) void sendFile(id, file);
  };
  return (
    <Card padding="lg">
      <Stack align="stretch">
        <Progress
          value={Math.round((received / size) * 100)}
          aria-label={strings.uploadProgress}
          animated={isSending}
        />
        <Text size="sm" c="dimmed">
          {isSending ? strings.staysOpen : strings.interrupted}
        </Text>
        <FormProblem text={isOther ? strings.otherFile : problem} />
        {!isSending && (
          <FileButton onChange={choose} inputProps={{ 'aria-label': strings.chooseSame }}>
            {(props) => (
              <Button variant="default" {...props}>
                {strings.chooseSame}
              </Button>
            )}
          </FileButton>
        )}
      </Stack>
    </Card>
  );
}

function CancelImport({ id }: { id: string }): ReactElement {
  const [asking, setAsking] = useState(false);
  const queryClient = useQueryClient();
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {strings.cancel}
      </Button>
      {asking && (
        <ConfirmDialog
          title={strings.cancelTitle}
          text={strings.cancelText}
          confirm={strings.cancel}
          act={() => client.imports.cancel({ import: id })}
          onDone={async () => {
            setAsking(false);
            await queryClient.invalidateQueries({ queryKey: api.imports.key() });
            toastDone(strings.cancelled);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function Report({ chatImport }: { chatImport: ChatImport }): ReactElement {
  const { id, taken, present, leftOut, endedAt } = chatImport;
  const counts = { taken, present, 'left-out': leftOut } satisfies Record<ImportOutcome, number>;
  const [outcome, setOutcome] = useState<ImportOutcome>('taken');
  const names = Object.fromEntries(
    IMPORT_OUTCOMES.map((each) => [each, strings.counted(strings.outcomes[each], counts[each])]),
  ) as Record<ImportOutcome, string>;
  return (
    <Tabs value={outcome} onChange={(value) => setOutcome(value as ImportOutcome)}>
      <Group justify="space-between" align="center" mb="md">
        <TabLine names={names} current={outcome} mb={0} />
        {endedAt !== undefined && (
          <Anchor href={`/api/imports/${encodeURIComponent(id)}/report`} download size="sm">
            {strings.download}
          </Anchor>
        )}
      </Group>
      {IMPORT_OUTCOMES.map((each) => (
        <Tabs.Panel key={each} value={each}>
          {each === outcome && <Items id={id} outcome={each} count={counts[each]} />}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Items({ id, outcome, count }: { id: string; outcome: ImportOutcome; count: number }): ReactElement {
  const query = useInfiniteQuery({
    ...itemsQuery(id, outcome, count),
    enabled: count > 0,
    placeholderData: (before) => before,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <ListState
      query={count === 0 ? { ...query, isPending: false } : query}
      isEmpty={items.length === 0}
      empty={{ icon: 'archive', title: strings.nothing[outcome], text: strings.nothingText }}
    >
      <Rows label={strings.outcomes[outcome]}>
        {items.map((item) => (
          <ItemRow key={item.number} item={item} />
        ))}
      </Rows>
      <MoreRows query={query} />
    </ListState>
  );
}

function ItemRow({ item: { kind, title, thread, reason, messages, notes } }: { item: ImportItem }): ReactElement {
  const name = title === '' ? strings.untitled : title;
  const left = Object.entries(notes).map(([note, count]) => strings.notes[note as ImportNote](count));
  const facts = [
    kind === 'project' && strings.project,
    messages > 0 && strings.messages(messages),
    reason && strings.reasons[reason],
    left.length > 0 && strings.without(formatList(left)),
  ].filter(Boolean);
  return (
    <Row
      lead={<Icon name={kind === 'project' ? 'folder' : 'chat'} />}
      title={
        thread === undefined ? (
          name
        ) : (
          <AnchorLink to="/chat/$thread" params={{ thread }} c="inherit">
            {name}
          </AnchorLink>
        )
      }
      text={facts.join(' · ')}
    />
  );
}
