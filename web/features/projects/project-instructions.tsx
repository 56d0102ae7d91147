import { Button, Card, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { PROJECT_LIMITS } from '../../../src/contract/project-limits.ts';
import type { Project } from '../../../src/contract/projects.ts';
import { client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { projectQuery } from './queries.ts';
import { projectStrings as strings } from './strings.ts';

export function ProjectInstructions({ project, mayChange }: { project: Project; mayChange: boolean }): ReactElement {
  return (
    <section aria-labelledby="project-instructions">
      <Title order={2} size="h4" id="project-instructions" mb="xs">
        {strings.instructions}
      </Title>
      {mayChange ? (
        <InstructionsForm project={project} />
      ) : (
        <Card>
          <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', unicodeBidi: 'plaintext' }}>
            {project.instructions === '' ? strings.noInstructions : project.instructions}
          </Text>
        </Card>
      )}
    </section>
  );
}

/** What is being typed, and what was saved when the typing began. */
interface Draft {
  readonly text: string;
  readonly basis: string;
}

/** What is being typed is kept when somebody else saves; the page then says so. */
function InstructionsForm({ project }: { project: Project }): ReactElement {
  const queryClient = useQueryClient();
  const saved = project.instructions;
  const [draft, setDraft] = useState<Draft>();
  const text = draft?.text ?? saved;
  const { mutate, isPending, error } = useMutation({
    mutationFn: (instructions: string) => client.projects.update({ project: project.id, instructions }),
    onSuccess: ({ project: changed }) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, changed);
      setDraft(undefined);
      toastDone(strings.instructionsSaved);
    },
  });
  const type = (typed: string): void => {
    const basis = draft?.basis ?? saved;
    setDraft(typed === basis ? undefined : { text: typed, basis });
  };
  const isDirty = text !== saved;
  const isTooLong = text.length > PROJECT_LIMITS.instructions;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && !isTooLong && !isPending) mutate(text);
      }}
    >
      <Stack gap="xs">
        <Textarea
          aria-label={strings.instructions}
          description={strings.instructionsHint}
          placeholder={strings.instructionsPlaceholder}
          autosize
          minRows={4}
          maxRows={18}
          value={text}
          error={isTooLong ? strings.tooLong : undefined}
          onChange={(event) => type(event.currentTarget.value)}
        />
        {draft !== undefined && isDirty && saved !== draft.basis && (
          <Text size="sm" component="output">
            {strings.changedByOther}
          </Text>
        )}
        <FormProblem text={error === null ? undefined : readFault(error).text} />
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {strings.characters(text.length)}
          </Text>
          <Button type="submit" variant="default" loading={isPending} disabled={!isDirty || isTooLong}>
            {strings.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
