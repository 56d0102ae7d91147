// What operators do to accounts and organizations. Each act is one transaction, which also writes its line to the record
// of operators' acts; no act removes one.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { removeOneTimeCodes } from '../identity/account/change-factors.ts';
import { endAccess } from '../identity/sessions/end-access.ts';
import {
  deleteOrganization,
  disableOrganization,
  type OrganizationDeps,
  restoreOrganization,
} from './shut-organization.ts';
import type { Database, Queryable, Transaction } from '../store/database.ts';
import { deletePerson, disablePerson, enablePerson, type ShutDeps } from './shut-person.ts';

export interface OperateDeps extends ShutDeps, OrganizationDeps {}

type Act = (deps: OperateDeps, id: string, operator: string) => Promise<unknown>;

export const ACTS = {
  person: {
    disable: (deps, id) => disablePerson(deps, id),
    enable: (deps, id) => enablePerson(deps, id),
    'end-sessions': (deps, id) => endSessions(deps, THE_PERSON, id),
    'remove-codes': async (deps, id) => {
      await requirePerson(deps, id);
      await removeOneTimeCodes(deps, id);
    },
    delete: (deps, id, operator) => deletePerson(deps, id, operator),
  },
  organization: {
    disable: (deps, id) => disableOrganization(deps, id, true),
    enable: (deps, id) => disableOrganization(deps, id, false),
    'end-sessions': (deps, id) => endSessions(deps, ITS_MEMBERS, id),
    delete: (deps, id, operator) => deleteOrganization(deps, id, operator),
    restore: (deps, id) => restoreOrganization(deps, id),
  },
} as const satisfies Record<string, Readonly<Record<string, Act>>>;

export type Operated = keyof typeof ACTS;

export async function operate(
  deps: OperateDeps,
  kind: Operated,
  act: string,
  { id, operator }: { readonly id: string; readonly operator: string },
): Promise<void> {
  const acts: Readonly<Record<string, Act>> = ACTS[kind];
  const run = acts[act];
  if (!run) throw new Error(`there is no act ${act}`);
  const record = (tx: Transaction): Promise<void> => recordAct(tx, { at: deps.clock(), operator, act, kind, id });
  await run({ ...deps, db: recording(deps.db, record) }, id, operator);
}

export async function recordAct(
  db: Queryable,
  { at, operator, act, kind, id }: { at: Date; operator: string; act: string; kind: Operated; id: string },
): Promise<void> {
  await db.query(
    'insert into :schema.operator_act (id, at, operator, act, kind, subject_id) values ($1, $2, $3, $4, $5, $6)',
    [newId('act'), at, operator, act, kind, id],
  );
}

function recording(db: Database, record: (tx: Transaction) => Promise<unknown>): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        const done = await work(tx);
        await record(tx);
        return done;
      }),
  };
}

const THE_PERSON = 'select id as user_id from :schema.identity_user where id = $1';
/** An organization without a member has nobody whose sessions could end. */
const ITS_MEMBERS = 'select user_id from :schema.organization_member where organization_id = $1';

async function requirePerson({ db }: OperateDeps, id: string): Promise<void> {
  const { rowCount } = await db.query(THE_PERSON, [id]);
  if (rowCount === 0) throw new AppError('not_found');
}

/** Tokens and approved clients end with the sessions. Throws `not_found`. */
function endSessions(deps: OperateDeps, whose: string, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const { rows } = await tx.query<{ user_id: string }>(whose, [id]);
    if (rows.length === 0) throw new AppError('not_found');
    for (const { user_id: userId } of rows)
      await endAccess(tx, deps, { userId, sessions: 'all', sessionId: '', keepTokens: false });
  });
}
