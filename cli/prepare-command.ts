// Prepares every command before it runs: the --jq filter, and the workspace chosen with `workspaces use`.
import type { Command } from 'commander';
import { findAccount } from './account.ts';
import { type Cli, type Common, WORKSPACE } from './define-command.ts';

export async function prepareCommand(cli: Cli, command: Command): Promise<void> {
  const { jq, url } = command.opts<Common>();
  if (jq !== undefined) {
    const { createJsonFilter } = await import('./filter-json.ts');
    cli.output.filterWith(await createJsonFilter(jq, cli.output.watched));
    if (command.getOptionValue('json') === undefined) command.setOptionValue('json', true);
  }
  const takesWorkspace = command.options.some(
    ({ flags, description }) => flags === WORKSPACE[0] && description === WORKSPACE[1],
  );
  if (!takesWorkspace || command.getOptionValue('workspace') !== undefined) return;
  const { stored } = await findAccount(cli.host, { url });
  if (stored?.workspace) command.setOptionValue('workspace', stored.workspace.id);
}
