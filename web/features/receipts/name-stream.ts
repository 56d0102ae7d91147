import type { Workspace } from '../../../src/contract/workspaces.ts';
import { receiptStrings as strings } from './strings.ts';

/** A stream in words: whose tool calls, or which run. The organization-wide workspace is in no list of workspaces. */
export function nameStream(stream: string, workspaces: readonly Pick<Workspace, 'id' | 'name'>[]): string {
  const slash = stream.indexOf('/');
  const [kind, id] = [stream.slice(0, slash), stream.slice(slash + 1)];
  if (kind === 'jobs') return strings.run(id);
  if (kind !== 'connect') return stream;
  return strings.ofWorkspace(workspaces.find((workspace) => workspace.id === id)?.name ?? strings.organizationWide);
}
