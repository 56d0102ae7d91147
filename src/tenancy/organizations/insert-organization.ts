import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Transaction } from '../../store/database.ts';
import { PLANS } from './plans.ts';
import { slugCandidates } from '../workspaces/slug.ts';
import type { Plan } from '../members/membership.ts';

export interface NewOrganization {
  readonly name: string;
  readonly slug?: string | undefined;
}

/** With Global and Default. It has no owner and no signup credit until it is claimed. */
export async function insertOrganization(
  tx: Transaction,
  { name, slug }: NewOrganization,
  plan: Plan,
): Promise<{ id: string; slug: string }> {
  const id = newId('org');
  for (const candidate of slug === undefined ? slugCandidates(name, 'organization') : [slug]) {
    const { rowCount } = await tx.query(
      'insert into :schema.organization (id, slug, name, plan, signup_credit_micros) values ($1, $2, $3, $4, 0) on conflict (slug) do nothing',
      [id, candidate, name, plan],
    );
    if (rowCount === 0) continue;
    await tx.query(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($2, $1, 'global', 'Global', 'global'), ($3, $1, 'default', 'Default', 'default')",
      [id, newId('ws'), newId('ws')],
    );
    return { id, slug: candidate };
  }
  throw new AppError('slug_taken');
}

/**
 * Sets the creator, unless there is one already. If it is this person's first organization, it gets the signup credit
 * of its plan: the credit is granted once per person, even if the organization is deleted later.
 */
export async function claimOrganization(tx: Transaction, organizationId: string, userId: string): Promise<void> {
  const { rows } = await tx.query<{ plan: Plan }>(
    'update :schema.organization set created_by = $2 where id = $1 and created_by is null returning plan',
    [organizationId, userId],
  );
  const [claimed] = rows;
  if (!claimed) return;
  const granted = await tx.query(
    'insert into :schema.signup_credit_grant (user_id, organization_id) values ($1, $2) on conflict (user_id) do nothing',
    [userId, organizationId],
  );
  if (granted.rowCount === 0) return;
  await tx.query('update :schema.organization set signup_credit_micros = $2 where id = $1', [
    organizationId,
    PLANS[claimed.plan].signupCreditMicros,
  ]);
}
