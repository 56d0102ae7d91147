import type { Command } from 'commander';
import { findAccount, requireToken } from '../account.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';

interface Options extends Common {
  readonly workspace?: string;
  readonly search?: boolean;
}

export function addMcp(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'mcp',
    summary: 'Serve the tools of your connections to an MCP client over standard input and output',
    example: 'claude mcp add service -- servicectl mcp',
  })
    .option(...WORKSPACE)
    .option('--search', 'offer three tools for searching and calling instead of the full list')
    .action((options: Options) => mcp(cli, options));
}

async function mcp({ host, output }: Cli, options: Options): Promise<void> {
  const account = await findAccount(host, options);
  const token = requireToken(account);
  const query = new URLSearchParams({
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    ...(options.search ? { tools: 'search' } : {}),
  }).toString();
  const { runBridge } = await import('../mcp/run-bridge.ts');
  await runBridge({
    url: account.url,
    path: `/connect/mcp${query === '' ? '' : `?${query}`}`,
    token,
    input: host.stdin.setEncoding('utf8'),
    write: (line) => output.write(`${line}\n`),
    say: output.say,
  });
}
