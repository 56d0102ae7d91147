// /docs/api: the API reference of this service, public. Nothing is loaded from other hosts.
import {
  Accordion,
  Anchor,
  Badge,
  Code,
  Container,
  Group,
  NavLink,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { call } from '../../api/identity.ts';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { type ApiDocument, type Entry, listSections, type Section } from './read-document.ts';
import { OperationDetails } from './operation-details.tsx';
import { Brand } from '../../kit/auth-layout.tsx';
import { referenceStrings as strings } from './strings.ts';
import './reference.css';

const DOCUMENT = '/openapi.json';

export function ApiReferencePage(): ReactElement {
  const query = useQuery({
    queryKey: [DOCUMENT],
    queryFn: async () => (await call('GET', DOCUMENT)) as ApiDocument,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Container component="main" id="content" size="lg" py="xl">
      <Group mb="xl">
        <Brand />
      </Group>
      <PageHeader
        title={strings.title}
        description={strings.description}
        actions={<Anchor href={DOCUMENT}>{strings.openApi}</Anchor>}
      />
      {query.data !== undefined && <Reference document={query.data} />}
      {query.data === undefined &&
        (query.error === null ? (
          <Loading />
        ) : (
          <LoadFailure title={strings.failed} error={query.error} retry={() => query.refetch()} />
        ))}
    </Container>
  );
}

function Reference({ document }: { document: ApiDocument }): ReactElement {
  const [words, setWords] = useState('');
  const [wanted] = useDebouncedValue(words, 150);
  const [open, setOpen] = useState<string[]>([]);
  const sections = listSections(document, wanted);
  // The route in the address is opened and scrolled into view.
  useEffect(() => {
    const show = (): void => {
      const named = window.location.hash.slice(1);
      if (named === '') return;
      setWords('');
      setOpen((before) => (before.includes(named) ? before : [...before, named]));
      window.document.getElementById(named)?.scrollIntoView();
    };
    show();
    window.addEventListener('hashchange', show);
    return () => window.removeEventListener('hashchange', show);
  }, []);
  return (
    <div className="reference">
      <nav className="reference-subjects" aria-label={strings.subjects}>
        {sections.map(({ tag, entries }) => (
          <NavLink
            key={tag}
            href={`#${anchorOf(tag)}`}
            label={tag}
            rightSection={
              <Text component="span" size="xs" c="dimmed">
                {entries.length}
              </Text>
            }
          />
        ))}
      </nav>
      <Stack gap="xl" miw={0}>
        <div>
          <TextInput
            type="search"
            label={strings.search}
            placeholder={strings.placeholder}
            value={words}
            onChange={(event) => setWords(event.currentTarget.value)}
          />
          <Text component="output" display="block" size="sm" c="dimmed" mt={6}>
            {sections.length === 0
              ? strings.nothing
              : strings.count(sections.reduce((sum, { entries }) => sum + entries.length, 0))}
          </Text>
        </div>
        {sections.map((section) => (
          <Routes key={section.tag} document={document} section={section} open={open} setOpen={setOpen} />
        ))}
      </Stack>
    </div>
  );
}

interface RoutesProps {
  document: ApiDocument;
  section: Section;
  open: string[];
  setOpen: (open: string[]) => void;
}

function Routes({ document, section: { tag, description, entries }, open, setOpen }: RoutesProps): ReactElement {
  return (
    <section aria-labelledby={anchorOf(tag)}>
      <Title order={2} id={anchorOf(tag)}>
        {tag}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {description}
      </Text>
      <Accordion multiple order={3} variant="separated" value={open} onChange={setOpen} transitionDuration={0}>
        {entries.map((entry) => (
          <Accordion.Item key={entry.operationId} value={entry.operationId} id={entry.operationId}>
            <Accordion.Control>
              <Route entry={entry} />
            </Accordion.Control>
            {/* Rendering every field of a hundred routes would be slow, so closed ones are empty. */}
            <Accordion.Panel>
              {open.includes(entry.operationId) && (
                <>
                  <Anchor href={`#${entry.operationId}`} size="sm">
                    {strings.link(`${entry.method} ${entry.path}`)}
                  </Anchor>
                  <OperationDetails document={document} entry={entry} />
                </>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </section>
  );
}

function Route({ entry: { method, path, summary } }: { entry: Entry }): ReactElement {
  return (
    <Group gap="xs" wrap="wrap">
      <Badge w={76} color={method === 'GET' ? 'gray' : method === 'DELETE' ? 'red' : 'pine'}>
        {method}
      </Badge>
      <Code style={{ overflowWrap: 'anywhere' }}>{path}</Code>
      <Text size="sm" c="dimmed">
        {summary}
      </Text>
    </Group>
  );
}

function anchorOf(tag: string): string {
  return `subject-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}
