import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Organization } from '../contract/organizations.ts';
import type { Workspace } from '../contract/workspaces.ts';
import type { Database, Transaction } from '../store/database.ts';
import { getStanding } from './get-standing.ts';
import { FIRST_PLAN, PLANS } from './plans.ts';
import { slugCandidates } from './slug.ts';
import { toWorkspace } from './to-workspace.ts';

export interface NewOrganization {
  readonly name: string;
  readonly slug?: string | undefined;
}

/** An organization is born whole: with its owner, Global and Default. */
export function createOrganization(db: Database, userId: string, input: NewOrganization): Promise<{ organization: Organization; workspaces: { global: Workspace; default: Workspace } }> {
  return db.transaction(async (tx) => {
    const organizationId = newId('org');
    const slug = await insertOrganization(tx, organizationId, input);
    await tx.query("insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, 'owner')", [organizationId, userId]);
    await tx.query(
      "insert into :schema.workspace (id, organization_id, slug, name, kind) values ($2, $1, 'global', 'Global', 'global'), ($3, $1, 'default', 'Default', 'default')",
      [organizationId, newId('ws'), newId('ws')],
    );
    const global = await getStanding(tx, { userId, organizationId, workspaceId: 'global' });
    const standard = await getStanding(tx, { userId, organizationId, workspaceId: 'default' });
    return {
      organization: { id: organizationId, slug, name: input.name, plan: FIRST_PLAN, role: 'owner' },
      workspaces: { global: toWorkspace(global), default: toWorkspace(standard) },
    };
  });
}

async function insertOrganization(tx: Transaction, id: string, { name, slug }: NewOrganization): Promise<string> {
  for (const candidate of slug === undefined ? slugCandidates(name, 'organization') : [slug]) {
    const { rowCount } = await tx.query(
      'insert into :schema.organization (id, slug, name, plan, signup_credit_micros) values ($1, $2, $3, $4, $5) on conflict (slug) do nothing',
      [id, candidate, name, FIRST_PLAN, PLANS[FIRST_PLAN].signupCreditMicros],
    );
    if (rowCount === 1) return candidate;
  }
  throw new AppError('slug_taken');
}
