import './changes.css';
import { Alert, Badge, Button, Group, SegmentedControl, Text, Title, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { FilePatch } from '../../../../src/contract/patches/read-patch.ts';
import type { ChangedFile, Changes } from '../../../../src/contract/patches/run-changes.ts';
import { CopyAction } from '../../../kit/copy-field.tsx';
import { createKeyedStore } from '../../../kit/keyed-store.ts';
import { LoadFailure } from '../../../kit/list-state.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { toastFault } from '../../../kit/toasts.tsx';
import { useSignedIn } from '../../../session/organization-context.ts';
import type { RunView } from '../queries.ts';
import { explainMessage } from '../follow-up/explain-message.ts';
import { DiffView } from './diff-view.tsx';
import { downloadPatch, runChangesQuery, runPatchQuery } from './queries.ts';
import { changeNames, changesStrings as strings } from './strings.ts';
import type { Layout } from './to-rows.ts';

const layouts = createKeyedStore<Layout>({
  empty: 'unified',
  persist: {
    area: 'local',
    prefix: 'diff-',
    pack: (layout) => layout,
    unpack: (stored) => (stored === 'split' ? 'split' : 'unified'),
  },
});
const LAYOUT = 'layout';
/** With no more lines than these, every file is open. */
const OPEN_LINES = 400;
/** Below it, two columns cannot be read. */
const WIDE = '(min-width: 56rem)';
const SHOWN_FILES = 100;
const BASE_CHARS = 12;

/** What a run changed in its repository; renders nothing if it had none, or changed nothing. */
export function RunChanges({ run }: { run: RunView }): ReactElement | null {
  const { organization } = useSignedIn();
  const wanted = run.changes !== undefined && run.changes.files > 0;
  const query = useQuery({ ...runChangesQuery(organization.id, run.id, run.endedAt), enabled: wanted });
  if (!wanted) return null;
  return (
    <section aria-labelledby="changes">
      {query.data !== undefined ? (
        <ShowChanges organization={organization.id} run={run} changes={query.data} />
      ) : (
        <>
          <Heading />
          {query.error !== null && <LoadFailure error={query.error} retry={query.refetch} title={strings.failed} />}
        </>
      )}
    </section>
  );
}

function Heading(): ReactElement {
  return (
    <Title order={2} id="changes" fz="md">
      {strings.title}
    </Title>
  );
}

function ShowChanges({
  organization,
  run,
  changes,
}: {
  organization: string;
  run: RunView;
  changes: Changes;
}): ReactElement {
  const { id, endedAt } = run;
  const { total, files, patch } = changes;
  const { user } = useSignedIn();
  const canComment = explainMessage(run, user.id).allowed;
  const small = total.additions + total.deletions <= OPEN_LINES;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [most, setMost] = useState(SHOWN_FILES);
  const command = `servicectl job apply ${id}`;
  const isWide = useMediaQuery(WIDE, true);
  const chosen = layouts.use(LAYOUT);
  const layout = isWide ? chosen : 'unified';
  const isOpen = (path: string): boolean => small !== toggled.has(path);
  const diffs = useQuery({
    ...runPatchQuery(organization, id, endedAt),
    enabled: patch !== undefined && (small || toggled.size > 0),
  });
  return (
    <>
      <ChangesHead organization={organization} run={id} changes={changes} isWide={isWide} />
      {patch === undefined && <Alert color="yellow">{strings.noPatch}</Alert>}
      {patch?.cut && <Alert color="yellow">{strings.cut}</Alert>}
      {diffs.error !== null && <LoadFailure error={diffs.error} retry={diffs.refetch} title={strings.failed} />}
      <ul className="changed-files" aria-label={strings.list}>
        {files.slice(0, most).map((file) => (
          <li key={file.path}>
            <FileHead
              file={file}
              open={isOpen(file.path)}
              onToggle={() => setToggled(toggle(toggled, file.path))}
              has={patch !== undefined}
            />
            {patch !== undefined && isOpen(file.path) && (
              <FileBody
                run={id}
                canComment={canComment}
                file={file}
                diff={diffs.data?.get(file.path)}
                loading={diffs.data === undefined}
                layout={layout}
              />
            )}
          </li>
        ))}
      </ul>
      {most < files.length && (
        <Button variant="default" size="xs" onClick={() => setMost(most + SHOWN_FILES)}>
          {strings.show} {strings.files(Math.min(SHOWN_FILES, files.length - most))}
        </Button>
      )}
      {most >= files.length && files.length < total.files && (
        <Text size="sm" c="dimmed">
          {strings.more(total.files - files.length)}
        </Text>
      )}
      {patch !== undefined && !patch.cut && (
        <Group gap="xs" mt="sm">
          <Text size="sm" c="dimmed">
            {strings.applyHint}
          </Text>
          <code className="apply-command">{command}</code>
          <CopyAction value={command} size="compact-xs" />
        </Group>
      )}
    </>
  );
}

interface ChangesHeadProps {
  organization: string;
  run: string;
  changes: Changes;
  /** Whether there is room for two columns. */
  isWide: boolean;
}

function ChangesHead({
  organization,
  run,
  changes: { repository, base, total, patch },
  isWide,
}: ChangesHeadProps): ReactElement {
  const chosen = layouts.use(LAYOUT);
  const download = useMutation({ mutationFn: () => downloadPatch(organization, run), onError: toastFault });
  const short = base.slice(0, BASE_CHARS);
  return (
    <Group justify="space-between" mb="xs">
      <div>
        <Heading />
        <Text size="sm" c="dimmed">
          {strings.files(total.files)} {repository === '' ? strings.onUnnamed(short) : strings.on(repository, short)}.{' '}
          {strings.lines(total.additions, total.deletions)}.
        </Text>
      </div>
      <Group gap="sm">
        {isWide && (
          <SegmentedControl
            size="xs"
            aria-label={strings.layout}
            value={chosen}
            onChange={(value) => layouts.set(LAYOUT, value === 'split' ? 'split' : 'unified')}
            data={[
              { value: 'unified', label: strings.unified },
              { value: 'split', label: strings.split },
            ]}
          />
        )}
        {patch !== undefined && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="down" size={14} />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            {strings.download}
          </Button>
        )}
      </Group>
    </Group>
  );
}

function toggle(paths: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(paths);
  if (!next.delete(path)) next.add(path);
  return next;
}

function FileHead({
  file: { path, from, status, additions, deletions, binary },
  open,
  onToggle,
  has,
}: {
  file: ChangedFile;
  open: boolean;
  onToggle: () => void;
  has: boolean;
}): ReactElement {
  return (
    <div className="changed-file">
      <Badge variant="default" size="sm" className="changed-kind">
        {changeNames[status]}
      </Badge>
      <span className="changed-path" dir="ltr">
        {path}
        {from !== undefined && (
          <Text component="span" size="xs" c="dimmed">
            {' '}
            {strings.from(from)}
          </Text>
        )}
      </span>
      {!binary && (
        <span className="changed-lines">
          <span className="changed-added">+{additions}</span> <span className="changed-deleted">−{deletions}</span>
        </span>
      )}
      {has && (
        <Button variant="subtle" size="compact-sm" aria-expanded={open} onClick={onToggle}>
          {open ? strings.hide : strings.show}
          <VisuallyHidden> {path}</VisuallyHidden>
        </Button>
      )}
    </div>
  );
}

function FileBody({
  run,
  canComment,
  file,
  diff,
  loading,
  layout,
}: {
  run: string;
  canComment: boolean;
  file: ChangedFile;
  diff: FilePatch | undefined;
  loading: boolean;
  layout: Layout;
}): ReactElement {
  const note = file.binary
    ? strings.binary
    : loading
      ? strings.loading
      : diff === undefined
        ? strings.notInPatch
        : strings.noLines;
  if (diff !== undefined && diff.hunks.length > 0)
    return <DiffView run={run} canComment={canComment} file={diff} layout={layout} />;
  return (
    <Text size="sm" c="dimmed" className="changed-note">
      {note}
    </Text>
  );
}
