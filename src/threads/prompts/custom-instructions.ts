// What a person wants every answer in an organization to follow. It is the first system part of a direct answer;
// whatever else instructs the model comes after it. It never decides whether a turn is answered or by which model: the
// organization's policy, Study Mode included, does that first.
import type { CustomInstructions } from '../../contract/prompts.ts';
import type { Queryable } from '../../store/database.ts';

export interface InstructionsOwner {
  readonly userId: string;
  readonly organizationId: string;
}

export async function findInstructions(
  db: Queryable,
  { userId, organizationId }: InstructionsOwner,
): Promise<CustomInstructions> {
  const { rows } = await db.query<{ text: string; enabled: boolean }>(
    'select text, enabled from :schema.custom_instructions where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  );
  return rows[0] ? { text: rows[0].text, enabled: rows[0].enabled } : { text: '', enabled: false };
}

export async function saveInstructions(
  db: Queryable,
  { userId, organizationId }: InstructionsOwner,
  { text, enabled }: CustomInstructions,
): Promise<CustomInstructions> {
  await db.query(
    `insert into :schema.custom_instructions (organization_id, user_id, text, enabled) values ($1, $2, $3, $4)
       on conflict (organization_id, user_id) do update set text = excluded.text, enabled = excluded.enabled, updated_at = now()`,
    [organizationId, userId, text, enabled],
  );
  return { text, enabled };
}

const LEAD = 'The person asking has given these instructions for every answer:';

/** Empty if there are none, or they are off. */
export async function readSystem(db: Queryable, owner: InstructionsOwner): Promise<readonly string[]> {
  const { text, enabled } = await findInstructions(db, owner);
  return enabled && text.trim() !== '' ? [`${LEAD}\n\n${text.trim()}`] : [];
}
