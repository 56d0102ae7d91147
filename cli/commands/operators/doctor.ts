import type { Command } from 'commander';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';
import { EXIT } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { runAdmin } from '../../run-admin.ts';

type Level = 'ok' | 'skipped' | 'notice' | 'warning' | 'fault';

interface Finding {
  readonly check: string;
  readonly level: Level;
  readonly what: string;
  readonly why?: string;
  readonly fix?: string;
}

interface Diagnosis {
  readonly ok: boolean;
  readonly worst: Level;
  readonly findings: readonly Finding[];
}

interface Options extends Common {
  readonly bundle?: string;
  readonly dataDir?: string;
  readonly production?: boolean;
}

const MARKS = {
  ok: { mark: '✓', colour: 'green' },
  skipped: { mark: '-', colour: 'dim' },
  notice: { mark: 'i', colour: 'cyan' },
  warning: { mark: '!', colour: 'yellow' },
  fault: { mark: '✗', colour: 'red' },
} as const satisfies Record<Level, { mark: string; colour: string }>;

const TITLES: Readonly<Record<string, string>> = {
  environment: 'Environment',
  secrets: 'Secrets',
  files: 'Data directory',
  storage: 'Storage',
  parts: 'Parts',
  gateway: 'Gateway',
  integrations: 'Integration provider',
  models: 'Model providers',
  limits: 'Request limit',
  traces: 'Traces',
};

export function addDoctor(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'doctor',
    summary:
      'For operators, on the server: check the environment and every part of the service, and say how to fix problems',
    brief: 'On the server: check every part of the service',
    example: 'servicectl doctor --bundle production.env --data-dir /var/lib/service',
    local: true,
  })
    .option(
      '--data-dir <directory>',
      'data directory of the service (default: SERVICE_DATA_DIR, then DATA_DIR, else .data)',
    )
    .option(
      '--bundle <file>',
      'secrets bundle of the deployment: check it and use it for variables that the environment does not set',
    )
    .option('--production', 'apply the rules for production, whatever the public URL is')
    .action((options: Options) => doctor(cli, options));
}

async function doctor(cli: Cli, { json, bundle, dataDir, production }: Options): Promise<void> {
  const done = cli.output.progress('Checking …');
  const diagnosis = await runAdmin<Diagnosis>(cli, 'doctor', {
    ...(bundle === undefined ? {} : { bundle }),
    ...(dataDir === undefined ? {} : { dataDirectory: dataDir }),
    production: production === true,
  }).finally(done);
  if (json) cli.output.json(diagnosis);
  else if (cli.output.watched) show(cli.output, diagnosis.findings);
  else
    cli.output.table(
      [],
      diagnosis.findings.map(({ level, check, what, why, fix }) => [level, check, what, why ?? '', fix ?? '']),
    );
  const [faults, warnings] = (['fault', 'warning'] as const).map(
    (level) => diagnosis.findings.filter((finding) => finding.level === level).length,
  );
  if (faults)
    throw new Failure(`${counted(faults, 'check', 'checks')} failed`, {
      error: 'doctor_fault',
      next: 'Fix them from the top: the first may cause the others. Then run servicectl doctor again.',
    });
  if (warnings)
    throw new Failure(`nothing is broken, but ${counted(warnings, 'setting', 'settings')} should be changed`, {
      exit: EXIT.warned,
      error: 'doctor_warning',
      next: 'See above for how to fix each.',
    });
  cli.output.say('All checks passed.');
}

function show(output: Output, findings: readonly Finding[]): void {
  const areaOf = ({ check }: Finding): string => check.split('.')[0] ?? '';
  for (const area of new Set(findings.map(areaOf))) {
    output.line(`\n${output.paint('bold', TITLES[area] ?? area)}`);
    for (const { level, what, why, fix } of findings.filter((finding) => areaOf(finding) === area)) {
      const { mark, colour } = MARKS[level];
      output.line(`  ${output.paint(colour, mark)} ${what}`);
      if (why !== undefined) output.line(`    ${output.paint('dim', why)}`);
      if (fix !== undefined) output.line(`    → ${fix}`);
    }
  }
  output.line('');
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
