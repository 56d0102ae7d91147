// The notice of a table's change_notice trigger (functions/notices.sql): where something changed, and who may know of it.
export const CHANGE_TOPIC = 'change';

export interface ChangeNotice {
  readonly table: string;
  readonly organization: string;
  readonly workspace?: string;
  /** The one person who may know of it; everyone in the organization when absent. */
  readonly user?: string;
  readonly id?: string;
}

/** Undefined for a payload that is not a change notice. */
export function readChangeNotice(value: string): ChangeNotice | undefined {
  try {
    const { table, organization, workspace, user, id } = JSON.parse(value) as Record<string, unknown>;
    if (typeof table !== 'string' || typeof organization !== 'string') return undefined;
    return { table, organization, ...text({ workspace, user, id }) };
  } catch {
    return undefined;
  }
}

function text(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
