// What has started a run, if that was no person at that moment: a schedule, a trigger, or a person with a recipe.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { runtime } from '../../api/runtime-client.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { Fact } from './fact.tsx';
import type { RunView } from './queries.ts';
import { type Starter, starterTexts } from './strings.ts';

type CallOptions = Parameters<typeof runtime.recipes.get>[1];

/** By what their ids begin with. */
const STARTERS = {
  sch: {
    readName: async (id: string, options: CallOptions) => (await runtime.schedules.get({ id }, options)).schedule.name,
    linkTo: (schedule: string) => linkOptions({ to: '/runs/schedules/$schedule', params: { schedule } }),
  },
  trg: {
    readName: async (id: string, options: CallOptions) => (await runtime.triggers.get({ id }, options)).trigger.name,
    linkTo: (trigger: string) => linkOptions({ to: '/runs/triggers/$trigger', params: { trigger } }),
  },
  rcp: {
    readName: async (id: string, options: CallOptions) => (await runtime.recipes.get({ id }, options)).recipe.name,
    linkTo: () => linkOptions({ to: '/recipes' }),
  },
} as const satisfies Record<Starter, unknown>;

const NAME_KEPT_MS = 300_000;

/** Undefined for one that was deleted, or that the person may not see. */
function useStarterName(id: string, kind: Starter): string | undefined {
  const { organization } = useSignedIn();
  const { data } = useQuery(
    queryOptions({
      queryKey: ['runs', 'starter', organization.id, id],
      queryFn: ({ signal }) =>
        STARTERS[kind].readName(id, { context: { organization: organization.id }, signal }).catch(() => null),
      staleTime: NAME_KEPT_MS,
    }),
  );
  return data ?? undefined;
}

function kindOf(id: string | undefined): Starter | undefined {
  const prefix = id?.slice(0, id.indexOf('_'));
  return prefix !== undefined && Object.hasOwn(STARTERS, prefix) ? (prefix as Starter) : undefined;
}

type Started = Pick<RunView, 'startedBy'>;

/** In the row of a run. */
export function StarterText({ run: { startedBy } }: { run: Started }): ReactElement | null {
  const kind = kindOf(startedBy);
  return startedBy === undefined || kind === undefined ? null : <NamedStarter id={startedBy} kind={kind} />;
}

function NamedStarter({ id, kind }: { id: string; kind: Starter }): ReactElement {
  const name = useStarterName(id, kind);
  return <bdi>{name === undefined ? starterTexts[kind].unnamed : starterTexts[kind].named(name)}</bdi>;
}

/** On the page of a run. */
export function StarterFact({ run: { startedBy } }: { run: Started }): ReactElement | null {
  const kind = kindOf(startedBy);
  return startedBy === undefined || kind === undefined ? null : <LinkedStarter id={startedBy} kind={kind} />;
}

function LinkedStarter({ id, kind }: { id: string; kind: Starter }): ReactElement {
  const name = useStarterName(id, kind);
  return (
    <Fact name={starterTexts[kind].title}>
      <AnchorLink {...STARTERS[kind].linkTo(id)} inherit>
        <bdi>{name ?? starterTexts[kind].unnamed}</bdi>
      </AnchorLink>
    </Fact>
  );
}
