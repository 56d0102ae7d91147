import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import { type Collected, collectedBy, downloadArtifact, runArtifactsQuery, type RunView } from './queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { toastFault } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { FilePreview } from './file-preview.tsx';
import { previewKindOf } from './preview-kind.ts';
import { runStrings as strings } from './strings.ts';
import { formatSize } from '../../language/format.ts';

/** The files of a run; renders nothing if there are none. */
export function RunArtifacts({
  run,
  heading,
}: {
  run: Pick<RunView, 'id'> & Collected;
  heading: ReactElement;
}): ReactElement | null {
  const { id } = run;
  const { organization } = useSignedIn();
  const does = useId();
  const [opened, setOpened] = useState<string>();
  const query = useQuery(runArtifactsQuery(organization.id, id, collectedBy(run)));
  const download = useMutation({
    mutationFn: (name: string) => downloadArtifact(organization.id, id, name),
    onError: toastFault,
  });
  if (query.data === undefined)
    return query.error === null ? null : (
      <LoadFailure error={query.error} retry={query.refetch} title={strings.artifactsFailed} />
    );
  if (query.data.length === 0) return null;
  const shown = query.data.find(({ name }) => name === opened);
  const shownKind = shown && previewKindOf(shown.name, shown.size);
  return (
    <section>
      {heading}
      <VisuallyHidden id={does}>{strings.download}</VisuallyHidden>
      <ul className="run-files">
        {query.data.map(({ name, size }) => (
          <li key={name}>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Icon name="down" size={14} />}
              aria-describedby={does}
              loading={download.isPending && download.variables === name}
              onClick={() => download.mutate(name)}
              className="run-file"
            >
              {name}
            </Button>
            <Text component="span" size="xs" c="dimmed">
              {formatSize(size)}
            </Text>
            {previewKindOf(name, size) !== undefined && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-expanded={name === opened}
                onClick={() => setOpened(name === opened ? undefined : name)}
              >
                {name === opened ? strings.hidePreview : strings.preview}
                <VisuallyHidden> {name}</VisuallyHidden>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {shown !== undefined && shownKind !== undefined && (
        <FilePreview key={shown.name} organization={organization.id} run={id} {...shown} kind={shownKind} />
      )}
    </section>
  );
}
