// Records a person's run. Order: where it belongs, whether it was requested before, what it needs. A refused request
// writes nothing.
import { AppError } from '../../base/errors.ts';
import type { Catalog } from '../../catalog/connector-types.ts';
import { findModel, type ModelCatalog } from '../../catalog/model-catalog.ts';
import { declaredForRuns } from '../../model-providers/providers.ts';
import { findConnection } from '../../connections/find-connection.ts';
import { findUnusable, readCapabilities } from '../../connections/capabilities.ts';
import type { Health } from '../../sandbox/protocol.ts';
import type { Queryable } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import type { EngineKinds } from './engine.ts';
import type { FindSandbox } from './find-sandbox.ts';
import type { RunEnvironment } from '../environments/environment.ts';
import { findEnvironment } from '../environments/find-environments.ts';
import { findRepeated, type InsertedRun, insertRun, type NewRun } from '../record/insert-run.ts';
import type { Delivery, RunAuthority } from '../record/run.ts';
import type { RunKind } from '../record/run-states.ts';

/** What decides whether a run can be asked for. */
export interface StartableDeps {
  readonly db: Queryable;
  readonly catalog: Catalog;
  readonly models: ModelCatalog;
}

export interface StartDeps extends StartableDeps {
  readonly engines: EngineKinds;
  /** Absent in tests, which execute runs without a sandbox. */
  readonly findSandbox?: FindSandbox | undefined;
  /** How many runs a person may have queued; unlimited when absent. */
  readonly mostQueued?: number | undefined;
}

export interface RunRequest {
  readonly objective: string;
  readonly kind: RunKind;
  readonly model?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly fundingWorkspaceId?: string | undefined;
  readonly projectId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** What the caller's token may do; the run may do no more. */
  readonly authority: RunAuthority;
  /** The schedule or trigger that starts it, or the recipe that it is started from. */
  readonly startedBy?: string | undefined;
  /** The run that it goes on with. */
  readonly continues?: string | undefined;
  readonly environment?: string | undefined;
  readonly deliver?: Delivery | undefined;
}

export async function startRun(deps: StartDeps, membership: Membership, request: RunRequest): Promise<InsertedRun> {
  const { db, engines, findSandbox, mostQueued } = deps;
  const { organizationId, workspaceId, userId } = membership;
  const capabilities = [...new Set(request.capabilities ?? [])];
  const wanted: NewRun = {
    organizationId,
    workspaceId,
    createdBy: userId,
    actor: `user:${userId}`,
    kind: request.kind,
    objective: request.objective,
    model: request.model,
    capabilities,
    fundingWorkspaceId: request.fundingWorkspaceId,
    projectId: request.projectId,
    idempotencyKey: request.idempotencyKey,
    authority: request.authority,
    startedBy: request.startedBy,
    continues: request.continues,
    environment: request.environment,
    deliver: request.deliver,
    mostQueued,
    waitingReason: engines[request.kind] ? undefined : 'sandbox_engine_unavailable',
  };
  const repeated =
    request.idempotencyKey === undefined ? undefined : await findRepeated(db, wanted, request.idempotencyKey);
  if (repeated) return { run: repeated, isNew: false };
  await requireStartable(deps, membership, wanted);
  requireDeliveryScope(request, request.authority);
  if (engines[request.kind]) requireSafe(await findSandbox?.());
  return insertRun(db, wanted);
}

type Needs = Pick<NewRun, 'model' | 'capabilities' | 'environment' | 'deliver'>;

/** What a schedule, trigger or recipe is checked for when it is saved, too. */
export async function requireStartable(deps: StartableDeps, membership: Membership, needs: Needs): Promise<void> {
  const [fault] = await findUnstartable(deps, membership, needs);
  if (fault) throw fault;
}

/** Everything that such a run would be refused for, the model first. */
export async function findUnstartable(
  { db, catalog, models }: StartableDeps,
  membership: Membership,
  { model, capabilities = [], environment, deliver }: Needs,
): Promise<AppError[]> {
  const fault = findModelFault(models, model);
  const unusable =
    capabilities.length === 0 ? [] : findUnusable(await readCapabilities(db, membership, catalog), capabilities);
  const found = environment === undefined ? undefined : await findEnvironment(db, membership, environment);
  const faults = [...(fault ? [fault] : []), ...unusable];
  if (environment !== undefined && !found) return [...faults, new AppError('environment_not_found', { environment })];
  const unpushable = deliver === undefined ? undefined : await findDeliveryFault(db, membership, found);
  return unpushable ? [...faults, unpushable] : faults;
}

/** Whether commits can be pushed is for the connection of the environment's repository to say. */
async function findDeliveryFault(
  db: Queryable,
  membership: Membership,
  environment: RunEnvironment | undefined,
): Promise<AppError | undefined> {
  const repository = environment?.repository;
  if (!repository) return new AppError('invalid_request', { deliver: 'needs an environment that has a repository' });
  const { connection } = repository;
  const found = await findConnection(db, membership, connection);
  return found?.policy.push === 'branches' ? undefined : new AppError('push_not_allowed', { connection });
}

/** Pushing is also a right of what the run is started with. */
export function requireDeliveryScope({ deliver }: Pick<NewRun, 'deliver'>, { scopes }: RunAuthority): void {
  if (deliver !== undefined && !scopes.includes('connect:write'))
    throw new AppError('insufficient_scope', { scope: 'connect:write' });
}

function findModelFault(models: ModelCatalog, name: string | undefined): AppError | undefined {
  if (name === undefined) return undefined;
  const model = findModel(models, name);
  if (!model) return new AppError('model_not_found', { model: name });
  return model.modality === 'chat' && declaredForRuns(model)
    ? undefined
    : new AppError('model_not_supported_for_runs', { model: name });
}

/** A controller that cannot be reached now may be back in a moment; one that reports itself unsafe will not be. */
function requireSafe(health: Health | undefined): void {
  if (health && !health.ok) throw new AppError('sandbox_unavailable', { reason: health.reason, fix: health.fix });
}
