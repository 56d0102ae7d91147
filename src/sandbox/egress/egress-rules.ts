// Where a sandbox may connect: nowhere, unless a rule allows it. There are two kinds: hosts it may reach directly, and
// brokers, which represent one API or host each and add the credential that the sandbox never sees.
import type { PlacedSecret } from './fill-placeholders.ts';

export interface BrokerRule {
  /** The host name by which the sandbox knows it, such as openai.broker. */
  readonly host: string;
  /** Origin and path prefix of the real API. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Exact paths; a segment `*` matches any one segment, as the last one everything beneath. `GET /path` allows one
   * method only.
   */
  readonly paths: readonly string[];
  /** It stands for a host by its own name: every path, but only these methods, and what the run sends as a credential passes. */
  readonly methods?: readonly string[] | undefined;
  /** Whether placeholders of secrets are filled in the headers of what it is sent. */
  readonly fills?: boolean;
  /** The only ref that a push may create or update; without it nothing can be pushed through this broker. */
  readonly pushes?: string | undefined;
  /** Exact paths to which a read-only GraphQL request may be posted. */
  readonly queries?: readonly string[];
  /** Whether a user chose the target, which must then have a public address. */
  readonly publicOnly?: boolean;
  readonly maxRequests: number;
  readonly maxBytes: number;
}

export interface EgressRules {
  /** `host:port`; a host that begins with `*.` matches every name beneath it, `<region>` the name of a cloud region. */
  readonly allow: readonly string[];
  readonly brokers: readonly BrokerRule[];
  /** For the brokers that fill them in. */
  readonly secrets?: readonly PlacedSecret[];
}

export function mayReach(rules: EgressRules, host: string, port: number): boolean {
  const name = bare(host).replace(/\.$/, '');
  return rules.allow.some((rule) => {
    const split = rule.lastIndexOf(':');
    if (Number(rule.slice(split + 1)) !== port) return false;
    const wanted = bare(rule.slice(0, split));
    return isNamed(wanted, name);
  });
}

function isNamed(wanted: string, name: string): boolean {
  if (wanted.includes('<region>')) return patternOf(wanted).test(name);
  return wanted.startsWith('*.') ? name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1 : name === wanted;
}

/** As AWS and Google name them: us-east-1, us-gov-west-1, europe-west10. */
const REGION = '(?:[a-z]{2}(?:-[a-z]+)+-\\d{1,2}|[a-z]+-[a-z]+\\d{1,2})';

function patternOf(wanted: string): RegExp {
  const [, any = '', rest = ''] = /^(\*\.)?(.*)$/.exec(wanted) ?? [];
  const named = rest
    .split('<region>')
    .map((text) => text.replaceAll(/[^a-z0-9-]/g, '\\$&'))
    .join(REGION);
  return new RegExp(`^${any === '' ? '' : '[^/]+\\.'}${named}$`);
}

/** An IPv6 address may be in brackets or not. */
function bare(host: string): string {
  return host.toLowerCase().replace(/^\[|\]$/g, '');
}

/** A connection and the environment may both name a host: by https it is the environment's. */
export function findBroker(rules: EgressRules, host: string, byTls = false): BrokerRule | undefined {
  const named = rules.brokers.filter((broker) => broker.host.toLowerCase() === host.toLowerCase());
  return named.find(({ methods }) => (methods !== undefined) === byTls) ?? (byTls ? undefined : named[0]);
}

/** The port by which a broker for a host is asked for by https; undefined for one that has a name of its own. */
export function tlsPortOf({ methods, target }: Pick<BrokerRule, 'methods' | 'target'>): number | undefined {
  if (methods === undefined) return undefined;
  const { port } = new URL(target);
  return port === '' ? 443 : Number(port);
}

/** A path that two servers could interpret differently matches no rule. */
const AMBIGUOUS = /%(?:2e|2f|5c|00)|\\|\/\/|(?:^|\/)\.{1,2}(?:\/|$)|[^\x21-\x7e]/i;

export function mayAsk(broker: Pick<BrokerRule, 'paths'>, method: string, path: string): boolean {
  if (!path.startsWith('/') || AMBIGUOUS.test(path)) return false;
  return broker.paths.some((rule) => {
    const { only, pattern } = readRule(rule);
    return (only === undefined || only === method) && matches(pattern.split('/'), path.split('/'));
  });
}

/** Whether one of the broker's paths is open to one method only. */
export function bindsMethods({ paths }: Pick<BrokerRule, 'paths'>): boolean {
  return paths.some((rule) => readRule(rule).only !== undefined);
}

/** Whether a request is a push: its body is judged, too. */
export function isPush(method: string, path: string): boolean {
  return method === 'POST' && path.endsWith('/git-receive-pack');
}

function readRule(rule: string): { only: string | undefined; pattern: string } {
  const [, only, pattern = rule] = /^([A-Z]+) (.*)$/.exec(rule) ?? [];
  return { only, pattern };
}

/** Whether the path is one for queries, however it is spelled: then it accepts nothing but queries. */
export function isQueryPath({ queries = [] }: Pick<BrokerRule, 'queries'>, path: string): boolean {
  const wanted = plainSteps(
    path.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
  );
  return queries.some((query) => plainSteps(query) === wanted);
}

function plainSteps(path: string): string {
  return path
    .toLowerCase()
    .split('/')
    .map((step) => step.replace(/;.*$/, ''))
    .filter((step) => step !== '')
    .join('/');
}

function matches(pattern: readonly string[], steps: readonly string[]): boolean {
  const open = pattern.at(-1) === '*';
  if (open ? steps.length < pattern.length : steps.length !== pattern.length) return false;
  return pattern.every((wanted, index) => (wanted === '*' ? steps[index] !== '' : wanted === steps[index]));
}
