// Prepares every command before it runs: the common options, and the workspace chosen with `workspaces use`.
import type { Command } from 'commander';
import { findAccount } from './account.ts';
import { traceRequests } from './api/trace-requests.ts';
import { type Cli, type Common, WORKSPACE } from './define-command.ts';

export async function prepareCommand(cli: Cli, command: Command): Promise<void> {
  const { jq, url, as, debug, absolute } = command.opts<Common>();
  if (debug) traceRequests(cli.output.say);
  if (absolute) cli.output.useAbsoluteTimes();
  if (jq !== undefined) {
    const { createJsonFilter } = await import('./filter-json.ts');
    cli.output.filterWith(await createJsonFilter(jq, cli.output.watched));
    if (command.getOptionValue('json') === undefined) command.setOptionValue('json', true);
  }
  const takesWorkspace = command.options.some(
    ({ flags, description }) => flags === WORKSPACE[0] && description === WORKSPACE[1],
  );
  if (!takesWorkspace || command.getOptionValue('workspace') !== undefined) return;
  const { stored } = await findAccount(cli.host, { url, as });
  if (stored?.workspace) command.setOptionValue('workspace', stored.workspace.id);
}
