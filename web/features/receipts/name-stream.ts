import type { Workspace } from '../../../src/contract/workspaces.ts';
import { receiptStrings as strings } from './strings.ts';

/** A readable name of a stream. The organization-wide workspace is not in the list of workspaces. */
export function nameStream(stream: string, workspaces: readonly Pick<Workspace, 'id' | 'name'>[]): string {
  const slash = stream.indexOf('/');
  const [kind, id] = [stream.slice(0, slash), stream.slice(slash + 1)];
  if (kind === 'jobs') return strings.run(id);
  if (kind !== 'connect') return stream;
  return strings.ofWorkspace(workspaces.find((workspace) => workspace.id === id)?.name ?? strings.organizationWide);
}
