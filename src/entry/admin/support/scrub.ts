// Removes from a text what must not leave the machine in a support bundle: secrets that are known, whatever looks like
// one, and what names people and machines. It is the second net: what goes into a bundle is chosen field by field, and
// texts that were written by people or by other programs are not among it.
import { packageRoot } from '../../../process/package-root.ts';
import { PARTS } from '../../../stack/parts.ts';
import { knownSecrets } from '../doctor/known-secrets.ts';
import type { Deployment } from '../doctor/deployment.ts';

export type Scrub = (text: string) => string;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, '[key]'],
  // Of a URL that is not of this machine only the scheme is kept.
  [/\b([a-z][a-z0-9+.-]{1,20}):\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])[:/\s,;)]|\/)[^\s"'<>\\]+/gi, '$1://[address]'],
  [/\b([a-z][a-z0-9+.-]{1,20}:\/\/[\w.:[\]/~%-]*)\?[^\s"'<>\\]*/gi, '$1?[query]'],
  [/[^\s"'<>@,;:()[\]{}/]+@[^\s"'<>@,;:()[\]{}/]+/g, '[address]'],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 [token]'],
  [/\beyJ[\w-]+(?:\.[\w-]*){1,4}/g, '[token]'],
  [/\b(?:sk|pk|rk|whsec|whsk|gh[a-z]|glpat|xox[a-z]|github_pat|AKIA|ASIA|ya29)[-_.]?[\w.-]{12,}/g, '[token]'],
  [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, '[uuid]'],
  // Long and mixed: a digit is followed by a letter at least twice, which names of files and migrations are not.
  [/(?<![\w+-])(?=(?:[\w+-]*?\d[A-Za-z]){2})[\w+-]{32,}={0,2}/g, '[token]'],
  [/(?<![\w+/])[A-Za-z\d+/]{38,}={1,2}/g, '[token]'],
  [/\b(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b/g, '[ip]'],
  [
    /(?<![\w:])(?:(?:[\da-f]{1,4}:){4,7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,5})?::[\da-f]{1,4}(?::[\da-f]{1,4}){0,5})(?![\w:])/gi,
    '[ip]',
  ],
  [/(\/(?:home|Users)\/)[^/\s"':]+/g, '$1[user]'],
];

/** `names`: further words to remove, such as the name of this machine. */
export function createScrub(secrets: readonly string[], names: readonly string[] = []): Scrub {
  const words = names.filter((name) => name.length > 1).map((name) => [wordOf(name), '[name]'] as const);
  return (text) => {
    let clean = text;
    for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[secret]');
    for (const [pattern, instead] of [...PATTERNS, ...words]) clean = clean.replace(pattern, instead);
    return clean;
  };
}

/** For everything that is known of a deployment: its secrets, its places on this machine, and the hosts that its variables name. */
export function scrubOf(deployment: Deployment, machine: string): Scrub {
  // A host of one word, such as that of a service in a container network, names a part and not a place.
  const hosts = Object.values(deployment.environment).flatMap((value = '') =>
    value.includes('://') && URL.canParse(value) ? [new URL(value).hostname] : [],
  );
  const names = [deployment.directory, packageRoot(), ...hosts.filter((host) => /[a-z].*\.|\..*[a-z]/i.test(host))];
  if (!Object.hasOwn(PARTS, machine) && machine !== 'localhost') names.push(machine);
  return createScrub(knownSecrets(deployment), [...new Set(names)]);
}

/** The same value with every text in it scrubbed. Names of fields are ours. */
export function scrubValue(value: unknown, scrub: Scrub): unknown {
  if (typeof value === 'string') return scrub(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((one) => scrubValue(one, scrub));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, scrubValue(one, scrub)]));
}

/** In the message of an error, values are quoted: of such a text the rest is kept. */
export function withoutQuoted(text: string): string {
  return text
    .replaceAll(/"[^"]*(?:"|$)|“[^”]*(?:”|$)|`[^`]*(?:`|$)|(?<!\w)'[^']*(?:'|$)/g, '…')
    .replaceAll(/\([^()]*\)=\([^()]*\)/g, '…');
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w-])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?![\\w-])`, 'gi');
}
