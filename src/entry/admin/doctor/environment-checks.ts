import { ENVIRONMENT, type Variable, type VariableName } from '../../../base/environment.ts';
import { RUNTIME_ROLES, resolveRole } from '../../../process/process-roles.ts';
import { loadModels } from '../../../catalog/load-models.ts';
import { readPlatformMonth } from '../../../enforcement/read-platform-month.ts';
import { ConfigError } from '../../../base/config.ts';
import { fault, type Finding, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';
import { KEY_VARIABLES } from '../../../model-providers/providers.ts';

/**
 * Names that begin like ours, but are read by other programs or the deployment files, or set by an orchestrator for a
 * service of that name.
 */
const OTHERS =
  /^SERVICE_(?:DATABASE_PASSWORD|OAUTH_[A-Z0-9_]+_(?:CLIENT_ID|CLIENT_SECRET|SCOPES)|URL|TOKEN|TEST_[A-Z_]+)$|_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP)/;
const OURS = /^(?:SERVICE_|BROKER_GROUP_|BYOK_)/;
const LONGEST_TYPO = 3;

export function checkValues({ refused, environment }: Deployment): Finding[] {
  const set = Object.keys(ENVIRONMENT).filter((name) => (environment[name] ?? '').trim() !== '').length;
  const ignored = Object.entries<Variable>(ENVIRONMENT)
    .filter(([name, { kind }]) => kind === 'exactly-1' && !['', '0', 'false', '1'].includes(environment[name] ?? ''))
    .map(([name]) => name);
  if (refused.size === 0 && ignored.length === 0) return [ok(`${set} variables are set, all with valid values`)];
  return [
    ...[...refused].map(([name, sentence]) =>
      fault(
        `${name} has a value that is not valid`,
        'Every part that reads it stops at start with exit code 78.',
        `Correct ${name}: ${sentence}`,
      ),
    ),
    ...ignored.map((name) =>
      warning(
        `${name} is set to something other than 1`,
        'Only the one character 1 turns it on: it is off.',
        `Set ${name}=1, without spaces, or unset it.`,
      ),
    ),
  ];
}

/** A variable that nothing reads is most often a misspelt one. */
export function checkNames({ environment }: Deployment): Finding[] {
  const strange = Object.keys(environment).filter(
    (name) =>
      OURS.test(name) && !(name in ENVIRONMENT) && !OTHERS.test(name) && !name.endsWith('_ENCRYPTION_KEY_B64_OLD'),
  );
  if (strange.length === 0) return [ok('no variable is set that nothing reads')];
  return strange.map((name) => {
    const meant = nearest(name);
    return warning(
      `${name} is set, but nothing reads it`,
      'It has no effect.',
      meant === undefined
        ? `Unset ${name}; servicectl env lists every variable.`
        : `Rename it to ${meant}, or unset it.`,
    );
  });
}

export function checkRole({ environment }: Deployment): Finding[] {
  const given = environment['SERVICE_PROCESS_ROLE'];
  if (resolveRole(given) !== 'all') return [ok('SERVICE_PROCESS_ROLE is absent or one of the roles')];
  return [
    fault(
      `SERVICE_PROCESS_ROLE is not one of the roles`,
      'Such a process runs, but binds no port and does no work.',
      `Set it to one of ${RUNTIME_ROLES.join(', ')}, or unset it for api.`,
    ),
  ];
}

export function checkCatalogue({ config }: Deployment): Finding[] {
  try {
    const { models, fromFile } = loadModels(config.SERVICE_MODEL_CATALOG, { prices: config.SERVICE_MODEL_PRICES });
    const own = fromFile.size === 0 ? '' : `, ${fromFile.size} of them from SERVICE_MODEL_CATALOG`;
    return [ok(`the model catalogue has ${models.length} models${own}`)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      fault(
        'SERVICE_MODEL_CATALOG is not a valid model catalogue',
        'The web server and the runtime do not start; those that run keep the former catalogue.',
        error.message,
      ),
    ];
  }
}

export function checkLimits({ config, exposed }: Deployment): Finding[] {
  if (!config.DISABLE_KV_STORE)
    return [ok(`a person may send ${config.SERVICE_CHAT_REQUESTS_PER_MINUTE} chat requests per minute`)];
  const what = 'DISABLE_KV_STORE is true: there is no limit on chat requests';
  return [
    exposed
      ? warning(
          what,
          'One person, or one stolen token, can spend the whole budget of an organization within minutes.',
          'Unset DISABLE_KV_STORE.',
        )
      : { level: 'notice', what },
  ];
}

/** What the deployment's own keys may have to pay in a month. */
export async function checkPlatformCredit({ config, storage }: Deployment): Promise<Finding[]> {
  if (KEY_VARIABLES.every((variable) => config[variable] === undefined))
    return [ok('there is no platform credit: every organization brings its own key')];
  const spent = ((await readPlatformMonth(await storage())).spentMicros / 1e6).toFixed(2);
  const limit = config.SERVICE_PLATFORM_MONTHLY_LIMIT_USD;
  if (limit === undefined)
    return [
      {
        level: 'notice',
        what: `$${spent} of platform credit was used this month; only the budgets of the organizations limit it (SERVICE_PLATFORM_MONTHLY_LIMIT_USD is not set)`,
      },
    ];
  if (Number(spent) >= limit * 0.9)
    return [
      warning(
        `$${spent} of the $${limit} of platform credit for this month was used`,
        'Once it is used up, requests on platform credit are refused until the month ends.',
        'Raise SERVICE_PLATFORM_MONTHLY_LIMIT_USD, or let organizations bring their own keys.',
      ),
    ];
  return [ok(`$${spent} of the $${limit} of platform credit for this month was used`)];
}

function nearest(name: string): VariableName | undefined {
  // Older names contained the provider's own name.
  const plain = name.replace('_NANGO', '');
  const ranked = (Object.keys(ENVIRONMENT) as VariableName[])
    .map((known) => ({ known, distance: distanceBetween(plain, known) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= LONGEST_TYPO ? best.known : undefined;
}

/** Levenshtein distance. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
