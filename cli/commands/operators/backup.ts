import type { Command } from 'commander';
import { resolve } from 'node:path';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';
import { Failure } from '../../failure.ts';
import { runAdmin } from '../../run-admin.ts';

interface Taken {
  readonly directory: string;
  readonly files: number;
  readonly bytes: number;
  readonly sha256: string;
}

interface Verified {
  readonly ok: boolean;
  readonly version: string;
  readonly createdAt: string;
  readonly files: number;
  readonly receipts: number;
  readonly streams: number;
  readonly faults: readonly string[];
}

interface Restored extends Verified {
  readonly dataDirectory: string;
  readonly bundle?: string;
}

type Options = Common & { bundle?: string; provider?: string };

const MIB = 1024 * 1024;

export function addBackup(admin: Command, cli: Cli): void {
  defineCommand(admin, {
    name: 'backup <directory>',
    summary: 'On the server: back up the database and the data directory into a new directory, while the service runs',
    example: 'servicectl admin backup /var/backups/service/2026-01-31',
    local: true,
  })
    .option('--bundle <file>', 'include this secrets bundle; anyone who has the backup can then read everything')
    .option('--provider <variable>', "include the integration provider's database, whose URL is in this variable")
    .action((directory: string, options: Options) => take(cli, directory, options));
  defineCommand(admin, {
    name: 'restore <directory>',
    summary: 'On the server: restore a backup into an empty database and an empty data directory',
    example: 'servicectl admin restore /var/backups/service/2026-01-31',
    local: true,
  })
    .option('--provider <variable>', "also restore the integration provider's database, into the one in this variable")
    .action((directory: string, options: Options) => restore(cli, directory, options));
  defineCommand(admin, {
    name: 'verify-backup <directory>',
    summary: 'On the server: check that a backup is complete and unchanged, and that its receipts are intact',
    example: 'servicectl admin verify-backup /var/backups/service/2026-01-31',
    local: true,
  }).action((directory: string, options: Common) => verify(cli, directory, options));
}

async function take(cli: Cli, given: string, { json, bundle, provider }: Options): Promise<void> {
  const taken = await runAdmin<Taken>(cli, 'backup', {
    directory: resolve(given),
    ...(bundle === undefined ? {} : { bundle: resolve(bundle) }),
    ...(provider === undefined ? {} : { provider }),
  });
  if (json) return cli.output.json(taken);
  cli.output.line(taken.directory);
  cli.output.say(`${taken.files} files, ${(taken.bytes / MIB).toFixed(1)} MiB; checksum ${taken.sha256}`);
}

async function verify(cli: Cli, given: string, { json }: Common): Promise<void> {
  const verified = await runAdmin<Verified>(cli, 'verify-backup', { directory: resolve(given) });
  if (json) cli.output.json(verified);
  else if (verified.ok) cli.output.say(describe(verified));
  if (!verified.ok)
    throw new Failure(`the backup is damaged: ${verified.faults.slice(0, 10).join('; ')}`, {
      next: 'Copy it again from where it was taken, or use another one.',
    });
}

async function restore(cli: Cli, given: string, { json, provider }: Options): Promise<void> {
  const restored = await runAdmin<Restored>(cli, 'restore', {
    directory: resolve(given),
    ...(provider === undefined ? {} : { provider }),
  });
  if (json) return cli.output.json(restored);
  cli.output.say(describe(restored));
  cli.output.say(`The data directory is ${restored.dataDirectory}.`);
  if (restored.bundle !== undefined) cli.output.say(`The secrets bundle is ${restored.bundle}.`);
}

function describe({ version, createdAt, files, receipts, streams }: Verified): string {
  return `Intact: ${files} files and ${receipts} receipts in ${streams} streams, of version ${version}, taken ${createdAt}.`;
}
