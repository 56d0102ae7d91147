import { Button, Card, Checkbox, FileButton, List, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ChatImport } from '../../../src/contract/imports/imports.ts';
import { api, client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../session/organization-context.ts';
import { importsQuery } from './queries.ts';
import { sendFile } from './send-file.ts';
import { chatImportStrings as strings } from './strings.ts';

export function ImportsPage(): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(importsQuery(organization.id));
  const imports = query.data?.pages.flatMap((page) => page.imports) ?? [];
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Stack gap="xl" maw="44rem">
        <BeginImport />
        {imports.length > 0 && (
          <section aria-labelledby="earlier-imports">
            <Title order={2} size="h4" mb="sm" id="earlier-imports">
              {strings.earlier}
            </Title>
            <Rows label={strings.earlier}>
              {imports.map((each) => (
                <ImportRow key={each.id} chatImport={each} />
              ))}
            </Rows>
            <MoreRows query={query} />
          </section>
        )}
      </Stack>
    </>
  );
}

function BeginImport(): ReactElement {
  const { organization } = useSignedIn();
  const { current } = useCurrentWorkspace();
  const [projects, setProjects] = useState(true);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const workspace = current?.name ?? '';
  const begin = useMutation({
    mutationFn: async (file: File) => {
      const place = { organization: organization.id, ...(current === undefined ? {} : { workspace: current.id }) };
      const begun = await client.imports.create({ ...place, name: file.name, size: file.size, projects });
      void sendFile(begun.import.id, file);
      await queryClient.invalidateQueries({ queryKey: api.imports.list.key() });
      return begun.import.id;
    },
    onSuccess: (id) => navigate({ to: '/imports/$import', params: { import: id } }),
  });
  return (
    <Card component="section" padding="lg">
      <Stack align="flex-start">
        <List size="sm" spacing="xs">
          {strings.steps.map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        <Text size="sm">{strings.place(workspace)}</Text>
        <Checkbox
          label={strings.projects}
          description={strings.projectsText}
          checked={projects}
          onChange={(event) => setProjects(event.currentTarget.checked)}
        />
        <FormProblem text={begin.error === null ? undefined : readFault(begin.error).text} />
        <FileButton
          accept=".zip,.json,application/zip,application/json"
          onChange={(file) => file !== null && begin.mutate(file)}
          inputProps={{ 'aria-label': strings.choose }}
        >
          {(props) => (
            <Button leftSection={<Icon name="plus" size={16} />} loading={begin.isPending} {...props}>
              {strings.choose}
            </Button>
          )}
        </FileButton>
      </Stack>
    </Card>
  );
}

function ImportRow({ chatImport }: { chatImport: ChatImport }): ReactElement {
  const { id, name, source, state, createdAt, taken } = chatImport;
  return (
    <Row
      className="row-link"
      lead={<Icon name="archive" />}
      title={
        <AnchorLink to="/imports/$import" params={{ import: id }} c="inherit" underline="never">
          {name}
        </AnchorLink>
      }
      text={
        <>
          {strings.states[state]}
          {source !== undefined && ` · ${strings.sources[source]}`}
          {` · ${strings.counted(strings.outcomes.taken, taken)} · `}
          <ShowDate at={createdAt} />
        </>
      }
      aside={<Icon name="chevron" size={16} />}
    />
  );
}
