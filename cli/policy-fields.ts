// The fields of an organization's policy as `policy` shows and sets them: how a value is read, and what it does.
import { usage } from './failure.ts';
import type { OrganizationPolicy } from '../src/contract/policy.ts';

type Policy = Omit<OrganizationPolicy, 'providerKeySummary'>;

/** What a setting changes: live traffic, only the pages of the web app, or nothing. */
type Effect = 'enforced' | 'browser only' | 'stored';

interface Field {
  readonly field: keyof Policy;
  readonly kind: 'switch' | 'list' | 'map';
  readonly effect: Effect;
  /** For a switch: when it is on, and when it is off. */
  readonly says: readonly [on: string, off: string];
}

const NOT_ENFORCED = 'It is stored, but nothing reads it.';

/** By the name on the command line. */
export const POLICY_FIELDS = {
  'disabled-providers': {
    field: 'disabledProviders',
    kind: 'list',
    effect: 'enforced',
    says: ['Requests for models of these providers are refused.', 'No provider is disabled.'],
  },
  'disabled-models': {
    field: 'disabledModels',
    kind: 'list',
    effect: 'enforced',
    says: ['Requests for these models are refused.', 'No model is disabled.'],
  },
  'require-zdr': {
    field: 'requireZdr',
    kind: 'switch',
    effect: 'enforced',
    says: [
      'Only models with zero data retention are answered; an organization key lifts this for models of its provider.',
      'Models without zero data retention are answered too.',
    ],
  },
  'enforce-study-mode': {
    field: 'enforceStudyMode',
    kind: 'switch',
    effect: 'enforced',
    says: [
      'Every chat request uses the Study Mode model, which no provider serves: chat requests fail until this is off.',
      'Requests use the model that they name.',
    ],
  },
  'require-provider-key': {
    field: 'requireProviderKey',
    kind: 'switch',
    effect: 'browser only',
    says: [
      'The web app lists only models of providers with an organization key. Requests over /v1 are not refused.',
      'The web app lists all models that the policy allows.',
    ],
  },
  'allow-unlisted-models': {
    field: 'allowUnlistedModels',
    kind: 'switch',
    effect: 'enforced',
    says: [
      'Own keys serve models of their provider that the catalogue does not list. Their cost is unknown.',
      'Own keys serve only models that the catalogue lists.',
    ],
  },
  'inherit-organization-keys': {
    field: 'inheritOrganizationKeys',
    kind: 'switch',
    effect: 'enforced',
    says: [
      "Workspaces without their own key use the organization's in chat.",
      "Workspaces do not use the organization's keys in chat.",
    ],
  },
  'disable-sharing': {
    field: 'disableSharing',
    kind: 'switch',
    effect: 'enforced',
    says: [
      'Nobody can share a chat by link, and existing links do not open.',
      'Members can share a copy of a chat with its workspace.',
    ],
  },
  'require-second-factor': {
    field: 'requireSecondFactor',
    kind: 'switch',
    effect: 'enforced',
    says: [
      'Members whose session has no second factor cannot open the organization. Named tokens keep working.',
      'Members need no second factor.',
    ],
  },
  'tool-switches': {
    field: 'toolSwitches',
    kind: 'map',
    effect: 'stored',
    says: [`${NOT_ENFORCED} Chat requests never include provider tools.`, ''],
  },
  modules: { field: 'modules', kind: 'map', effect: 'stored', says: [NOT_ENFORCED, ''] },
} as const satisfies Readonly<Record<string, Field>>;

export type PolicyFieldName = keyof typeof POLICY_FIELDS;
export const POLICY_NAMES = Object.keys(POLICY_FIELDS) as PolicyFieldName[];

export type ListChange = 'replace' | 'add' | 'remove';

/** Splits `modules.rateLimiting` into the field and the entry of it. */
export function readField(given: string): { readonly name: PolicyFieldName; readonly entry: string | undefined } {
  const dot = given.indexOf('.');
  const [name, entry] = dot < 0 ? [given, undefined] : [given.slice(0, dot), given.slice(dot + 1)];
  const known = POLICY_NAMES.find((one) => one === name);
  if (known === undefined) throw usage('there is no such field of the policy', `It has: ${POLICY_NAMES.join(', ')}`);
  const isMap = POLICY_FIELDS[known].kind === 'map';
  if (isMap && !entry)
    throw usage(`${known} needs an entry`, `For example: servicectl policy set ${known}.${EXAMPLES[known] ?? 'name'}`);
  if (!isMap && entry !== undefined) throw usage(`${known} has no entries`);
  return { name: known, entry };
}

const EXAMPLES: Readonly<Record<string, string>> = {
  'tool-switches': 'web_search off',
  modules: `rateLimiting '{"enabled":true}'`,
};

/** The change of the policy that the values stand for. */
export function toChange(
  { name, entry }: ReturnType<typeof readField>,
  values: readonly string[],
  how: ListChange,
  before: Policy,
): Partial<Policy> {
  const { field, kind }: Field = POLICY_FIELDS[name];
  if (kind === 'list') return { [field]: changeList(before[field] as readonly string[], values, how) };
  if (how !== 'replace') throw usage(`--add and --remove are for lists, and ${name} is not one`);
  const [value, ...more] = values;
  if (value === undefined || more.length > 0) throw usage(`${name} takes one value`);
  if (kind === 'switch') return { [field]: readSwitch(name, value) };
  const whole = field === 'modules' ? {} : (before[field] as Record<string, unknown>);
  return { [field]: { ...whole, [entry ?? '']: readValue(name, value) } };
}

function changeList(before: readonly string[], values: readonly string[], how: ListChange): string[] {
  if (values.length === 0) throw usage('give the values, or none to empty the list');
  if (how === 'add') return [...new Set([...before, ...values])];
  if (how === 'remove') return before.filter((one) => !values.includes(one));
  return values.length === 1 && values[0] === 'none' ? [] : [...values];
}

function readSwitch(name: string, value: string): boolean {
  if (value === 'on' || value === 'off') return value === 'on';
  throw usage(`${name} takes on or off`);
}

function readValue(name: string, value: string): unknown {
  if (value === 'on' || value === 'off') return value === 'on';
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw usage(`${name} takes on, off or JSON`);
  }
}

export function showValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(' ');
  return JSON.stringify(value);
}

/** What the field does with this value. */
export function describeEffect(name: PolicyFieldName, value: unknown): string {
  const { kind, says }: Field = POLICY_FIELDS[name];
  const isOn = kind === 'map' || (Array.isArray(value) ? value.length > 0 : value === true);
  return says[isOn ? 0 : 1];
}
