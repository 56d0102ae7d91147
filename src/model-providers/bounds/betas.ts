// The header `anthropic-beta`. It reaches Anthropic whoever pays, but for what this table names: on platform credit a
// switch that changes the price, or that reaches what is stored at Anthropic, is refused by name.
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../base/errors.ts';

const DEARER = 'it changes what the request costs';
const STORED = 'it reaches what is stored at the provider';
const CHARGED = 'the provider charges for what it runs';

export const REFUSED_BETAS: readonly (readonly [RegExp, string])[] = [
  [/^context-1m-/, DEARER],
  [/^fast-mode-/, DEARER],
  [/^output-300k-/, DEARER],
  [/^compact-/, DEARER],
  [/^server-side-fallback-/, DEARER],
  [/^fallback-credit-/, DEARER],
  [/^message-batches-/, DEARER],
  [/^advisor-tool-/, CHARGED],
  [/^code-execution-/, CHARGED],
  [/^web-(?:search|fetch)-/, CHARGED],
  [/^mcp-(?:client|tunnels|servers)-/, CHARGED],
  [/^skills-/, STORED],
  [/^files-api-/, STORED],
  [/^message-threads-/, STORED],
  [/^agent-memory-/, STORED],
  [/^managed-agents-/, STORED],
  [/^user-profiles-/, STORED],
  [/^dreaming-/, STORED],
];

const MOST = 50;
const NAME = /^[\w.-]{1,128}$/;

/** The switches that a client names; what is no name of one is not passed on. */
export function readBetas(headers: IncomingHttpHeaders): string[] {
  const header = headers['anthropic-beta'];
  if (header === undefined) return [];
  const names = [header]
    .flat()
    .flatMap((value) => value.split(','))
    .map((name) => name.trim());
  return [...new Set(names.filter((name) => NAME.test(name)))].slice(0, MOST);
}

/** Throws `invalid_request` with every switch that is not taken on platform credit. */
export function refuseBetas(betas: readonly string[]): void {
  const refused = betas.flatMap((name) => {
    const why = REFUSED_BETAS.find(([pattern]) => pattern.test(name))?.[1];
    return why === undefined ? [] : [`${name} (${why})`];
  });
  if (refused.length > 0)
    throw new AppError('invalid_request', { 'anthropic-beta': `not taken on platform credit: ${refused.join(', ')}` });
}
