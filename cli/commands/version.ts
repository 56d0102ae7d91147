import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { sendForJson } from '../api/send.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { Failure } from '../failure.ts';
import { asSentence } from '../join-texts.ts';
import { describeVersion, readVersion } from '../version.ts';

interface Options extends Common {
  readonly client?: boolean;
}

interface Health {
  readonly version?: string;
  readonly build?: string;
}

const TIMEOUT_MS = 3_000;

export function addVersion(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'version',
    summary: 'Print the version of servicectl and of the service',
    example: 'servicectl version',
  })
    .option('--client', 'only of servicectl: sends no request')
    .action((options: Options) => version(cli, options));
}

/** A service that cannot be reached is not a failure of this command. */
async function version({ host, output }: Cli, options: Options): Promise<void> {
  const { url } = await findAccount(host, options);
  const service = options.client
    ? undefined
    : await sendForJson<Health>(url, '/healthz', { timeoutMs: TIMEOUT_MS }).catch((error: unknown) => {
        if (error instanceof Failure) return error;
        throw error;
      });
  const client = { ...readVersion(), node: process.version };
  if (options.json)
    return output.json({
      client,
      ...(service === undefined || service instanceof Failure
        ? {}
        : { service: { url, version: service.version, build: service.build } }),
    });
  output.table(
    ['', ''],
    [
      ['servicectl', `${describeVersion(client)}, Node ${client.node}`],
      ...(service === undefined || service instanceof Failure
        ? []
        : [
            [
              'service',
              `${describeVersion({ version: service.version ?? 'unknown', build: service.build ?? 'unknown' })} at ${url}`,
            ],
          ]),
    ],
  );
  if (service instanceof Failure) output.say(asSentence(service.message));
}
