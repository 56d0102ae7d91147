// The settings of an organization and its workspaces: provider keys, models, policy, usage, guardrails and tokens.
import { AppError } from '../../base/errors.ts';
import type { ModelsAccountInput } from '../../contract/models-account.ts';
import { listModels } from '../../turns/list-models.ts';
import { listRoutes, putRoute, removeRoute } from '../../turns/routes/model-routes.ts';
import {
  listGuardrails,
  listGuardrailVersions,
  showGuardrail,
  testGuardrail,
} from '../../enforcement/guardrails/read-guardrails.ts';
import { createGuardrail, createGuardrailVersion } from '../../enforcement/guardrails/write-guardrail.ts';
import { type Control, ENFORCEMENT_MATRIX } from '../../enforcement/matrix.ts';
import { readPolicy } from '../../enforcement/read-policy.ts';
import { readUsage } from '../../enforcement/read-usage.ts';
import type { Settle } from '../../enforcement/budget.ts';
import { findTokenCaps, setCap } from '../../enforcement/caps.ts';
import { updatePolicy } from '../../enforcement/update-policy.ts';
import { listProviderKeys } from '../../keys/list-provider-keys.ts';
import { hasSecondFactor } from '../../identity/sessions/second-factor-demand.ts';
import type { KeyDeps } from '../../keys/model-settings.ts';
import {
  listModelsAccounts,
  orderModelsAccounts,
  removeModelsAccount,
  saveModelsAccount,
  showFirst,
} from '../../keys/models-account.ts';
import { removeProviderKey, saveProviderKey } from '../../keys/write-provider-keys.ts';
import type { Database } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { createToken } from '../../tenancy/tokens/create-token.ts';
import { listTokens } from '../../tenancy/tokens/list-tokens.ts';
import type { MintDeps } from '../../tenancy/tokens/mint-token.ts';
import type { TokenUses } from '../../tenancy/tokens/note-token-use.ts';
import { revokeOwnToken } from '../../tenancy/tokens/revoke-token.ts';
import { rotateToken } from '../../tenancy/tokens/rotate-token.ts';
import { decidedMembership, member, web } from './authorize.ts';

export interface SettingsDeps {
  readonly keys: KeyDeps;
  readonly tokens: TokenRouteDeps;
  readonly usage: UsageDeps;
}

interface TokenRouteDeps extends MintDeps {
  readonly db: Database;
  readonly uses: Pick<TokenUses, 'flush'> | undefined;
}

interface UsageDeps {
  readonly db: Database;
  readonly settle: Pick<Settle, 'flush'> | undefined;
  readonly storageBytes: number;
}

export function settingsRoutes({ keys, tokens, usage }: SettingsDeps) {
  return {
    providerKeys: providerKeyRoutes(keys),
    modelsAccount: modelsAccountRoutes(keys),
    models: {
      list: member.models.list.handler(({ context: { membership }, input: { workspace, modality } }) =>
        listModels(keys.db, keys, { ...membership, workspace, modality }),
      ),
    },
    routes: {
      list: member.routes.list.handler(async ({ context: { membership } }) => ({
        routes: await listRoutes(keys.db, membership),
      })),
      put: member.routes.put.handler(async ({ context: { membership }, input: { org: _org, ...input } }) => ({
        route: await putRoute(keys.db, keys.catalog, membership, input),
      })),
      remove: member.routes.remove.handler(async ({ context: { membership }, input }) => {
        await removeRoute(keys.db, membership, input.slug);
        return { ok: true } as const;
      }),
    },
    policy: {
      show: member.policy.show.handler(({ context: { membership } }) => readPolicy(keys.db, membership.organizationId)),
      update: member.policy.update.handler(({ context: { membership, signedIn }, input: { org: _org, ...change } }) => {
        // Nobody closes the organization to themselves.
        if (change.requireSecondFactor === true && !hasSecondFactor(signedIn))
          throw new AppError('second_factor_required', { organization: membership.organizationId });
        return updatePolicy(keys.db, keys.catalog, membership, change);
      }),
    },
    enforcement: {
      show: web.enforcement.show.handler(() => ({
        controls: ENFORCEMENT_MATRIX.map(({ shownBy: _shownBy, pages, ...control }: Control) => ({
          ...control,
          ...(pages === undefined ? {} : { pages: [...pages] }),
        })),
      })),
    },
    usage: {
      show: member.usage.show.handler(async ({ context: { membership }, input }) => {
        await usage.settle?.flush();
        return readUsage(usage.db, membership, { days: input.days, storageBytes: usage.storageBytes });
      }),
    },
    guardrails: guardrailRoutes(keys.db),
    tokens: tokenRoutes(tokens),
  };
}

function providerKeyRoutes(deps: KeyDeps) {
  return {
    list: member.providerKeys.list.handler(async ({ context: { membership } }) => ({
      providers: await listProviderKeys(deps, membership),
    })),
    save: web.providerKeys.save.handler(async ({ context, input: { provider, key } }) => {
      const use = await saveProviderKey(deps, decidedMembership(context), provider, key);
      return { configured: true as const, message: 'Provider key saved successfully.', use };
    }),
    remove: member.providerKeys.remove.handler(async ({ context: { membership }, input: { params } }) => {
      await removeProviderKey(deps, membership, params.provider);
      return { configured: false as const, message: 'Provider key removed successfully.' };
    }),
  };
}

function modelsAccountRoutes(deps: KeyDeps) {
  const { organization, ...workspace } = member.modelsAccount;
  const { show, save, remove, accounts } = modelsAccountHandlers(deps);
  return {
    show: workspace.show.handler(show),
    save: workspace.save.handler(save),
    remove: workspace.remove.handler(remove),
    accounts: {
      list: workspace.accounts.list.handler(accounts.list),
      create: workspace.accounts.create.handler(accounts.create),
      order: workspace.accounts.order.handler(accounts.order),
      save: workspace.accounts.save.handler(accounts.save),
      remove: workspace.accounts.remove.handler(accounts.remove),
    },
    organization: {
      show: organization.show.handler(show),
      save: organization.save.handler(save),
      remove: organization.remove.handler(remove),
      accounts: {
        list: organization.accounts.list.handler(accounts.list),
        create: organization.accounts.create.handler(accounts.create),
        order: organization.accounts.order.handler(accounts.order),
        save: organization.accounts.save.handler(accounts.save),
        remove: organization.accounts.remove.handler(accounts.remove),
      },
    },
  };
}

interface InScope<Input = unknown> {
  readonly context: { readonly membership: Membership };
  readonly input: Input;
}

/** The same for a workspace and for the organization: the membership that was decided names the scope. */
function modelsAccountHandlers(deps: KeyDeps) {
  return {
    show: async ({ context: { membership } }: InScope) => showFirst(await listModelsAccounts(deps, membership)),
    save: async ({ context: { membership }, input }: InScope<ModelsAccountInput>) =>
      showFirst([await saveModelsAccount(deps, membership, input, 'first')]),
    remove: async ({ context: { membership } }: InScope) =>
      showFirst(await removeModelsAccount(deps, membership, 'first')),
    accounts: {
      list: async ({ context: { membership } }: InScope) => ({ accounts: await listModelsAccounts(deps, membership) }),
      create: async ({ context: { membership }, input }: InScope<ModelsAccountInput>) => ({
        account: await saveModelsAccount(deps, membership, input, 'last'),
      }),
      order: async ({ context: { membership }, input }: InScope<{ order: string[] }>) => ({
        accounts: await orderModelsAccounts(deps, membership, input.order),
      }),
      save: async ({ context: { membership }, input }: InScope<ModelsAccountInput & { account: string }>) => ({
        account: await saveModelsAccount(deps, membership, input, { id: input.account }),
      }),
      remove: async ({ context: { membership }, input }: InScope<{ account: string }>) => {
        await removeModelsAccount(deps, membership, { id: input.account });
        return { ok: true } as const;
      },
    },
  };
}

function guardrailRoutes(db: Database) {
  const { guardrails } = member;
  return {
    list: guardrails.list.handler(({ context: { membership }, input }) => listGuardrails(db, membership, input)),
    create: guardrails.create.handler(async ({ context: { membership }, input }) => ({
      group: await createGuardrail(db, membership, input),
    })),
    show: guardrails.show.handler(async ({ context: { membership }, input }) => ({
      group: await showGuardrail(db, membership, input.guardrail, input.version),
    })),
    versions: {
      list: guardrails.versions.list.handler(({ context: { membership }, input }) =>
        listGuardrailVersions(db, membership, input.guardrail, input),
      ),
      create: guardrails.versions.create.handler(async ({ context: { membership }, input }) => ({
        group: await createGuardrailVersion(db, membership, input.guardrail, input),
      })),
    },
    test: guardrails.test.handler(async ({ context: { membership }, input }) => ({
      matches: await testGuardrail(db, membership, input.guardrail, input),
    })),
  };
}

function tokenRoutes(deps: TokenRouteDeps) {
  return {
    list: web.tokens.list.handler(async ({ context, input }) => {
      await deps.uses?.flush();
      const { tokens, ...more } = await listTokens(deps.db, context.user.id, context.membership?.organizationId, input);
      const caps = await findTokenCaps(
        deps.db,
        tokens.map(({ line }) => line),
      );
      return {
        tokens: tokens.map(({ line, ...token }) => {
          const monthlyUsd = caps.get(line);
          return { ...token, ...(monthlyUsd === undefined ? {} : { monthlyUsd }) };
        }),
        ...more,
      };
    }),
    create: web.tokens.create.handler(async ({ context, input }) => {
      const membership = decidedMembership(context);
      const { monthlyUsd, ...request } = input;
      if (monthlyUsd !== undefined && input.name === undefined)
        throw new AppError('invalid_request', { monthlyUsd: 'only a named token can have a cap' });
      const { id, token, expiresAt } = await deps.db.transaction(async (tx) => {
        const made = await createToken({ ...deps, db: tx }, membership, request, context.session?.sessionId);
        if (monthlyUsd !== undefined)
          await setCap(tx, membership.organizationId, { kind: 'token', id: made.id }, monthlyUsd);
        return made;
      });
      return { id, token, expiresAt: expiresAt.toISOString() };
    }),
    rotate: web.tokens.rotate.handler(async ({ context, input: { token: old, ...rotation } }) => {
      const { id, token, expiresAt, oldExpiresAt } = await rotateToken(deps, context.user.id, old, rotation);
      return { id, token, expiresAt: expiresAt.toISOString(), oldExpiresAt: oldExpiresAt.toISOString() };
    }),
    revoke: web.tokens.revoke.handler(async ({ context, input }) => {
      await revokeOwnToken(deps, context.user.id, input.token);
      return { ok: true } as const;
    }),
  };
}
