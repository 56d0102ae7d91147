// Completes values from the service. A completion has to be fast: one request with a short timeout, without loading the
// schemas, and any failure completes nothing.
import type { Account } from '../account.ts';
import { sendForJson } from '../api/send.ts';
import { PAGES } from '../commands/open.ts';
import { selectorOf } from '../connections-api.ts';
import { nameOf, type StoredAccount } from '../credentials.ts';
import { POLICY_FIELDS, POLICY_NAMES } from '../policy-fields.ts';
import type { Slot } from './find-slot.ts';

/** A value and, for shells that show one, its description. */
export type Value = readonly [string, string?];

const TIMEOUT_MS = 1_500;

interface Asking {
  readonly slot: Slot;
  readonly accounts: readonly StoredAccount[];
  readonly organization: string;
  /** With the connect token, in the workspace that was typed. */
  asToken<T>(path: string): Promise<T>;
  asPerson<T>(path: string): Promise<T>;
}

type Source = (asking: Asking) => Promise<Value[]> | Value[];

const jobs: Source = async ({ asToken }) =>
  (await asToken<{ jobs: { id: string; objective: string }[] }>('/runtime/jobs?limit=50')).jobs.map(
    ({ id, objective }) => [id, objective],
  );
const triggers: Source = async ({ asToken }) =>
  (await asToken<{ triggers: { id: string; name: string }[] }>('/runtime/triggers?limit=50')).triggers.map(
    ({ id, name }) => [id, name],
  );
const deliveries: Source = async ({ asToken, slot }) =>
  (
    await asToken<{ deliveries: { id: string; at: string; outcome: string }[] }>(
      `/runtime/triggers/${encodeURIComponent(slot.before[0] ?? '')}/deliveries?limit=50`,
    )
  ).deliveries.map(({ id, at, outcome }) => [id, `${outcome}, ${at}`]);

const schedules: Source = async ({ asToken }) =>
  (await asToken<{ schedules: { id: string; name: string }[] }>('/runtime/schedules?limit=50')).schedules.map(
    ({ id, name }) => [id, name],
  );
const streams: Source = async ({ asToken }) =>
  (await asToken<{ streams: { stream: string }[] }>('/runtime/service/stream?limit=200')).streams.map(({ stream }) => [
    stream,
  ]);
const workspaces: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ workspaces: { slug: string; name: string }[] }>(`/api/organizations/${organization}/workspaces`)
  ).workspaces.map(({ slug, name }) => [slug, name]);
const organizations: Source = async ({ asPerson }) =>
  (await asPerson<{ organizations: { slug: string; name: string }[] }>('/api/me')).organizations.map(
    ({ slug, name }) => [slug, name],
  );
const connections: Source = async ({ asToken }) =>
  (
    await asToken<{ connections: { provider: string; name: string; status: string }[] }>('/connect/connections')
  ).connections.map((one) => [selectorOf(one), one.status]);
const connectors = (asking: Asking) =>
  asking.asToken<{ connectors: { id: string; name: string; tools: { name: string; description: string }[] }[] }>(
    '/connect/connectors',
  );
const apps: Source = async (asking) => (await connectors(asking)).connectors.map(({ id, name }) => [id, name]);
const tools: Source = async (asking) =>
  (await connectors(asking)).connectors
    .find(({ id }) => id === asking.slot.before[0]?.split(':')[0])
    ?.tools.map(({ name, description }): Value => [name, description]) ?? [];
const keyProviders: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ providers: { provider: string; name: string }[] }>(
      `/api/provider-keys?workspace=global&organization=${organization}`,
    )
  ).providers.map(({ provider, name }) => [provider, name]);
const models: Source = async ({ asToken }) =>
  (await asToken<{ data: { id: string }[] }>('/v1/models')).data.map(({ id }) => [id]);
const capabilities: Source = async ({ asToken }) =>
  Object.keys((await asToken<{ capabilities: Record<string, unknown> }>('/connect/capabilities')).capabilities).map(
    (key) => [key],
  );
const tokens: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ tokens: { id: string; name: string; revokedAt?: string }[] }>(
      `/api/tokens?organization=${organization}`,
    )
  ).tokens
    .filter(({ revokedAt }) => revokedAt === undefined)
    .map(({ id, name }) => [id, name]);
const members: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ members: { email: string; name: string }[] }>(
      `/api/organizations/${organization}/members?limit=200`,
    )
  ).members.map(({ email, name }) => [email, name]);
const invitations: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ invitations: { email: string; role: string }[] }>(`/api/organizations/${organization}/invitations`)
  ).invitations.map(({ email, role }) => [email, role]);
const signIns: Source = ({ accounts }) =>
  accounts.map((one) => [nameOf(one), one.organization?.name ?? one.email ?? one.url]);
const policyFields: Source = () => POLICY_NAMES.map((name) => [name]);
/** What a field of the policy takes. */
const policyValues: Source = (asking) => {
  const name = POLICY_NAMES.find((one) => one === asking.slot.before[0]);
  if (name === 'disabled-models') return models(asking);
  if (name === 'disabled-providers') return keyProviders(asking);
  return name !== undefined && POLICY_FIELDS[name].kind === 'switch' ? [['on'], ['off']] : [];
};
/** By the kind that stands before it. */
const capSubjects: Source = (asking) => {
  const source = { member: members, workspace: workspaces, token: tokens }[asking.slot.before[0] ?? ''];
  return source ? source(asking) : [];
};
const projects: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ projects: { id: string; name: string }[] }>(`/api/projects?organization=${organization}&limit=50`)
  ).projects.map(({ id, name }) => [id, name]);

const prompts: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ prompts: { name: string; text: string }[] }>(`/api/prompts?limit=100&organization=${organization}`)
  ).prompts.map(({ name, text }) => [name, text.slice(0, 80).replaceAll(/\s+/g, ' ')]);
const recipes: Source = async ({ asToken }) =>
  (
    await asToken<{ recipes: { name: string; run: { objective: string } }[] }>('/runtime/recipes?limit=100')
  ).recipes.map(({ name, run }) => [name, run.objective.slice(0, 80).replaceAll(/\s+/g, ' ')]);
const environments: Source = async ({ asToken }) =>
  (await asToken<{ environments: { name: string }[] }>('/runtime/environments?limit=100')).environments.map(
    ({ name }) => [name],
  );
const chats: Source = async ({ asPerson, organization }) =>
  (
    await asPerson<{ threads: { id: string; title: string }[] }>(`/api/threads?organization=${organization}&limit=50`)
  ).threads.map(({ id, title }) => [id, title]);
const pages: Source = async (asking) => [...Object.keys(PAGES).map((page): Value => [page]), ...(await jobs(asking))];

/** By the name of the flag or argument, preceded by the command where it means something else. */
export const SOURCES: Readonly<Record<string, Source>> = {
  '--workspace': workspaces,
  '--funding-workspace': workspaces,
  workspace: workspaces,
  '--organization': organizations,
  chat: chats,
  project: projects,
  '--project': projects,
  prompt: prompts,
  recipe: recipes,
  environment: environments,
  '--environment': environments,
  organization: organizations,
  '--model': models,
  '--capability': capabilities,
  '--enable': tools,
  '--disable': tools,
  job: jobs,
  trigger: triggers,
  delivery: deliveries,
  schedule: schedules,
  connection: connections,
  tool: tools,
  stream: streams,
  'stream-or-file': streams,
  token: tokens,
  member: members,
  '--member': members,
  '--token': tokens,
  invitation: invitations,
  'sign-in': signIns,
  '--as': signIns,
  'policy set field': policyFields,
  'policy set values': policyValues,
  'caps set subject': capSubjects,
  'caps remove subject': capSubjects,
  thing: pages,
  provider: apps,
  'keys save provider': keyProviders,
  'keys remove provider': keyProviders,
  // An operator names any organization, not just their own.
  'admin plan organization': () => [],
  'login --token': () => [],
};

export async function listValues(account: Account, slot: Slot, accounts: readonly StoredAccount[]): Promise<Value[]> {
  if (slot.choices) return slot.choices.map((choice) => [choice]);
  const source = SOURCES[`${slot.path} ${slot.name}`] ?? SOURCES[slot.name];
  if (!source) return [];
  const place = slot.workspace ?? account.stored?.workspace?.id;
  const ask = <T>(path: string, bearer: string | undefined): Promise<T> => {
    const inPlace =
      place !== undefined && path.startsWith('/connect/')
        ? `${path}?${new URLSearchParams({ workspace: place }).toString()}`
        : path;
    return sendForJson<T>(account.url, inPlace, { bearer, timeoutMs: TIMEOUT_MS });
  };
  return source({
    slot,
    accounts,
    organization: encodeURIComponent(account.stored?.organization?.id ?? ''),
    asToken: (path) => ask(path, account.token),
    asPerson: (path) => ask(path, account.session),
  });
}
