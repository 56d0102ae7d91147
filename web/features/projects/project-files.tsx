import {
  ActionIcon,
  Anchor,
  Badge,
  Button,
  CloseButton,
  FileButton,
  Group,
  Loader,
  Progress,
  Text,
  Title,
} from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Project, ProjectFile } from '../../../src/contract/projects.ts';
import { api, client } from '../../api/client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { formatSize } from '../../language/format.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { useDrop } from '../../kit/use-drop.ts';
import { explainReason } from './find-file-problem.ts';
import { filesQuery } from './queries.ts';
import { fileStrings as strings } from './strings.ts';
import { type PendingFile, useUploads } from './use-uploads.ts';

export function ProjectFiles({ project, mayChange }: { project: Project; mayChange: boolean }): ReactElement {
  const query = useInfiniteQuery(filesQuery(project.id));
  const files = query.data?.pages.flatMap((page) => page.files) ?? [];
  const { pending, add, dismiss } = useUploads(project.id, project.files);
  const dragging = useDrop((dropped) => mayChange && add(dropped));
  const [removing, setRemoving] = useState<ProjectFile>();
  const choose = (
    <FileButton multiple onChange={add} inputProps={{ 'aria-label': strings.choose }}>
      {(props) => (
        <Button variant="default" size="sm" leftSection={<Icon name="plus" size={16} />} {...props}>
          {strings.add}
        </Button>
      )}
    </FileButton>
  );
  return (
    <section aria-labelledby="project-files" className="project-files">
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h4" id="project-files">
          {strings.title}
        </Title>
        {mayChange && choose}
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {strings.hint} {project.files > 0 && strings.count(project.files)}
      </Text>
      <ListState
        query={query}
        isEmpty={files.length + pending.length === 0}
        empty={{ icon: 'file', title: strings.empty, text: strings.emptyText }}
      >
        <Rows label={strings.title}>
          {pending.map((file) => (
            <PendingRow key={`pending-${file.key}`} file={file} onDismiss={() => dismiss(file.key)} />
          ))}
          {files.map((file) => (
            <FileRow
              key={file.id}
              project={project.id}
              file={file}
              onRemove={mayChange ? () => setRemoving(file) : undefined}
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {mayChange && dragging && <div className="project-drop">{strings.drop}</div>}
      {removing !== undefined && (
        <RemoveFile project={project.id} file={removing} onClose={() => setRemoving(undefined)} />
      )}
    </section>
  );
}

function PendingRow({ file, onDismiss }: { file: PendingFile; onDismiss: () => void }): ReactElement {
  const isFailed = file.problem !== undefined;
  return (
    <Row
      lead={<Icon name={isFailed ? 'alert' : 'file'} />}
      title={file.name}
      text={
        isFailed ? (
          <Text component="span" size="sm" c="red" role="alert">
            {file.problem}
          </Text>
        ) : (
          <>
            {strings.uploading(Math.round(file.progress * 100))}
            <Progress value={file.progress * 100} size={3} mt={4} w="12rem" aria-label={strings.uploadOf(file.name)} />
          </>
        )
      }
      aside={isFailed && <CloseButton aria-label={strings.dismissOf(file.name)} onClick={onDismiss} />}
    />
  );
}

const COLORS = { waiting: 'gray', ready: 'pine', failed: 'red' } as const;

function FileRow({
  project,
  file,
  onRemove,
}: {
  project: string;
  file: ProjectFile;
  onRemove: (() => void) | undefined;
}): ReactElement {
  const { id, name, size, addedBy, state, reason } = file;
  return (
    <Row
      lead={<Icon name="file" />}
      title={
        <Anchor
          href={`/api/projects/${encodeURIComponent(project)}/files/${encodeURIComponent(id)}`}
          download={name}
          c="inherit"
        >
          {name}
        </Anchor>
      }
      text={
        <>
          {formatSize(size)}, {strings.by(addedBy)}
          {state === 'failed' && (
            <Text component="span" size="sm" c="red" display="block">
              {explainReason(reason)}
            </Text>
          )}
        </>
      }
      aside={
        <>
          <Badge
            color={COLORS[state]}
            leftSection={state === 'waiting' ? <Loader size={10} color="gray" aria-hidden="true" /> : undefined}
          >
            {strings.states[state]}
          </Badge>
          {onRemove !== undefined && (
            <ActionIcon variant="subtle" color="gray" aria-label={strings.removeOf(name)} onClick={onRemove}>
              <Icon name="trash" size={16} />
            </ActionIcon>
          )}
        </>
      }
    />
  );
}

function RemoveFile({
  project,
  file,
  onClose,
}: {
  project: string;
  file: ProjectFile;
  onClose: () => void;
}): ReactElement {
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title={strings.removeTitle(file.name)}
      text={strings.removeText}
      confirm={strings.remove}
      act={() => client.projects.files.remove({ project, file: file.id })}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.removed);
        await queryClient.invalidateQueries({ queryKey: api.projects.key() });
      }}
    />
  );
}
