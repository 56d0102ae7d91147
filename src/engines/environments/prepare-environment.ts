// What the environment of a run adds to its sandbox: variables, limits, hosts. A command has a placeholder in the variable
// of a secret, and the proxy outside puts the secret in its place; unless the environment says that commands get it.
import { createHash } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { PACKAGE_HOSTS, PACKAGE_REGISTRIES } from '../../contract/environments/environment-rules.ts';
import { isPrivateHost } from '../../net/private-address.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import type { RunEnvironment } from '../../runs/environments/environment.ts';
import { findEnvironment } from '../../runs/environments/find-environments.ts';
import { openSecrets } from '../../runs/environments/open-secrets.ts';
import { formsOfSecrets } from '../../sandbox/egress/scrub-secrets.ts';
import type { Queryable } from '../../store/database.ts';
import type { KeptWorkspace } from '../keep-workspace.ts';
import type { SandboxSetup } from '../run-sandbox.ts';

export interface EnvironmentSetupDeps {
  readonly db: Queryable;
  readonly sealingKey: Buffer | undefined;
  readonly allowPrivate: boolean;
  /** What its script left. */
  readonly ensureSetup: (
    attempt: Pick<RunAttempt, 'signal' | 'progress'>,
    environment: RunEnvironment,
    setup: SandboxSetup,
  ) => Promise<KeptWorkspace>;
}

type Broker = NonNullable<NonNullable<SandboxSetup['network']>['brokers']>[number];

const READS = ['GET', 'HEAD'];
const ALL = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const BUDGET = { maxRequests: 100_000, maxBytes: 4 * 1024 ** 3 };
const MIB = 1024 * 1024;

export function createPrepareEnvironment(deps: EnvironmentSetupDeps): (attempt: RunAttempt) => Promise<SandboxSetup> {
  return async (attempt) => {
    const { run, hide } = attempt;
    const { environment: name, organizationId, workspaceId } = run;
    if (name === undefined || organizationId === undefined || workspaceId === undefined) return {};
    const environment = await findEnvironment(deps.db, { organizationId, workspaceId }, name);
    if (!environment) throw new AppError('environment_not_found', { environment: name });
    const secrets = await openSecrets(deps.db, deps.sealingKey, environment);
    const forms = formsOfSecrets([...secrets.values()]);
    hide?.(forms);
    const setup = { ...setupOf(environment, secrets, deps.allowPrivate), secrets: forms };
    if (environment.setup.trim() === '') return setup;
    // Its script gets no secret that a command of a run would not get.
    const open = new Map([...secrets].filter(([secret]) => environment.secretVariables.includes(secret)));
    const base = await deps.ensureSetup(attempt, environment, {
      ...setupOf(environment, open, deps.allowPrivate),
      secrets: forms,
    });
    return {
      ...setup,
      base,
      given: 'The setup script of the environment has run: what it left is in /workspace and /home/agent.',
    };
  };
}

export function setupOf(
  environment: RunEnvironment,
  secrets: ReadonlyMap<string, string>,
  allowPrivate: boolean,
): SandboxSetup {
  const { id, variables, secretVariables, minutes, memoryMiB } = environment;
  const shown = [...secrets].map(([name, value]): [string, string] => [
    name,
    secretVariables.includes(name) ? value : placeholderOf(id, name),
  ]);
  const brokers = brokersOf(environment, allowPrivate);
  return {
    env: { ...variables, ...Object.fromEntries(shown) },
    ...(brokers.length === 0
      ? {}
      : {
          network: {
            brokers,
            secrets: [...secrets].map(([name, value]) => ({ placeholder: placeholderOf(id, name), value })),
          },
        }),
    ...(minutes === undefined ? {} : { timeLimitMs: minutes * 60_000 }),
    ...(memoryMiB === undefined ? {} : { memoryBytes: memoryMiB * MIB }),
    about: describe(environment, brokers),
  };
}

/** Always the same for a secret, so that a file that a run wrote it into is good for the next one. */
function placeholderOf(environmentId: string, name: string): string {
  const digest = createHash('sha256').update(`${environmentId} ${name}`).digest('hex');
  return `placeholder-${name.toLowerCase().replaceAll('_', '-')}-${digest.slice(0, 24)}`;
}

/** A host that is in both lists may be written to. Secrets go to hosts that are named, never to all package registries. */
function brokersOf({ hosts, writableHosts }: RunEnvironment, allowPrivate: boolean): Broker[] {
  const found = new Map<string, Broker>();
  const add = (names: readonly string[], methods: string[], fills: boolean): void => {
    for (const name of names) {
      const bare = name.replace(/:\d+$/, '');
      const scheme = allowPrivate && isPrivateHost(bare) ? 'http' : 'https';
      const known = found.get(bare);
      found.set(bare, {
        host: bare,
        target: `${scheme}://${name}`,
        paths: [],
        methods: known?.methods && known.methods.length > methods.length ? known.methods : methods,
        fills: fills || known?.fills === true,
        publicOnly: !allowPrivate,
        ...BUDGET,
      });
    }
  };
  for (const [names, methods] of [
    [hosts, READS],
    [writableHosts, ALL],
  ] as const) {
    if (names.includes(PACKAGE_REGISTRIES)) add(PACKAGE_HOSTS, methods, false);
    add(
      names.filter((name) => name !== PACKAGE_REGISTRIES),
      methods,
      true,
    );
  }
  return [...found.values()];
}

/** For the model. */
function describe({ name, secrets, secretVariables }: RunEnvironment, brokers: readonly Broker[]): string {
  const namesOf = (writes: boolean): string =>
    brokers
      .filter(({ methods }) => (methods?.length === ALL.length) === writes)
      .map(({ host }) => host)
      .join(', ');
  const [reads, writes] = [namesOf(false), namesOf(true)];
  const placeholders = secrets.filter((secret) => !secretVariables.includes(secret));
  return [
    `This run works in the environment "${name}".`,
    ...(reads === '' ? [] : [`These hosts can be asked with GET and HEAD, by https: ${reads}.`]),
    ...(writes === '' ? [] : [`These hosts can be asked with every method, by https: ${writes}.`]),
    ...(placeholders.length === 0
      ? []
      : [
          `These variables hold placeholders: ${placeholders.join(', ')}. Send one in a header to a host that is named here, and the secret is put in its place on the way; nowhere else does it work.`,
        ]),
    ...(secretVariables.length === 0
      ? []
      : [`These variables hold secrets: ${secretVariables.join(', ')}. Never print them.`]),
  ].join(' ');
}
