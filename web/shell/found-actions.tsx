// What the command palette finds: at once, the chats that the person opens often; on the server, chats by title, projects by name, messages, runs and apps. Nothing is requested before a
// word is typed; a search that is no longer wanted is cancelled.
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { searchQuery, threadsQuery } from '../features/chat/queries.ts';
import { compareOpenings, useOpenedChats } from '../features/chat/threads/opened-chats.ts';
import { connectorsQuery } from '../features/integrations/queries.ts';
import { projectsQuery } from '../features/projects/queries.ts';
import { runsQuery } from '../features/runs/queries.ts';
import { Icon, type IconName } from '../kit/look/icons.tsx';
import { useSignedIn } from '../session/organization-context.ts';
import { contains } from './match-actions.ts';
import { shell } from './strings.ts';

/** Of each kind. */
const SHOWN = 5;
const SHORTEST = 2;

type Action = SpotlightActionData;

export interface FoundActions {
  readonly groups: readonly SpotlightActionGroupData[];
  readonly isSearching: boolean;
}

/** `text` is what was typed a moment ago. */
export function useFoundActions(text: string): FoundActions {
  const wanted = text.trim().length >= SHORTEST;
  const chats = useChats(text, wanted);
  const projects = useProjects(text, wanted);
  const messages = useMessages(text, wanted);
  const runs = useRuns(text, wanted);
  const apps = useApps(text, wanted);
  const groups = [
    { group: shell.groups.chats, actions: chats.actions },
    { group: shell.groups.projects, actions: projects },
    { group: shell.groups.messages, actions: messages.actions },
    { group: shell.groups.runs, actions: runs },
    { group: shell.groups.apps, actions: apps },
  ];
  return { groups: wanted ? groups : [], isSearching: wanted && (chats.isSearching || messages.isSearching) };
}

const action = (id: string, label: string, icon: IconName, onClick: () => void): Action => ({
  id,
  label,
  leftSection: <Icon name={icon} />,
  onClick,
});

function useChats(text: string, enabled: boolean): { actions: Action[]; isSearching: boolean } {
  const { organization } = useSignedIn();
  const navigate = useNavigate();
  const query = useInfiniteQuery({
    ...threadsQuery(organization.id, text.trim(), 'all'),
    enabled,
    placeholderData: keepPreviousData,
  });
  const threads = query.data?.pages[0]?.threads.slice(0, SHOWN) ?? [];
  return {
    isSearching: query.isFetching,
    actions: threads.map(({ id, title }) => chatAction(id, title, navigate)),
  };
}

/** Of the latest chats, those that were opened in this browser, the most often and most recently opened first. */
export function useOpenedActions(text: string, enabled: boolean): Action[] {
  const { user, organization } = useSignedIn();
  const navigate = useNavigate();
  const opened = useOpenedChats(user.id);
  const { data } = useInfiniteQuery({ ...threadsQuery(organization.id), enabled });
  if (text.trim() === '') return [];
  return (data?.pages.flatMap((page) => page.threads) ?? [])
    .filter(({ id, title }) => opened[id] !== undefined && contains(title, text.trim()))
    .toSorted((one, other) => compareOpenings(opened, one.id, other.id))
    .slice(0, SHOWN)
    .map(({ id, title }) => chatAction(id, title, navigate));
}

function chatAction(id: string, title: string, navigate: ReturnType<typeof useNavigate>): Action {
  return action(
    `chat-${id}`,
    title,
    'chat',
    () => void navigate({ to: '/chat/$thread', params: { thread: id }, search: forChat(undefined) }),
  );
}

function useProjects(text: string, enabled: boolean): Action[] {
  const { organization } = useSignedIn();
  const navigate = useNavigate();
  const { data } = useInfiniteQuery({
    ...projectsQuery(organization.id, text.trim()),
    enabled,
    placeholderData: keepPreviousData,
  });
  return (data?.pages[0]?.projects.slice(0, SHOWN) ?? []).map(({ id, name }) =>
    action(`project-${id}`, name, 'folder', () => void navigate({ to: '/projects/$project', params: { project: id } })),
  );
}

function useMessages(text: string, enabled: boolean): { actions: Action[]; isSearching: boolean } {
  const { organization } = useSignedIn();
  const navigate = useNavigate();
  const query = useInfiniteQuery({
    ...searchQuery(organization.id, text, SHOWN),
    enabled,
    placeholderData: keepPreviousData,
  });
  const found = query.data?.pages[0]?.results ?? [];
  return {
    isSearching: query.isFetching,
    actions: found.map(({ thread, message, snippet }) => ({
      ...action(
        `message-${message.id}`,
        snippet.map((part) => part.text).join(''),
        'search',
        () => void navigate({ to: '/chat/$thread', params: { thread: thread.id }, search: forChat(message.id) }),
      ),
      description: thread.title,
    })),
  };
}

/** Among the latest runs. */
function useRuns(text: string, enabled: boolean): Action[] {
  const { organization } = useSignedIn();
  const navigate = useNavigate();
  const { data } = useInfiniteQuery({ ...runsQuery(organization.id, {}), enabled });
  if (!enabled) return [];
  return (data?.pages.flatMap((page) => page.jobs) ?? [])
    .filter(({ objective }) => contains(objective, text))
    .slice(0, SHOWN)
    .map(({ id, objective, status }) => ({
      ...action(`run-${id}`, objective, 'run', () => void navigate({ to: '/runs/$run', params: { run: id } })),
      description: status,
    }));
}

function useApps(text: string, enabled: boolean): Action[] {
  const { organization } = useSignedIn();
  const navigate = useNavigate();
  const { data } = useQuery({ ...connectorsQuery(organization.id), enabled });
  if (!enabled) return [];
  return (data?.connectors ?? [])
    .filter(({ id, name }) => contains(`${name} ${id}`, text))
    .slice(0, SHOWN)
    .map(({ id, name }) =>
      action(`app-${id}`, name, 'link', () => void navigate({ to: '/integrations', search: { q: name } })),
    );
}

const forChat =
  (message: string | undefined) =>
  <Search extends object>(before: Search): Search & { message: string | undefined; project: undefined } => ({
    ...before,
    message,
    project: undefined,
  });
