import type { Command } from 'commander';
import { resolve } from 'node:path';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';
import { runAdmin } from '../../run-admin.ts';

interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  readonly missing: readonly string[];
}

type Options = Common & { out?: string; log?: string[]; bundle?: string; dataDir?: string };

const KIB = 1024;

export function addSupport(admin: Command, cli: Cli): void {
  defineCommand(admin, {
    name: 'support',
    summary:
      'On the server: write a file about this deployment that can be given to those who help, without secrets, names or content',
    example: 'servicectl admin support --out support.tar.gz',
    local: true,
  })
    .option('--out <file>', 'where to write it (default: support-<time>.tar.gz in this directory)')
    .option('--log <file...>', 'also read these log files, the last MiB of each')
    .option('--data-dir <directory>', 'data directory of the service, as for servicectl doctor')
    .option(
      '--bundle <file>',
      'secrets bundle of the deployment: use it for variables that the environment does not set',
    )
    .action((options: Options) => support(cli, options));
}

async function support(cli: Cli, { json, out, log = [], dataDir, bundle }: Options): Promise<void> {
  const done = cli.output.progress('Collecting …');
  const written = await runAdmin<Written>(cli, 'support', {
    file: resolve(out ?? `support-${timeOf(new Date())}.tar.gz`),
    logs: log.map((file) => resolve(file)),
    ...(dataDir === undefined ? {} : { dataDirectory: resolve(dataDir) }),
    ...(bundle === undefined ? {} : { bundle: resolve(bundle) }),
  }).finally(done);
  if (json) return cli.output.json(written);
  cli.output.line(written.file);
  cli.output.say(
    `${written.files} files, ${Math.ceil(written.bytes / KIB)} KiB. Look through them before you send them.`,
  );
  if (written.missing.length > 0) cli.output.say(`Could not be read: ${written.missing.join(', ')}.`);
}

/** As a part of a file name: 20260131T101500Z. */
function timeOf(at: Date): string {
  return at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
