// Which Models account serves a turn, and under which name. A model that the catalogue does not list is served as well, if
// a pattern of an account matches its name.
import { type CatalogModel, findModel, type Modality, type ModelCatalog } from '../catalog/model-catalog.ts';
import { ACCOUNT_ROWS } from '../keys/accounts/account-rows.ts';
import type { ModelsAccount, TurnContext } from './turn-context.ts';

/** The scope that keys and accounts are read from: the request's workspace or the organization. */
export type TurnScope = 'workspace' | 'organization';

/**
 * The accounts that a turn tries, in this order: the workspace's own, then the organization's, which serve every scope;
 * those of one scope as they were read, which is in the order of their places.
 */
export function accountsFor(
  context: TurnContext | undefined,
  scope: TurnScope,
  surface: Modality | 'passed',
): readonly ModelsAccount[] {
  const { modelsAccounts = [], workspaceId, globalWorkspaceId } = context ?? {};
  if (modelsAccounts.length === 0) return modelsAccounts;
  const inOrder = [...new Set(scope === 'workspace' ? [workspaceId, globalWorkspaceId] : [globalWorkspaceId])];
  return inOrder.flatMap((id) =>
    modelsAccounts.filter((account) => account.workspaceId === id && (surface === 'chat' || hasOtherSurfaces(account))),
  );
}

/** OpenAI's, beside chat. */
function hasOtherSurfaces({ auth, protocol }: ModelsAccount): boolean {
  return ACCOUNT_ROWS[auth].embeds && protocol !== 'messages';
}

/** Names that accounts serve and the catalogue does not list, if their patterns are literal. */
export function unlistedNames(catalog: ModelCatalog, context: TurnContext | undefined, scope: TurnScope): string[] {
  const names = accountsFor(context, scope, 'chat').flatMap(({ models }) =>
    models.filter((pattern) => !pattern.includes('*') && !findModel(catalog, pattern)),
  );
  return [...new Set(names)];
}

interface AccountRoute {
  readonly account: ModelsAccount;
  readonly name: string;
  readonly provider: string;
}

/** The first account that routes the model. */
export function findAtAccounts(
  accounts: readonly ModelsAccount[],
  model: CatalogModel,
  left: readonly string[],
  asked: string,
): AccountRoute | undefined {
  for (const account of accounts) {
    const found = nameAtAccount(account.models, model, left, asked);
    if (found) return { account, ...found };
  }
  return undefined;
}

/**
 * The model name to send to a Models account; undefined if none of its patterns match. It is the name the client used,
 * except for the service's own virtual models: those are sent under the name of a model they stand for, of those that
 * the policy allows.
 */
function nameAtAccount(
  patterns: readonly string[],
  model: CatalogModel,
  left: readonly string[],
  asked: string,
): { readonly name: string; readonly provider: string } | undefined {
  const routes = (name: string): boolean => patterns.some((pattern) => matchesPattern(pattern, name));
  const isVirtual = model.providers.length > 1;
  const declared = model.providers.filter(({ provider }) => left.includes(provider));
  const taken =
    declared.find(({ model: name }) => routes(name)) ??
    (routes(model.id) || (!isVirtual && routes(asked)) ? declared[0] : undefined);
  if (!taken) return undefined;
  return { name: !isVirtual && (routes(asked) || routes(model.id)) ? asked : taken.model, provider: taken.provider };
}

/**
 * `*` matches anything, everything else is literal. Linear in the text: no regular expression is built from the
 * pattern.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
