import { Select } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { Project } from '../../../src/contract/projects.ts';
import { client } from '../../api/client.ts';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { modelsQuery } from '../models-and-keys/queries.ts';
import { projectQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

const NONE = '';

/** The model that new chats start with: one that can answer now, or the one that was chosen before. */
export function ProjectModel({ project, mayChange }: { project: Project; mayChange: boolean }): ReactElement {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    ...modelsQuery({ organization: project.organization, workspace: project.workspace }),
    enabled: project.rights.includes('use'),
  });
  const usable = (data?.models ?? []).filter(
    ({ modality, allowed, credential }) => modality === 'chat' && allowed && credential !== null,
  );
  const known = project.model === undefined || usable.some(({ id }) => id === project.model);
  const { mutate, isPending } = useMutation({
    mutationFn: (model: string) =>
      client.projects.update({ project: project.id, model: model === NONE ? null : model }),
    onError: toastFault,
    onSuccess: ({ project: saved }) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, saved);
      toastDone(strings.modelSaved);
    },
  });
  return (
    <Select
      label={strings.model}
      description={strings.modelHint}
      maw="28rem"
      allowDeselect={false}
      searchable
      disabled={!mayChange || isPending}
      data={[
        { value: NONE, label: strings.noModel },
        ...(known || project.model === undefined
          ? []
          : [
              {
                value: project.model,
                label: data === undefined ? project.model : strings.modelUnavailable(project.model),
              },
            ]),
        ...usable.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={project.model ?? NONE}
      onChange={(value) => value !== null && value !== (project.model ?? NONE) && mutate(value)}
    />
  );
}
