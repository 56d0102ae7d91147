// Who gets a 2xx of which route, and why: one row for every route of the printed contract. What a route is asked is
// about the organization of the world and, where it can be, about its workspace Lab.
import { PASSED } from '../../../src/http/v1/surfaces.ts';
import { SCOPES } from '../../../src/contract/tokens.ts';
import { ACCOUNT, type CallerName, MODEL, PEOPLE, type PersonName, promptName, type World } from './route-world.ts';

export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: FormData | URLSearchParams;
  readonly headers?: Record<string, string>;
  /** In the caller's place: another session of the same person, which the call may end. */
  readonly caller?: string;
}

export interface RouteRow {
  readonly allowed: readonly CallerName[];
  readonly why: string;
  /** One that anybody may call is called by the weakest caller only. */
  readonly open?: true;
  send?(world: World, caller: CallerName): Sent | Promise<Sent>;
}

const SIGNED = Object.keys(PEOPLE) as PersonName[];
const IN_ORGANIZATION = ['outsider', 'member', 'lead', 'admin', 'owner'] as const;
const MANAGES_ORGANIZATION = ['admin', 'owner'] as const;
const IN_LAB = ['member', 'lead', 'owner'] as const;
const SEES_LAB = ['member', 'lead', 'admin', 'owner'] as const;
const MANAGES_LAB = ['lead', 'admin', 'owner'] as const;
const LAB_TOKENS = ['member token', 'lead token'] as const;
/** Of those who manage Lab and did not make what is in it. */
const LAB_MANAGERS = ['lead token', 'admin token'] as const;
const READS_LAB = ['owner connect:read', 'owner connect:write', ...LAB_TOKENS] as const;
const ANY_CONNECT = [
  'owner connect:read',
  'owner connect:write',
  'stranger token',
  'removed token',
  'outsider token',
  'member token',
  'lead token',
  'admin token',
  'owner token for Default',
] as const;
const ANY_RUNS = [
  'owner jobs:read',
  'stranger token',
  'removed token',
  'outsider token',
  'member token',
  'lead token',
  'admin token',
  'owner token for Default',
] as const;

const ANY_TOKEN = [
  ...SCOPES.map((scope): CallerName => `owner ${scope}`),
  'stranger token',
  'removed token',
  'outsider token',
  'member token',
  'lead token',
  'admin token',
  'owner token for Default',
] as const;

const isPerson = (name: CallerName): name is PersonName => name in PEOPLE;
const everybody = (why: string, send?: RouteRow['send']): RouteRow => ({
  allowed: ['nobody'],
  open: true,
  why,
  ...(send ? { send } : {}),
});
const nobody = (why: string, send?: RouteRow['send']): RouteRow => ({ allowed: [], why, ...(send ? { send } : {}) });
const row = (allowed: readonly CallerName[], why: string, send?: RouteRow['send']): RouteRow => ({
  allowed,
  why,
  ...(send ? { send } : {}),
});
const operator = (send?: RouteRow['send']): RouteRow =>
  row(['operator'], 'the debug token opens diagnostics, and nothing else does', send);

const onFreshAccount = async ({ fresh }: World): Promise<Sent> => ({ params: { id: (await fresh.account()).id } });
const onFreshOrganization = async ({ fresh }: World): Promise<Sent> => ({ params: { id: await fresh.organization() } });
const onDeletedOrganization = async ({ fresh, call, callers }: World): Promise<Sent> => {
  const id = await fresh.organization();
  await call('DELETE', `/service-debug/organizations/${id}`, callers.operator);
  return { params: { id } };
};

const withFactors = async ({ fresh }: World, name: CallerName): Promise<Sent> => {
  if (isPerson(name)) await fresh.factors(name);
  return {};
};
const CREDENTIAL = { id: 'bmV2ZXI', rawId: 'bmV2ZXI', type: 'public-key', clientExtensionResults: {} };
const MADE_PASSKEY = { ...CREDENTIAL, response: { clientDataJSON: 'e30', attestationObject: 'oA' } };
const USED_PASSKEY = { ...CREDENTIAL, response: { clientDataJSON: 'e30', authenticatorData: '', signature: '' } };

const org = ({ org: id }: World): Sent => ({ params: { org: id } });
/** What is named in the path is made for the identity provider only: it has a seat. */
const provisioned =
  (make: (world: World) => Promise<string>, body?: object): NonNullable<RouteRow['send']> =>
  async (world, caller) => ({
    params: { id: caller === 'scim token' ? await make(world) : 'x' },
    ...(body ? { body } : {}),
  });
const scimGroup = async ({ call, callers }: World): Promise<string> => {
  const body = { displayName: promptName() };
  const { text } = await call('POST', '/api/scim/v2/Groups', callers['scim token'], { body });
  return (JSON.parse(text) as { id: string }).id;
};
const scim = (send?: RouteRow['send']): RouteRow =>
  row(['scim token'], 'the identity provider of the organization, and nothing else', send);
const SCIM_PATCH = { Operations: [{ op: 'replace', path: 'displayName', value: 'Renamed' }] };

const ws = ({ lab }: World): Sent => ({ params: { ws: lab } });
const inLab = ({ lab }: World): Sent => ({ query: { workspace: lab } });
const job = ({ job: id }: World): Sent => ({ params: { id } });
const schedule =
  (body?: object): NonNullable<RouteRow['send']> =>
  async ({ fresh }) => ({ params: { id: await fresh.schedule() }, ...(body ? { body } : {}) });
const recipe = async ({ fresh }: World): Promise<Sent> => ({ params: { id: await fresh.recipe() } });
const environment = async ({ lab, fresh }: World): Promise<Sent> => ({
  params: { name: await fresh.environment() },
  query: { workspace: lab },
});
const stream = ({ job: id }: World): Sent => ({ query: { stream: `jobs/${id}` } });
const guardrail = ({ org: id, guardrail: group }: World): Sent => ({ params: { org: id, guardrail: group } });
const onTrigger = async ({ fresh }: World): Promise<Sent> => ({ params: await fresh.trigger() });
const project = async ({ fresh }: World): Promise<Sent> => ({ params: await fresh.project() });
const subscription = async ({ fresh }: World): Promise<Sent> => ({ params: { id: (await fresh.subscription()).id } });
const imported = async ({ fresh }: World): Promise<Sent> => ({ params: { import: await fresh.import() } });
const RULES = [{ kind: 'length', config: { max: 10 } }];
const SPEAKS = [{ role: 'user', content: 'hello' }];
const v1 =
  (body: object): NonNullable<RouteRow['send']> =>
  ({ lab }) => ({ body, headers: { 'x-service-workspace': lab } });
const CHATS = ['owner chat', ...LAB_TOKENS] as const;
const own = (world: World, name: CallerName): Promise<Sent> | Sent =>
  isPerson(name) ? world.fresh.session(name).then((caller) => ({ caller })) : {};

export const ROUTE_TABLE: Readonly<Record<string, RouteRow>> = {
  'GET /api/me': row(SIGNED, 'about oneself'),
  'DELETE /api/me': row(SIGNED, 'one may leave', async ({ fresh }, name) =>
    isPerson(name) ? { caller: await fresh.accountSession() } : {},
  ),
  'GET /api/me/mails': row(SIGNED, 'about oneself'),
  'PUT /api/me/mails': row(SIGNED, 'about oneself', () => ({ body: { runs: false } })),
  'GET /api/me/export': row(SIGNED, 'about oneself'),
  'DELETE /api/organizations/{org}': row(['owner'], 'owners only', async ({ org: id, fresh }, name) => {
    if (name !== 'owner') return { params: { org: id }, body: { name: 'Acme' } };
    const { id: own, name: called, session } = await fresh.ownOrganization();
    return { params: { org: own }, body: { name: called }, caller: session };
  }),
  'POST /api/organizations/{org}/restore': row(
    ['owner'],
    'only what one owns',
    async ({ org: id, fresh, call }, name) => {
      if (name !== 'owner') return { params: { org: id } };
      const { id: own, name: called, session } = await fresh.ownOrganization();
      await call('DELETE', `/api/organizations/${own}`, session, { body: { name: called } });
      return { params: { org: own }, caller: session };
    },
  ),
  'PATCH /api/me': row(SIGNED, 'about oneself', () => ({ body: { name: 'Somebody' } })),
  'POST /api/me/address': nobody('no link was sent', () => ({ body: { secret: 'never-sent' } })),
  'POST /api/me/proof': nobody('none of them knows a password', () => ({
    body: { password: 'correct horse battery' },
  })),
  'POST /api/me/proof/options': row(SIGNED, 'about oneself'),
  'POST /api/me/second-factor': nobody('none of them has a code', () => ({ body: { code: '000000' } })),
  'GET /api/me/sign-in': row(SIGNED, 'about oneself'),
  'PUT /api/me/password': row(SIGNED, 'about oneself', async ({ fresh }, name) => {
    if (isPerson(name)) await fresh.noPassword(name);
    return { body: { password: 'battery horse correct' } };
  }),
  'DELETE /api/me/password': row(SIGNED, 'about oneself', withFactors),
  'POST /api/me/passkeys/options': row(SIGNED, 'about oneself'),
  'POST /api/me/passkeys': nobody('no authenticator made it', () => ({ body: { name: 'Key', passkey: MADE_PASSKEY } })),
  'PATCH /api/me/passkeys/{passkey}': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { passkey: await fresh.factors('owner') },
    body: { name: 'Key' },
  })),
  'DELETE /api/me/passkeys/{passkey}': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { passkey: await fresh.factors('owner') },
  })),
  'POST /api/me/one-time-codes': row(SIGNED, 'about oneself', async ({ fresh }, name) => {
    if (isPerson(name)) await fresh.noCodes(name);
    return {};
  }),
  'POST /api/me/one-time-codes/confirm': nobody('none of them has a code', () => ({ body: { code: '000000' } })),
  'DELETE /api/me/one-time-codes': row(SIGNED, 'about oneself', withFactors),
  'POST /api/me/recovery-codes': row(SIGNED, 'about oneself', withFactors),
  'GET /api/me/sessions': row(SIGNED, 'their own'),
  'DELETE /api/me/sessions/{session}': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { session: await fresh.sessionId('owner') },
  })),
  'POST /api/organizations': row(SIGNED, 'anyone may create one, unless the operator closed it', () => ({
    body: { name: 'New' },
  })),
  'PATCH /api/organizations/{org}': row(MANAGES_ORGANIZATION, 'settings', ({ org: id }) => ({
    params: { org: id },
    body: { name: 'Renamed' },
  })),
  'GET /api/enforcement': row(SIGNED, 'the same for everyone'),
  'GET /api/organizations/{org}/members': row(IN_ORGANIZATION, 'members see each other', org),
  'POST /api/organizations/{org}/members': row(MANAGES_ORGANIZATION, 'settings', async ({ org: id, fresh }) => ({
    params: { org: id },
    body: { email: (await fresh.account()).email, role: 'member' },
  })),
  'PATCH /api/organizations/{org}/members/{user}': row(
    MANAGES_ORGANIZATION,
    'settings',
    async ({ org: id, fresh }) => ({ params: { org: id, user: await fresh.member() }, body: { role: 'admin' } }),
  ),
  'DELETE /api/organizations/{org}/members/{user}': row(
    MANAGES_ORGANIZATION,
    'settings',
    async ({ org: id, fresh }) => ({ params: { org: id, user: await fresh.member() } }),
  ),
  'GET /api/organizations/{org}/scim-tokens': row(['owner'], 'who holds one decides who is in', org),
  'POST /api/organizations/{org}/scim-tokens': row(['owner'], 'who holds one decides who is in', async (world) => {
    await world.fresh.noScimTokens();
    return org(world);
  }),
  'DELETE /api/organizations/{org}/scim-tokens/{token}': row(
    ['owner'],
    'who holds one decides who is in',
    async ({ org: id, fresh }) => ({ params: { org: id, token: await fresh.scimToken() } }),
  ),
  'GET /api/scim/v2/Users': scim(),
  'POST /api/scim/v2/Users': scim(async ({ fresh }) => ({
    body: { userName: (await fresh.account()).email, active: false },
  })),
  'GET /api/scim/v2/Users/{id}': scim(provisioned(({ fresh }) => fresh.member())),
  'PUT /api/scim/v2/Users/{id}': scim(async (world, caller) => {
    const { email } = await world.fresh.account();
    return provisioned(({ fresh }) => fresh.member(), { userName: email })(world, caller);
  }),
  'PATCH /api/scim/v2/Users/{id}': scim(provisioned(({ fresh }) => fresh.member(), SCIM_PATCH)),
  'DELETE /api/scim/v2/Users/{id}': scim(provisioned(({ fresh }) => fresh.member())),
  'GET /api/scim/v2/Groups': scim(),
  'POST /api/scim/v2/Groups': scim(() => ({ body: { displayName: promptName() } })),
  'GET /api/scim/v2/Groups/{id}': scim(provisioned(scimGroup)),
  'PUT /api/scim/v2/Groups/{id}': scim((world, caller) =>
    provisioned(scimGroup, { displayName: promptName() })(world, caller),
  ),
  'PATCH /api/scim/v2/Groups/{id}': scim((world, caller) =>
    provisioned(scimGroup, {
      Operations: [{ op: 'replace', path: 'displayName', value: promptName() }],
    })(world, caller),
  ),
  'DELETE /api/scim/v2/Groups/{id}': scim(provisioned(scimGroup)),
  'GET /api/scim/v2/ServiceProviderConfig': scim(),
  'GET /api/scim/v2/ResourceTypes': scim(),
  'GET /api/scim/v2/ResourceTypes/{id}': scim(() => ({ params: { id: 'User' } })),
  'GET /api/scim/v2/Schemas': scim(),
  'GET /api/scim/v2/Schemas/{id}': scim(() => ({ params: { id: 'urn:ietf:params:scim:schemas:core:2.0:Group' } })),
  'GET /api/organizations/{org}/invitations': row(MANAGES_ORGANIZATION, 'settings', org),
  'POST /api/organizations/{org}/invitations': row(MANAGES_ORGANIZATION, 'settings', async ({ org: id, fresh }) => ({
    params: { org: id },
    body: { email: (await fresh.account()).email, role: 'member' },
  })),
  'POST /api/organizations/{org}/invitations/{invitation}/send': row(
    MANAGES_ORGANIZATION,
    'settings',
    async ({ org: id, fresh }) => ({ params: { org: id, invitation: await fresh.invitation() } }),
  ),
  'DELETE /api/organizations/{org}/invitations/{invitation}': row(
    MANAGES_ORGANIZATION,
    'settings',
    async ({ org: id, fresh }) => ({ params: { org: id, invitation: await fresh.invitation() } }),
  ),
  'GET /api/invitations/{invitation}': row(['invitee'], 'only for the address that it names', ({ invitation }) => ({
    params: { invitation },
  })),
  'POST /api/invitations/{invitation}/accept': row(
    ['invitee'],
    'only for the address that it names',
    ({ invitation }) => ({ params: { invitation } }),
  ),
  'GET /api/organizations/{org}/workspaces': row(IN_ORGANIZATION, 'each sees their own', org),
  'POST /api/organizations/{org}/workspaces': row(IN_ORGANIZATION, 'any member opens a workspace', ({ org: id }) => ({
    params: { org: id },
    body: { name: 'Another' },
  })),
  'GET /api/workspaces/{ws}': row(SEES_LAB, 'its members, and who manages the organization', ws),
  'PATCH /api/workspaces/{ws}': row(MANAGES_LAB, 'mutation authority', async ({ fresh }) => ({
    params: { ws: await fresh.lab() },
    body: { name: 'Renamed' },
  })),
  'DELETE /api/workspaces/{ws}': row(MANAGES_LAB, 'mutation authority', async ({ fresh }) => ({
    params: { ws: await fresh.lab() },
  })),
  'GET /api/workspaces/{ws}/members': row(SEES_LAB, 'its members, and who manages the organization', ws),
  'POST /api/workspaces/{ws}/members': row(MANAGES_LAB, 'mutation authority', async ({ lab, fresh }) => ({
    params: { ws: lab },
    body: { user: await fresh.member(), role: 'member' },
  })),
  'PATCH /api/workspaces/{ws}/members/{user}': row(MANAGES_LAB, 'mutation authority', async ({ lab, fresh }) => ({
    params: { ws: lab, user: await fresh.labMember() },
    body: { role: 'admin' },
  })),
  'DELETE /api/workspaces/{ws}/members/{user}': row(MANAGES_LAB, 'mutation authority', async ({ lab, fresh }) => ({
    params: { ws: lab, user: await fresh.labMember() },
  })),
  'GET /api/tokens': row(SIGNED, 'their own'),
  'POST /api/tokens': row(IN_LAB, 'a token for a workspace that one is in', ({ org: id, lab }) => ({
    body: { organization: id, workspace: lab, scopes: ['chat'] },
  })),
  'POST /api/tokens/{token}/rotate': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { token: await fresh.token() },
    body: {},
  })),
  'DELETE /api/tokens/{token}': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { token: await fresh.token() },
  })),
  'GET /api/provider-keys': row(SEES_LAB, 'which providers have a key, never the key', inLab),
  'PUT /api/provider-keys/{provider}': row(
    MANAGES_LAB,
    'mutation authority',
    async ({ org: id, lab, noKeys }) => (
      await noKeys(),
      { params: { provider: 'google' }, body: { organization: id, workspace: lab, key: 'a-key' } }
    ),
  ),
  'DELETE /api/provider-keys/{provider}': row(MANAGES_LAB, 'mutation authority', ({ org: id, lab }) => ({
    params: { provider: 'google' },
    query: { organization: id, workspace: lab },
  })),
  'GET /api/workspaces/{ws}/models-account': row(SEES_LAB, 'whether there is one, never its key', ws),
  'PUT /api/workspaces/{ws}/models-account': row(MANAGES_LAB, 'mutation authority', async ({ fresh }) => ({
    params: { ws: await fresh.lab() },
    body: ACCOUNT,
  })),
  'DELETE /api/workspaces/{ws}/models-account': row(MANAGES_LAB, 'mutation authority', ws),
  'GET /api/workspaces/{ws}/models-accounts': row(SEES_LAB, 'which there are, never their keys', ws),
  'POST /api/workspaces/{ws}/models-accounts': row(MANAGES_LAB, 'mutation authority', async ({ fresh }) => ({
    params: { ws: await fresh.lab() },
    body: ACCOUNT,
  })),
  'PUT /api/workspaces/{ws}/models-accounts': row(MANAGES_LAB, 'mutation authority', async ({ fresh }) => ({
    params: { ws: await fresh.lab() },
    body: { order: [] },
  })),
  'PUT /api/workspaces/{ws}/models-accounts/{account}': row(MANAGES_LAB, 'mutation authority', async ({ fresh }) => ({
    params: await fresh.labAccount(),
    body: ACCOUNT,
  })),
  'DELETE /api/workspaces/{ws}/models-accounts/{account}': row(
    MANAGES_LAB,
    'mutation authority',
    async ({ fresh }) => ({ params: await fresh.labAccount() }),
  ),
  'GET /api/models': row(IN_LAB, 'as a turn there would be judged', inLab),
  'GET /api/organizations/{org}/models-account': row(IN_ORGANIZATION, 'whether there is one, never its key', org),
  'PUT /api/organizations/{org}/models-account': row(MANAGES_ORGANIZATION, 'settings', ({ org: id }) => ({
    params: { org: id },
    body: ACCOUNT,
  })),
  'DELETE /api/organizations/{org}/models-account': row(MANAGES_ORGANIZATION, 'settings', org),
  'GET /api/organizations/{org}/routes': row(MANAGES_ORGANIZATION, 'settings', org),
  'PUT /api/organizations/{org}/routes/{slug}': row(MANAGES_ORGANIZATION, 'settings', ({ org: id }) => ({
    params: { org: id, slug: 'other' },
    body: { models: [MODEL] },
  })),
  'DELETE /api/organizations/{org}/routes/{slug}': row(
    MANAGES_ORGANIZATION,
    'settings',
    async ({ org: id, fresh }) => ({ params: { org: id, slug: await fresh.route() } }),
  ),
  'GET /api/organizations/{org}/models-accounts': row(IN_ORGANIZATION, 'which there are, never their keys', org),
  'POST /api/organizations/{org}/models-accounts': row(MANAGES_ORGANIZATION, 'settings', async ({ org: id, fresh }) => {
    await fresh.organizationAccount();
    return { params: { org: id }, body: ACCOUNT };
  }),
  'PUT /api/organizations/{org}/models-accounts': row(MANAGES_ORGANIZATION, 'settings', async ({ org: id, fresh }) => ({
    params: { org: id },
    body: { order: [await fresh.organizationAccount()] },
  })),
  'PUT /api/organizations/{org}/models-accounts/{account}': row(
    MANAGES_ORGANIZATION,
    'settings',
    async ({ org: id, fresh }) => ({ params: { org: id, account: await fresh.organizationAccount() }, body: ACCOUNT }),
  ),
  'DELETE /api/organizations/{org}/models-accounts/{account}': row(
    MANAGES_ORGANIZATION,
    'settings',
    async ({ org: id, fresh }) => ({ params: { org: id, account: await fresh.organizationAccount() } }),
  ),
  'GET /api/organizations/{org}/policy': row(IN_ORGANIZATION, 'what applies to a member is theirs to know', org),
  'PATCH /api/organizations/{org}/policy': row(MANAGES_ORGANIZATION, 'settings', ({ org: id }) => ({
    params: { org: id },
    body: { requireProviderKey: false },
  })),
  'GET /api/organizations/{org}/usage': row(IN_ORGANIZATION, 'how much is left is for everyone who uses it', org),
  'GET /api/organizations/{org}/spend': row(
    IN_ORGANIZATION,
    'everyone’s for owners and admins, their own for members',
    ({ org: id }) => ({ params: { org: id }, query: { by: 'member' } }),
  ),
  'GET /api/organizations/{org}/requests': row(
    IN_ORGANIZATION,
    'everyone’s for owners and admins, their own for members',
    org,
  ),
  'GET /api/me/spend': row(IN_ORGANIZATION, 'about oneself, in an organization that one is in', ({ org: id }) => ({
    query: { organization: id },
  })),
  'GET /api/organizations/{org}/caps': row(MANAGES_ORGANIZATION, 'settings', org),
  'PUT /api/organizations/{org}/caps': row(MANAGES_ORGANIZATION, 'settings', ({ org: id, lab }) => ({
    params: { org: id },
    body: { subject: { kind: 'workspace', id: lab }, monthlyUsd: 1_000 },
  })),
  'GET /api/organizations/{org}/caps/{cap}': row(MANAGES_ORGANIZATION, 'settings', async ({ org: id, fresh }) => ({
    params: { org: id, cap: await fresh.cap() },
  })),
  'PUT /api/organizations/{org}/caps/{cap}': row(MANAGES_ORGANIZATION, 'settings', async ({ org: id, fresh }) => ({
    params: { org: id, cap: await fresh.cap() },
    body: { monthlyUsd: 7 },
  })),
  'DELETE /api/organizations/{org}/caps/{cap}': row(MANAGES_ORGANIZATION, 'settings', async ({ org: id, fresh }) => ({
    params: { org: id, cap: await fresh.cap() },
  })),
  'GET /api/organizations/{org}/guardrails': row(
    IN_ORGANIZATION,
    'members read the rules, owners and admins change them',
    org,
  ),
  'POST /api/organizations/{org}/guardrails': row(MANAGES_ORGANIZATION, 'settings', ({ org: id }) => ({
    params: { org: id },
    body: { name: 'Another', rules: RULES },
  })),
  'GET /api/organizations/{org}/guardrails/{guardrail}': row(IN_ORGANIZATION, 'members read the rules', guardrail),
  'GET /api/organizations/{org}/guardrails/{guardrail}/versions': row(
    IN_ORGANIZATION,
    'members read the rules',
    guardrail,
  ),
  'POST /api/organizations/{org}/guardrails/{guardrail}/versions': row(MANAGES_ORGANIZATION, 'settings', (world) => ({
    ...guardrail(world),
    body: { rules: RULES },
  })),
  'POST /api/organizations/{org}/guardrails/{guardrail}/test': row(MANAGES_ORGANIZATION, 'settings', (world) => ({
    ...guardrail(world),
    body: { text: 'hello' },
  })),
  'GET /api/threads': row(IN_ORGANIZATION, 'their own', ({ org: id }) => ({ query: { organization: id } })),
  'GET /api/threads/search': row(IN_ORGANIZATION, 'their own', ({ org: id }) => ({
    query: { organization: id, q: 'about' },
  })),
  'POST /api/threads/delete': row(IN_ORGANIZATION, 'their own', async ({ org: id, fresh }) => ({
    body: { organization: id, threads: [await fresh.thread()] },
  })),
  'GET /api/threads/{thread}/export': row(['owner'], 'their own', ({ thread }) => ({ params: { thread } })),
  'GET /api/threads/{thread}/share': row(['owner'], 'their own', ({ thread }) => ({ params: { thread } })),
  'PUT /api/threads/{thread}/share': row(['owner'], 'their own', ({ thread }) => ({ params: { thread } })),
  'DELETE /api/threads/{thread}/share': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { thread: (await fresh.sharedThread()).thread },
  })),
  'GET /api/shares/{share}': row(IN_LAB, 'shared with the workspace', async ({ fresh }) => ({
    params: { share: (await fresh.sharedThread()).share },
  })),
  'GET /api/shares/{share}/messages/{message}': row(IN_LAB, 'shared with the workspace', async ({ fresh }) => {
    const { share, message } = await fresh.sharedThread();
    return { params: { share, message } };
  }),
  'GET /api/threads/{thread}/messages/{message}': row(['owner'], 'their own', ({ thread, message }) => ({
    params: { thread, message },
  })),
  'GET /api/threads/{thread}': row(['owner'], 'their own', ({ thread }) => ({ params: { thread } })),
  'PATCH /api/threads/{thread}': row(['owner'], 'their own', ({ thread }) => ({
    params: { thread },
    body: { title: 'Renamed' },
  })),
  'DELETE /api/threads/{thread}': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { thread: await fresh.thread() },
  })),
  'POST /api/threads/{thread}/switch': row(['owner'], 'their own', ({ thread, message }) => ({
    params: { thread },
    body: { message },
  })),
  'DELETE /api/threads/{thread}/messages/{message}': row(['owner'], 'their own', async ({ fresh }) => ({
    params: await fresh.message(),
  })),
  'PUT /api/threads/{thread}/messages/{message}/feedback': row(['owner'], 'their own', async ({ fresh }) => ({
    params: await fresh.answer(),
    body: { rating: 'down', reason: 'Too long.' },
  })),
  'DELETE /api/threads/{thread}/messages/{message}/feedback': row(['owner'], 'their own', async ({ fresh }) => ({
    params: await fresh.rated(),
  })),
  'GET /api/organizations/{org}/feedback': row(MANAGES_ORGANIZATION, 'what members said about answers', org),
  'POST /api/threads/{thread}/copy': row(['owner'], 'their own', ({ thread, message }) => ({
    params: { thread },
    body: { message },
  })),
  'GET /api/prompts': row(IN_ORGANIZATION, 'their own and shared ones', ({ org: id }) => ({
    query: { organization: id },
  })),
  'POST /api/prompts': row(IN_LAB, 'shared in a workspace that one is in', ({ org: id, lab }) => ({
    body: { organization: id, workspace: lab, name: promptName(), text: 'Summarize {{text}}' },
  })),
  'PATCH /api/prompts/{prompt}': row(MANAGES_LAB, 'made by another, shared in the workspace', async ({ fresh }) => ({
    params: { prompt: await fresh.prompt() },
    body: { text: 'Changed' },
  })),
  'DELETE /api/prompts/{prompt}': row(MANAGES_LAB, 'made by another, shared in the workspace', async ({ fresh }) => ({
    params: { prompt: await fresh.prompt() },
  })),
  'GET /api/me/instructions': row(IN_ORGANIZATION, 'their own', ({ org: id }) => ({ query: { organization: id } })),
  'PUT /api/me/instructions': row(IN_ORGANIZATION, 'their own', ({ org: id }) => ({
    body: { organization: id, text: 'Be brief.', enabled: true },
  })),
  'POST /api/chat/{thread}/stop': row(['owner'], 'their own', ({ thread }) => ({ params: { thread } })),
  'POST /api/chat': row(IN_LAB, 'a turn in a workspace that one is in', ({ org: id, lab }) => ({
    body: { organization: id, workspace: lab, model: MODEL, message: { text: 'hello' } },
  })),
  'GET /api/chat/{thread}/stream': row(['owner'], 'their own', ({ thread }) => ({ params: { thread } })),
  'POST /api/attachments': row(IN_ORGANIZATION, 'a file for a turn there', ({ org: id }) => {
    const form = new FormData();
    form.set('organization', id);
    form.set('file', new File(['text'], 'text.txt', { type: 'text/plain' }));
    return { form };
  }),
  'GET /api/attachments/{id}': row(['owner'], 'their own', ({ attachment }) => ({ params: { id: attachment } })),
  'GET /api/attachments/{id}/image': row(['owner'], 'their own', ({ image }) => ({ params: { id: image } })),
  'GET /api/projects': row(IN_ORGANIZATION, 'those of their workspaces', ({ org: id }) => ({
    query: { organization: id },
  })),
  'POST /api/projects': row(IN_LAB, 'in a workspace that one is in', ({ org: id, lab }) => ({
    body: { organization: id, workspace: lab, name: 'Plans' },
  })),
  'GET /api/projects/{project}': row(SEES_LAB, 'sees the workspace', project),
  'PATCH /api/projects/{project}': row(IN_LAB, 'is in the workspace', async (world) => ({
    ...(await project(world)),
    body: { name: 'Renamed' },
  })),
  'DELETE /api/projects/{project}': row(MANAGES_LAB, 'started by another, shared in the workspace', project),
  'PUT /api/projects/{project}/sharing': row(
    MANAGES_LAB,
    'started by another, shared in the workspace',
    async (world) => ({ ...(await project(world)), body: { sharing: 'use' } }),
  ),
  'POST /api/projects/{project}/take-over': row(
    ['lead', 'owner'],
    'runs the workspace and is in it, once its manager has left',
    async ({ fresh }) => ({ params: { project: await fresh.leftProject() } }),
  ),
  'GET /api/projects/{project}/files': row(SEES_LAB, 'sees the workspace', project),
  'POST /api/projects/{project}/files': row(IN_LAB, 'is in the workspace', async (world) => {
    const form = new FormData();
    form.set('file', new File(['text'], 'text.txt', { type: 'text/plain' }));
    return { ...(await project(world)), form };
  }),
  'GET /api/projects/{project}/files/{file}': row(SEES_LAB, 'sees the workspace', project),
  'DELETE /api/projects/{project}/files/{file}': row(IN_LAB, 'is in the workspace', project),
  'GET /api/imports': row(IN_ORGANIZATION, 'their own', ({ org: id }) => ({ query: { organization: id } })),
  'POST /api/imports': row(IN_LAB, 'into a workspace that one is in', async ({ org: id, lab, fresh }) => {
    await fresh.noImports();
    return { body: { organization: id, workspace: lab, name: 'export.zip', size: 4 } };
  }),
  'GET /api/imports/{import}': row(['owner'], 'their own', imported),
  'PUT /api/imports/{import}/parts/{part}': row(['owner'], 'their own', async (world) => {
    const { params } = await imported(world);
    return { params: { ...params, part: '0' }, headers: { 'content-type': 'application/octet-stream' }, body: 'ab' };
  }),
  'POST /api/imports/{import}/start': row(['owner'], 'their own', ({ fresh }) =>
    fresh.import(true).then((id) => ({ params: { import: id } })),
  ),
  'POST /api/imports/{import}/cancel': row(['owner'], 'their own', imported),
  'GET /api/imports/{import}/items': row(['owner'], 'their own', imported),
  'GET /api/imports/{import}/report': row(['owner'], 'their own', imported),
  'GET /api/changes': row(IN_ORGANIZATION, 'where to read again, no content', ({ org: id }) => ({
    query: { organization: id },
  })),

  'POST /v1/chat/completions': row(CHATS, 'scope chat, in the workspace', v1({ model: MODEL, messages: SPEAKS })),
  'POST /v1/responses': row(CHATS, 'scope chat, in the workspace', v1({ model: MODEL, input: 'hello' })),
  'GET /v1/responses/{response}': row(['owner chat'], 'their own, in its workspace', ({ lab, response }) => ({
    params: { response },
    headers: { 'x-service-workspace': lab },
  })),
  'DELETE /v1/responses/{response}': row(['owner chat'], 'their own, in its workspace', async ({ lab, fresh }) => ({
    params: { response: await fresh.response() },
    headers: { 'x-service-workspace': lab },
  })),
  'GET /v1/responses/{response}/input_items': row(
    ['owner chat'],
    'their own, in its workspace',
    ({ lab, response }) => ({ params: { response }, headers: { 'x-service-workspace': lab } }),
  ),
  'POST /v1/messages': row(
    CHATS,
    'scope chat, in the workspace',
    v1({ model: MODEL, max_tokens: 10, messages: SPEAKS }),
  ),
  'POST /v1/messages/count_tokens': row(CHATS, 'scope chat, in the workspace', v1({ model: MODEL, messages: SPEAKS })),
  'POST /v1/embeddings': row(
    CHATS,
    'scope chat, in the workspace',
    v1({ model: 'openai/text-embedding-3-small', input: 'hello' }),
  ),
  // Who has an own key is served: test/flows/passed-surfaces.test.ts.
  ...Object.fromEntries(
    Object.keys(PASSED).map((path) => [
      `POST ${path}`,
      row([], 'nobody here has an own key', v1({ model: 'openai/gpt-5-mini', input: 'hello' })),
    ]),
  ),
  'GET /v1/models': row(CHATS, 'scope chat, in the workspace', ({ lab }) => ({
    headers: { 'x-service-workspace': lab },
  })),
  'GET /v1/models/{model}': row(CHATS, 'scope chat, in the workspace', ({ lab }) => ({
    params: { model: MODEL },
    headers: { 'x-service-workspace': lab },
  })),

  'POST /runtime/agents/factory/jobs': row(
    ['owner jobs:write', ...LAB_TOKENS],
    'scope jobs:write, in the workspace',
    ({ lab }) => ({ body: { objective: 'hello', workspace: lab } }),
  ),
  'GET /runtime/jobs': row(['owner jobs:read', ...LAB_TOKENS], 'scope jobs:read, in the workspace', inLab),
  'GET /runtime/jobs/{id}': row(['owner jobs:read', ...LAB_TOKENS], 'scope jobs:read, in its workspace', job),
  'POST /runtime/jobs/{id}/abort': row(
    ['owner jobs:write', 'admin token', 'lead token'],
    'scope jobs:write; who started it, or manages its workspace or organization',
    job,
  ),
  'POST /runtime/jobs/{id}/messages': row(
    ['owner jobs:write'],
    'scope jobs:write; who started it, while it works',
    async ({ fresh }) => ({ params: { id: await fresh.run() }, body: { text: 'hello' } }),
  ),
  'GET /runtime/jobs/{id}/events': row(['owner jobs:read', ...LAB_TOKENS], 'scope jobs:read, in its workspace', job),
  'GET /runtime/jobs/{id}/output': row(['owner jobs:read', ...LAB_TOKENS], 'scope jobs:read, in its workspace', job),
  'GET /runtime/jobs/{id}/receipts': row(['owner jobs:read', ...LAB_TOKENS], 'scope jobs:read, in its workspace', job),
  'GET /runtime/jobs/{id}/artifacts': row(['owner jobs:read', ...LAB_TOKENS], 'scope jobs:read, in its workspace', job),
  'GET /runtime/jobs/{id}/artifacts/{name}': nobody('this run left no file', ({ job: id }) => ({
    params: { id, name: 'report.txt' },
  })),
  'GET /runtime/jobs/{id}/changes': nobody('this run had no repository', job),
  'POST /runtime/schedules': row(
    ['owner jobs:write', ...LAB_TOKENS],
    'scope jobs:write, in the workspace',
    ({ lab }) => ({ body: { name: 'Daily', run: { objective: 'hello', workspace: lab }, every: 86_400 } }),
  ),
  'GET /runtime/schedules': row(
    ['owner jobs:read', 'admin token', ...LAB_TOKENS],
    'scope jobs:read; in the workspace, or managing its organization',
    inLab,
  ),
  'GET /runtime/schedules/times': row(ANY_RUNS, 'scope jobs:read; tells nothing of anybody', () => ({
    query: { every: '3600' },
  })),
  'GET /runtime/schedules/{id}': row(
    ['owner jobs:read', 'admin token', 'lead token'],
    'scope jobs:read; who made it, or manages its workspace or organization',
    schedule(),
  ),
  'PATCH /runtime/schedules/{id}': row(
    ['owner jobs:write'],
    'scope jobs:write; who made it, but for turning it off',
    schedule({ name: 'Weekly' }),
  ),
  'DELETE /runtime/schedules/{id}': row(
    ['owner jobs:write', 'admin token', 'lead token'],
    'scope jobs:write; who made it, or manages its workspace or organization',
    schedule(),
  ),
  'POST /runtime/schedules/{id}/run': row(['owner jobs:write'], 'scope jobs:write; who made it', schedule()),
  'GET /runtime/schedules/{id}/firings': row(
    ['owner jobs:read', 'admin token', 'lead token'],
    'scope jobs:read; who made it, or manages its workspace or organization',
    schedule(),
  ),
  'GET /runtime/recipes': row(
    ['owner jobs:read', 'admin token', ...LAB_TOKENS],
    'scope jobs:read, in a workspace that one sees',
    inLab,
  ),
  'POST /runtime/recipes': row(
    ['owner jobs:write', ...LAB_TOKENS],
    'scope jobs:write, in the workspace',
    ({ lab }) => ({ body: { name: promptName(), run: { objective: 'Summarize {{text}}', workspace: lab } } }),
  ),
  'GET /runtime/recipes/{id}': row(
    ['owner jobs:read', 'admin token', ...LAB_TOKENS],
    'scope jobs:read, in a workspace that one sees',
    recipe,
  ),
  'PATCH /runtime/recipes/{id}': row(
    ['owner jobs:write', 'admin token', 'lead token'],
    'scope jobs:write; who made it, or manages its workspace or organization',
    async (world) => ({ ...(await recipe(world)), body: { description: 'Changed' } }),
  ),
  'DELETE /runtime/recipes/{id}': row(
    ['owner jobs:write', 'admin token', 'lead token'],
    'scope jobs:write; who made it, or manages its workspace or organization',
    recipe,
  ),
  'POST /runtime/recipes/{id}/run': row(
    ['owner jobs:write', ...LAB_TOKENS],
    'scope jobs:write, in its workspace',
    async (world) => ({ ...(await recipe(world)), body: { fields: { topic: 'tests' } } }),
  ),
  'GET /runtime/recipes/{id}/export': row(
    ['owner jobs:read', 'admin token', ...LAB_TOKENS],
    'scope jobs:read, in a workspace that one sees',
    recipe,
  ),
  'POST /runtime/recipes/import': row(
    ['owner jobs:write', ...LAB_TOKENS],
    'scope jobs:write, in the workspace',
    ({ lab }) => ({
      body: {
        workspace: lab,
        recipe: {
          format: 'service-recipe',
          version: 1,
          name: promptName(),
          run: { objective: 'Summarize {{text}}', kind: 'chat' },
        },
      },
    }),
  ),
  'GET /runtime/environments': row(
    ['owner jobs:read', 'admin token', ...LAB_TOKENS],
    'scope jobs:read, in a workspace that one sees',
    inLab,
  ),
  'GET /runtime/environments/{name}': row(
    ['owner jobs:read', 'admin token', ...LAB_TOKENS],
    'scope jobs:read, in a workspace that one sees',
    environment,
  ),
  'PUT /runtime/environments/{name}': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'scope jobs:write; who manages the workspace or organization',
    async (world) => ({ ...(await environment(world)), body: { variables: { STAGE: 'test' } } }),
  ),
  'GET /runtime/environments/{name}/setup': row(
    ['owner jobs:read', 'admin token', ...LAB_TOKENS],
    'scope jobs:read, in a workspace that one sees',
    environment,
  ),
  'POST /runtime/environments/{name}/rebuild': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'scope jobs:write; who manages the workspace or organization',
    environment,
  ),
  'DELETE /runtime/environments/{name}': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'scope jobs:write; who manages the workspace or organization',
    environment,
  ),
  'GET /runtime/factory/live': row(
    [
      'owner jobs:read',
      'stranger token',
      'outsider token',
      'member token',
      'lead token',
      'admin token',
      'owner token for Default',
    ],
    'scope jobs:read; tells of the workspaces one is in',
  ),
  'GET /runtime/service/stream': row(
    ['owner receipts:read', ...LAB_TOKENS],
    'scope receipts:read, in its workspace',
    stream,
  ),
  'GET /runtime/service/receipts': row(
    ['owner receipts:read', ...LAB_TOKENS],
    'scope receipts:read, in its workspace',
    inLab,
  ),
  'GET /runtime/service/verify': row(
    ['owner receipts:read', ...LAB_TOKENS],
    'scope receipts:read, in its workspace',
    stream,
  ),
  'GET /runtime/service/export': row(
    ['owner receipts:read', ...LAB_TOKENS],
    'scope receipts:read, in its workspace',
    stream,
  ),
  'GET /runtime/service/checkpoint': row(
    ['owner receipts:read', ...LAB_TOKENS],
    'scope receipts:read, in its workspace',
    stream,
  ),
  'GET /runtime/caller': row(ANY_TOKEN, 'every token that is in force: who it acts for, nothing of anybody else'),
  'GET /runtime/sandbox': row(ANY_RUNS, 'scope jobs:read; whether runs can be executed, nothing of anybody'),

  'POST /runtime/triggers': row(
    ['owner jobs:write', ...LAB_TOKENS],
    'scope jobs:write, in the workspace',
    async (world) => {
      await world.fresh.trigger();
      return { body: { name: 'Hook', run: { objective: 'x', workspace: world.lab }, source: 'github' } };
    },
  ),
  'GET /runtime/triggers': row(
    ['owner jobs:read', ...LAB_TOKENS, 'admin token'],
    'scope jobs:read, in the workspace or managing its organization',
    inLab,
  ),
  'GET /runtime/triggers/{id}': row(
    ['owner jobs:read', ...LAB_MANAGERS],
    'its maker, and who manages the workspace',
    onTrigger,
  ),
  'PATCH /runtime/triggers/{id}': row(['owner jobs:write'], 'only its maker changes what it does', async (world) => ({
    ...(await onTrigger(world)),
    body: { name: 'Renamed' },
  })),
  'DELETE /runtime/triggers/{id}': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'its maker, and who manages the workspace',
    onTrigger,
  ),
  'POST /runtime/triggers/{id}/rotate': row(['owner jobs:write'], 'only its maker', async (world) => ({
    ...(await onTrigger(world)),
    body: { secret: 'another-secret' },
  })),
  'POST /runtime/triggers/{id}/test': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'its maker, and who manages the workspace',
    async (world) => ({ ...(await onTrigger(world)), body: { payload: { title: 'x' } } }),
  ),
  'GET /runtime/triggers/{id}/deliveries': row(
    ['owner jobs:read', ...LAB_MANAGERS],
    'its maker, and who manages the workspace',
    onTrigger,
  ),
  'POST /runtime/triggers/{id}/deliveries/{delivery}/replay': row(['owner jobs:write'], 'only its maker', onTrigger),
  'POST /hooks/{id}': nobody('none of them can sign', async (world) => ({
    ...(await onTrigger(world)),
    body: { title: 'x' },
  })),
  'POST /runtime/subscriptions': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'scope jobs:write; who manages the workspace or organization',
    ({ lab }) => ({ body: { url: 'https://example.test/hook', events: ['run.failed'], workspace: lab } }),
  ),
  'GET /runtime/subscriptions': row(ANY_RUNS, 'scope jobs:read; those that one manages'),
  'GET /runtime/subscriptions/{id}': row(
    ['owner jobs:read', ...LAB_MANAGERS],
    'scope jobs:read; who manages its workspace or organization',
    subscription,
  ),
  'PATCH /runtime/subscriptions/{id}': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'scope jobs:write; who manages its workspace or organization',
    async (world) => ({ ...(await subscription(world)), body: { url: 'https://example.test/other' } }),
  ),
  'DELETE /runtime/subscriptions/{id}': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'scope jobs:write; who manages its workspace or organization',
    subscription,
  ),
  'GET /runtime/subscriptions/{id}/deliveries': row(
    ['owner jobs:read', ...LAB_MANAGERS],
    'scope jobs:read; who manages its workspace or organization',
    subscription,
  ),
  'POST /runtime/subscriptions/{id}/deliveries/{delivery}/replay': row(
    ['owner jobs:write', ...LAB_MANAGERS],
    'scope jobs:write; who manages its workspace or organization',
    async ({ fresh }) => ({ params: await fresh.subscription() }),
  ),

  'GET /connect/connections': row(READS_LAB, 'a connect scope, in the workspace', inLab),
  'GET /connect/connectors': row(ANY_CONNECT, 'the catalogue, the same for everybody', inLab),
  'GET /connect/capabilities': row(READS_LAB, 'a connect scope, in the workspace', inLab),
  'POST /connect/sessions': row(
    ['owner connect:write', ...LAB_TOKENS],
    'scope connect:write; any member connects a new one',
    ({ lab }) => ({ body: { provider: 'neon', workspace: lab } }),
  ),
  'POST /connect/connections/import': row(
    ['owner connect:write', 'lead token', 'admin token'],
    'scope connect:write and mutation authority',
    ({ lab }, name) => ({
      body: {
        kind: 'code-host-token',
        provider: 'github',
        name: name.replaceAll(/\W/g, '-'),
        workspace: lab,
        token: 'ghp_of-the-tests',
      },
    }),
  ),
  'GET /connect/connections/{id}/policy': row(
    [...READS_LAB, 'admin token'],
    'a connect scope; who manages the organization sees its workspaces',
    ({ connection, lab }) => ({ params: { id: connection }, query: { workspace: lab } }),
  ),
  'PUT /connect/connections/{id}/policy': row(
    ['owner connect:write', 'lead token', 'admin token'],
    'scope connect:write and mutation authority',
    ({ connection, lab }) => ({ params: { id: connection }, query: { workspace: lab }, body: { actions: {} } }),
  ),
  'DELETE /connect/connections/{id}': row(
    ['owner connect:write', 'lead token', 'admin token'],
    'scope connect:write and mutation authority',
    async ({ fresh, lab }) => ({ params: { id: await fresh.connection() }, query: { workspace: lab } }),
  ),
  'GET /connect/connections/{id}/tools': row(READS_LAB, 'a connect scope, in the workspace', ({ connection, lab }) => ({
    params: { id: connection },
    query: { workspace: lab },
  })),
  'POST /connect/call': row(READS_LAB, 'a connect scope, in the workspace', ({ connection, lab }) => ({
    body: { connection, tool: 'read-provider-resource', arguments: { path: '/x' }, workspace: lab },
  })),
  'POST /connect/mcp': row(
    ANY_CONNECT,
    'a connect scope; a person outside the workspace sees an empty list',
    ({ lab }) => ({
      query: { workspace: lab },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
    }),
  ),
  'POST /connect/integrations/webhook': nobody('none of them can sign', () => ({ body: { type: 'auth' } })),

  'POST /api/auth/sign-up/email': everybody('sign-up is open here', async ({ fresh }) => ({
    body: { name: 'New', email: `new.${(await fresh.account()).email}`, password: 'correct horse battery' },
  })),
  'POST /api/auth/sign-in/email': nobody('none of them has a password', ({ people }) => ({
    body: { email: people.owner.email, password: 'correct horse battery' },
  })),
  'GET /api/auth/get-session': everybody('says null without a session'),
  'POST /api/auth/second-factor': nobody('nobody was asked for one', () => ({ body: { code: '000000' } })),
  'POST /api/auth/passkey/options': everybody('signing in begins without a person', () => ({ body: {} })),
  'POST /api/auth/passkey': nobody('no authenticator made it', () => ({ body: { passkey: USED_PASSKEY } })),
  'POST /api/auth/change-password': nobody('none of them has a password', () => ({
    body: { currentPassword: 'correct horse battery', newPassword: 'battery horse correct' },
  })),
  'POST /api/auth/forgot-password': everybody('the answer does not say whether there is an account', ({ people }) => ({
    body: { email: people.owner.email },
  })),
  'POST /api/auth/reset-password': nobody('none of them has a link', () => ({
    body: { token: 'x'.repeat(43), password: 'battery horse correct' },
  })),
  'POST /api/auth/device/code': everybody('the device flow begins without a person', () => ({
    body: { client_id: 'servicectl' },
  })),
  'POST /api/auth/device/token': nobody('it was not approved', () => ({
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'never-given',
      client_id: 'servicectl',
    },
  })),
  'GET /api/auth/device': nobody('no device asked', () => ({ query: { user_code: 'AAAABBBB' } })),
  'POST /api/auth/device/approve': nobody('no device asked', () => ({ body: { userCode: 'AAAABBBB' } })),
  'POST /api/auth/device/deny': nobody('no device asked', () => ({ body: { userCode: 'AAAABBBB' } })),
  'GET /api/auth/openid/start': nobody('there is no provider here'),
  'GET /api/auth/openid/callback': nobody('there is no provider here'),
  'GET /api/auth/openid/sign-out': nobody('there is no provider here'),
  'GET /api/auth/openid/link': nobody('nothing is to be connected'),
  'POST /api/auth/openid/link': nobody('nothing is to be connected'),
  'POST /api/auth/openid/logout': nobody('none of them can sign', () => ({
    form: new URLSearchParams({ logout_token: 'never-given' }),
  })),
  'GET /api/sign-in-options': everybody('for the sign-in page'),
  'GET /.well-known/oauth-protected-resource': everybody('metadata'),
  'GET /.well-known/oauth-authorization-server': everybody('metadata'),
  'GET /.well-known/openid-configuration': everybody('metadata'),
  'POST /api/oauth/register': everybody('clients register themselves', () => ({
    body: { redirect_uris: ['http://127.0.0.1:1/callback'] },
  })),
  'GET /api/oauth/authorize': nobody('leads to the consent page', ({ client }) => ({
    query: {
      response_type: 'code',
      client_id: client,
      redirect_uri: 'http://127.0.0.1:1/callback',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    },
  })),
  'POST /api/oauth/token': nobody('none of them has a code', ({ client }) => ({
    body: { grant_type: 'authorization_code', client_id: client, code: 'never-given', code_verifier: 'x'.repeat(43) },
  })),
  'POST /api/oauth/revoke': everybody('a token that was never there is revoked', ({ client }) => ({
    form: new URLSearchParams({ token: 'never-given', client_id: client }),
  })),
  'GET /api/oauth/requests/{id}': row(['owner'], 'belongs to the first person who looked', async ({ fresh }) => ({
    params: { id: await fresh.consent() },
  })),
  'POST /api/oauth/requests/{id}': row(['owner'], 'belongs to the first person who looked', async ({ fresh }) => ({
    params: { id: await fresh.consent() },
    body: { approve: false },
  })),
  'GET /api/oauth/grants': row(SIGNED, 'their own'),
  'DELETE /api/oauth/grants/{id}': row(['owner'], 'their own', async ({ fresh }) => ({
    params: { id: await fresh.grant() },
  })),

  'GET /healthz': everybody('health'),
  'GET /openapi.json': everybody('this contract'),
  'GET /runtime/healthz': everybody('health'),
  'GET /runtime/runtime': everybody('counts only'),
  'GET /runtime/runtime/figures': everybody('counts only'),
  'GET /metrics': everybody('private at the gateway'),
  'GET /service-debug': operator(),
  'GET /service-debug/health': operator(),
  'GET /service-debug/processes': operator(),
  'GET /service-debug/config': operator(),
  'GET /service-debug/database': operator(),
  'GET /service-debug/receipts': operator(),
  'GET /service-debug/jobs': operator(),
  'GET /service-debug/broker': operator(),
  'GET /service-debug/sandbox': operator(),
  'POST /service-debug/jobs': operator(() => ({ body: { task: 'checkpoint' } })),
  'POST /service-debug/organizations': operator(async ({ fresh }) => ({
    body: { name: 'Ordered', ownerEmail: (await fresh.account()).email },
  })),
  'GET /service-debug/people': operator(),
  'POST /service-debug/people/{id}/disable': operator(onFreshAccount),
  'POST /service-debug/people/{id}/enable': operator(onFreshAccount),
  'POST /service-debug/people/{id}/end-sessions': operator(onFreshAccount),
  'POST /service-debug/people/{id}/remove-codes': operator(async ({ fresh, people }) => {
    await fresh.factors('member');
    return { params: { id: people.member.id } };
  }),
  'POST /service-debug/people/{id}/reset-password': operator(onFreshAccount),
  'DELETE /service-debug/people/{id}': operator(onFreshAccount),
  'GET /service-debug/organizations': operator(),
  'POST /service-debug/organizations/{id}/disable': operator(onFreshOrganization),
  'POST /service-debug/organizations/{id}/enable': operator(onFreshOrganization),
  'POST /service-debug/organizations/{id}/end-sessions': operator(onFreshOrganization),
  'POST /service-debug/organizations/{id}/restore': operator(onDeletedOrganization),
  'DELETE /service-debug/organizations/{id}': operator(onFreshOrganization),
  'GET /service-debug/acts': operator(),
  'PUT /service-debug/organizations/{org}/plan': operator(({ org: id }) => ({
    params: { org: id },
    body: { plan: 'business' },
  })),

  'POST /api/auth/sign-out': everybody('without a session there is none to end'),
  // These end sessions, so each is called with one of its own, after everything else.
  'POST /api/auth/revoke-other-sessions': row(SIGNED, 'their own sessions', own),
  'POST /api/auth/revoke-sessions': row(SIGNED, 'their own sessions', own),
};
