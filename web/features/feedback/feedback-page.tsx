import { Button, Group, SegmentedControl, Select, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { FeedbackEntry, Rating } from '../../../src/contract/feedback/feedback.ts';
import { withServed } from '../../../src/contract/routes/with-served.ts';
import { ListState } from '../../kit/list-state.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { formatNumber } from '../../language/format.ts';
import { useCurrentWorkspace, usePeople, useSignedIn } from '../../session/organization-context.ts';
import { modelsQuery } from '../models-and-keys/queries.ts';
import { projectsQuery } from '../projects/queries.ts';
import { type FeedbackFilters, feedbackQuery, readForFile } from './queries.ts';
import { feedbackStrings as strings } from './strings.ts';

const route = getRouteApi('/signed/app/organization/settings/feedback');
const DAYS = { week: 7, month: 30, quarter: 90, all: undefined } as const;
type PeriodName = keyof typeof DAYS;
const DAY_MS = 86_400_000;
const ANY = '';

export function FeedbackPage(): ReactElement {
  const { organization } = useSignedIn();
  const { rating: askedRating, model, project, period: askedPeriod } = route.useSearch();
  const navigate = route.useNavigate();
  const [now] = useState(() => Date.now());
  const rating = askedRating === 'up' || askedRating === 'down' ? askedRating : undefined;
  const period: PeriodName =
    askedPeriod !== undefined && Object.hasOwn(DAYS, askedPeriod) ? (askedPeriod as PeriodName) : 'month';
  const filters = toFilters({ rating, model, project, days: DAYS[period] }, now);
  const query = useInfiniteQuery({ ...feedbackQuery(organization.id, filters), placeholderData: (before) => before });
  const entries = query.data?.pages.flatMap((page) => page.feedback) ?? [];
  const total = query.data?.pages[0]?.total;
  const projects = useProjectNames();
  const show = (change: Record<string, string | undefined>): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), replace: true });
  return (
    <>
      <PageHeader title={strings.title} description={strings.description} />
      <Stack gap="lg">
        <Group gap="sm" align="flex-end">
          <SegmentedControl
            aria-label={strings.rating}
            data={Object.entries(strings.ratings).map(([value, label]) => ({ value, label }))}
            value={rating ?? 'all'}
            onChange={(next) => show({ rating: next === 'all' ? undefined : next })}
          />
          <SegmentedControl
            aria-label={strings.period}
            data={Object.entries(strings.periods).map(([value, label]) => ({ value, label }))}
            value={period}
            onChange={(next) => show({ period: next })}
          />
          <ModelFilter value={model} onChange={(next) => show({ model: next })} />
          <Filter
            label={strings.project}
            value={project}
            options={[...projects].map(([value, label]) => ({ value, label }))}
            onChange={(next) => show({ project: next })}
          />
        </Group>
        <Group justify="space-between" gap="sm">
          <Text fw={600}>{total && strings.total(formatNumber(total.up), formatNumber(total.down))}</Text>
          <Downloads organization={organization.id} filters={filters} />
        </Group>
        <section aria-labelledby="ratings">
          <Title order={2} size="h4" id="ratings" mb="xs">
            {strings.list}
          </Title>
          <ListState
            query={query}
            isEmpty={entries.length === 0}
            empty={{ icon: 'thumbUp', title: strings.empty, text: strings.emptyText }}
          >
            <Rows label={strings.list}>
              {entries.map((entry) => (
                <EntryRow key={entry.id} entry={entry} projects={projects} />
              ))}
            </Rows>
            <MoreRows query={query} />
          </ListState>
        </section>
      </Stack>
    </>
  );
}

interface Wanted {
  rating: Rating | undefined;
  model: string | undefined;
  project: string | undefined;
  days: number | undefined;
}

function toFilters({ rating, model, project, days }: Wanted, now: number): FeedbackFilters {
  return {
    ...(rating === undefined ? {} : { rating }),
    ...(model === undefined ? {} : { model }),
    ...(project === undefined ? {} : { project }),
    ...(days === undefined ? {} : { from: new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10) }),
  };
}

/** Those that the reader sees; private ones of others have no name here. */
function useProjectNames(): ReadonlyMap<string, string> {
  const { organization } = useSignedIn();
  const { data } = useInfiniteQuery(projectsQuery(organization.id));
  return new Map(data?.pages.flatMap(({ projects }) => projects.map(({ id, name }) => [id, name] as const)));
}

interface FilterProps {
  label: string;
  value: string | undefined;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
}

/** One that is in the address is offered even if nobody knows it. */
function Filter({ label, value, options, onChange }: FilterProps): ReactElement {
  const unknown = value !== undefined && !options.some((option) => option.value === value);
  return (
    <Select
      label={label}
      searchable
      allowDeselect={false}
      data={[{ value: ANY, label: strings.any }, ...options, ...(unknown ? [{ value, label: value }] : [])]}
      value={value ?? ANY}
      onChange={(next) => onChange(next === null || next === ANY ? undefined : next)}
    />
  );
}

function ModelFilter({ value, onChange }: Pick<FilterProps, 'value' | 'onChange'>): ReactElement {
  const { organization } = useSignedIn();
  const { current } = useCurrentWorkspace();
  const { data } = useQuery({
    ...modelsQuery({ organization: organization.id, workspace: current?.id ?? '' }),
    enabled: current !== undefined,
  });
  const chat = (data?.models ?? []).filter(({ modality }) => modality === 'chat');
  return (
    <Filter
      label={strings.model}
      value={value}
      options={chat.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  );
}

function EntryRow({ entry, projects }: { entry: FeedbackEntry; projects: ReadonlyMap<string, string> }): ReactElement {
  const people = usePeople();
  const { rating, reason, model, served, project, member, question, answer, createdAt } = entry;
  const facts = [
    strings.ratings[rating],
    people.get(member) ?? member,
    model === '' ? strings.unknownModel : withServed(model, served),
    project && (projects.get(project) ?? strings.unknownProject),
  ].filter(Boolean);
  return (
    <Row
      lead={<Icon name={rating === 'up' ? 'thumbUp' : 'thumbDown'} />}
      title={
        <Text component="span" {...(reason === '' ? { c: 'dimmed' } : {})}>
          {reason === '' ? strings.noReason : reason}
        </Text>
      }
      text={
        <>
          {facts.join(' · ')}
          {answer !== undefined && (
            <details>
              <summary>{strings.included}</summary>
              <Included title={strings.question} text={question ?? ''} />
              <Included title={strings.answer} text={answer} />
            </details>
          )}
        </>
      }
      aside={
        <Text size="sm" c="dimmed">
          <ShowDate at={createdAt} />
        </Text>
      }
    />
  );
}

function Included({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <>
      <Text size="xs" fw={600} mt="xs">
        {title}
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </>
  );
}

function Downloads({ organization, filters }: { organization: string; filters: FeedbackFilters }): ReactElement {
  const csv = async (): Promise<void> => {
    const query = new URLSearchParams({ ...filters });
    const address = `/api/organizations/${encodeURIComponent(organization)}/feedback?${query}`;
    const response = await fetch(address, { headers: { accept: 'text/csv' } });
    if (!response.ok) throw new Error(`status ${response.status}`);
    await saveFile(response, 'feedback.csv');
    if (response.headers.has('x-next-cursor')) toastDone(strings.cut);
  };
  const json = async (): Promise<void> => {
    const { feedback, more } = await readForFile(organization, filters);
    await saveFile(Response.json({ feedback }), 'feedback.json');
    if (more) toastDone(strings.cut);
  };
  const button = (label: string, save: () => Promise<void>): ReactElement => (
    <Button
      variant="default"
      leftSection={<Icon name="file" size={16} />}
      onClick={() => void save().catch(toastFault)}
    >
      {label}
    </Button>
  );
  return (
    <Group gap="xs">
      {button(strings.csv, csv)}
      {button(strings.json, json)}
    </Group>
  );
}
