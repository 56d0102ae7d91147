import { describe, expect, it } from 'vitest';
import { loadModels } from '../catalog/load-models.ts';
import { decideTurn, type TurnQuery } from '../turns/decide-turn.ts';
import { scopeOf } from '../turns/open-turn.ts';
import type { StoredKey, TurnContext } from '../turns/turn-context.ts';
import { describeKeyUse, type KeyUser } from '../contract/key-use.ts';
import type { ProviderKeySummary } from '../contract/policy.ts';
import type { WorkspaceKind } from '../tenancy/members/membership.ts';
import { findKeyUse, type KeyUseFacts } from './find-key-use.ts';
import type { ProviderId } from '../model-providers/providers.ts';

const BOOLEANS = [true, false];
const KINDS: readonly WorkspaceKind[] = ['global', 'default', 'named'];
const SUMMARIES: readonly (ProviderKeySummary | null)[] = [
  null,
  ...BOOLEANS.flatMap((openai) => BOOLEANS.map((anthropic) => ({ openai, anthropic }))),
];
const MODELS = { openai: 'openai/gpt-6-sol', anthropic: 'anthropic/claude-sonnet-5' } as const satisfies Record<
  ProviderId,
  string
>;
const EMBEDDING_MODEL = 'text-embedding-3-small';
const catalog = loadModels(undefined);

interface Case {
  readonly facts: KeyUseFacts;
  readonly provider: ProviderId;
  readonly isUndecryptable: boolean;
}

function* everyCase(): Generator<Case> {
  for (const kind of KINDS)
    for (const provider of ['openai', 'anthropic'] as const)
      for (const strict of BOOLEANS)
        for (const inheritOrganizationKeys of BOOLEANS)
          for (const summary of SUMMARIES)
            for (const disabledProviders of [[], [provider]])
              for (const isUndecryptable of BOOLEANS)
                yield {
                  facts: { kind, strict, summary, inheritOrganizationKeys, disabledProviders, hasModelsAccount: false },
                  provider,
                  isUndecryptable,
                };
}

function storedAt(workspaceId: string, provider: string, text: string): StoredKey {
  return {
    workspaceId,
    provider,
    sealed: { ciphertext: Buffer.from(text), iv: Buffer.alloc(12), authTag: Buffer.alloc(16) },
  };
}

interface Turn extends Partial<TurnQuery> {
  /** Where the turn happens; the key lies in the workspace of its own kind. */
  readonly workspace: string;
  /** Whether the request says so itself. */
  readonly isNamed?: boolean;
  /** A key that the workspace has besides. */
  readonly otherKey?: boolean;
}

/** Whether the turn runs on the stored key. */
function isPaidByKey(
  { facts, provider, isUndecryptable }: Case,
  { workspace, isNamed = true, otherKey = false, ...asked }: Turn,
): boolean {
  const keys = [
    storedAt(facts.kind, provider, 'the key'),
    ...(otherKey ? [storedAt(workspace, provider, 'another key')] : []),
  ];
  const context: TurnContext = {
    version: 1,
    organizationId: 'org',
    globalWorkspaceId: 'global',
    workspaceId: workspace,
    workspaceSlug: workspace,
    policy: {
      disabledProviders: facts.disabledProviders,
      disabledModels: [],
      requireZdr: false,
      enforceStudyMode: false,
    },
    inheritOrganizationKeys: facts.inheritOrganizationKeys,
    allowUnlistedModels: false,
    toolSwitches: {},
    summary: facts.summary,
    keys,
    modelsAccounts: [],
    routes: [],
    seatBudgetMicros: 0,
    creditMicros: 0,
    capped: false,
  };
  const settings = {
    catalog,
    strict: facts.strict,
    open: ({ ciphertext }: { ciphertext: Buffer }) => (isUndecryptable ? undefined : ciphertext.toString()),
    platformKeys: { openai: 'platform', anthropic: 'platform' },
  };
  const scope = asked.scope ?? scopeOf({ settings }, { workspace: isNamed ? workspace : undefined }, {});
  const decision = decideTurn(settings, context, { model: MODELS[provider], modality: 'chat', ...asked, scope });
  return (
    decision.refusal === undefined &&
    decision.route.credential.kind === 'own-key' &&
    decision.route.credential.key === 'the key'
  );
}

/** The requests that can run on a key of a scope, each as a turn. */
function expectedUsers(one: Case): KeyUser[] {
  const { kind, strict } = one.facts;
  const paid = (user: KeyUser, turn: Turn): KeyUser[] => (isPaidByKey(one, turn) ? [user] : []);
  const isUnnamedPaid = isPaidByKey(one, { workspace: kind, isNamed: false });
  if (kind !== 'global')
    return [
      ...paid(kind === 'default' && !isUnnamedPaid ? 'named_chat' : 'workspace_chat', { workspace: kind }),
      ...paid('funded_runs', { workspace: kind, scope: 'workspace', forRun: true }),
    ];
  const hasPlatformTurns = !strict;
  return [
    ...paid('inheriting_chat', { workspace: 'named' }),
    ...paid('unplaced_chat', { workspace: 'default', isNamed: false, otherKey: true }),
    ...paid('runs', { workspace: 'default', scope: 'organization', forRun: true }),
    ...(one.provider === 'openai'
      ? paid('attachments', {
          workspace: 'default',
          scope: 'organization',
          model: EMBEDDING_MODEL,
          modality: 'embedding',
        })
      : []),
    ...(hasPlatformTurns ? paid('titles', { workspace: 'default', scope: 'organization' }) : []),
    ...paid('global_requests', { workspace: 'global' }),
  ];
}

describe('who uses a stored key', () => {
  it('is what a turn of each kind would decide, in every case', () => {
    const cases = [...everyCase()];
    expect(cases.map((one) => ({ ...one, by: findKeyUse(one.facts, one).by }))).toEqual(
      cases.map((one) => ({ ...one, by: expectedUsers(one) })),
    );
    expect(cases.some((one) => expectedUsers(one).length > 0)).toBe(true);
  });

  it('is used by no request exactly when a reason is given', () => {
    for (const one of everyCase()) {
      const { by, unused } = findKeyUse(one.facts, one);
      expect([one, by.length === 0]).toEqual([one, unused !== undefined]);
    }
  });
});

describe('in words', () => {
  const FACTS: KeyUseFacts = {
    kind: 'global',
    strict: false,
    summary: { openai: true, anthropic: false },
    inheritOrganizationKeys: false,
    disabledProviders: [],
    hasModelsAccount: false,
  };
  const say = (facts: Partial<KeyUseFacts>, provider = 'openai'): string =>
    describeKeyUse(findKeyUse({ ...FACTS, ...facts }, { provider, isUndecryptable: false }));

  it.each<[string, Partial<KeyUseFacts>, string]>([
    [
      'Used by background runs, attachments, thread titles and API requests to the workspace global. Chat in workspaces does not use it while inheritance is off.',
      {},
      'openai',
    ],
    [
      'Used by chat in every workspace without a key of its own, background runs, attachments, thread titles and API requests to the workspace global.',
      { inheritOrganizationKeys: true },
      'openai',
    ],
    ['Used by chat in this workspace and background runs that this workspace pays for.', { kind: 'named' }, 'openai'],
    ['Used by chat in this workspace.', { kind: 'default', summary: null }, 'anthropic'],
    [
      'Used by chat that names this workspace and background runs that this workspace pays for.',
      { kind: 'default', strict: true },
      'openai',
    ],
    [
      'Used by chat in this workspace. A Models account comes first, for the models that it routes.',
      { kind: 'named', summary: null, hasModelsAccount: true },
      'anthropic',
    ],
    [
      'No request uses this key now: the organization has no key for this provider, and without one the keys of its workspaces are not read.',
      { kind: 'named' },
      'anthropic',
    ],
    [
      'No request uses this key now: the organization has disabled this provider.',
      { disabledProviders: ['openai'] },
      'openai',
    ],
    [
      'No request uses this key now: the service does not call this provider itself; a Models account can route its models.',
      {},
      'google',
    ],
  ])('%s', (words, facts, provider) => {
    expect(say(facts, provider)).toBe(words);
  });
});
