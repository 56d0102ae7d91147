import type { Workspace } from '../../../src/contract/workspaces.ts';
import { receiptStrings as strings } from './strings.ts';

const RUN = 'jobs/';

/** The run whose stream it is. */
export function runOf(stream: string): string | undefined {
  return stream.startsWith(RUN) ? stream.slice(RUN.length) : undefined;
}

const LONGEST = 120;

interface Known {
  readonly workspaces: readonly Pick<Workspace, 'id' | 'name'>[];
  /** Of the run whose stream it is. */
  readonly objective?: string | undefined;
}

/** A readable name of a stream. The organization-wide workspace is not in the list of workspaces. */
export function nameStream(stream: string, { workspaces, objective }: Known): string {
  if (runOf(stream) !== undefined) return objective === undefined ? strings.run : strings.runTo(shorten(objective));
  const slash = stream.indexOf('/');
  const [kind, id] = [stream.slice(0, slash), stream.slice(slash + 1)];
  if (kind !== 'connect') return stream;
  return strings.ofWorkspace(workspaces.find((workspace) => workspace.id === id)?.name ?? strings.organizationWide);
}

function shorten(objective: string): string {
  const [line = ''] = objective.trim().split('\n', 1);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).trimEnd()}…` : line;
}
