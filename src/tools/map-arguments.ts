// Validated arguments as one request to the app. A typed tool's path parameters are encoded into its path; the rest
// become the query of a GET, or a JSON body. No value can add a path segment, leave one, or reach another address.
import { AppError } from '../base/errors.ts';
import type { ProxyTool } from '../catalog/connector-types.ts';
import { findUrlFault, findValueFault } from './find-url-fault.ts';
import { isDotSegment, parseResourcePath } from './parse-resource-path.ts';
import type { Arguments, AppRequest } from './provider-call.ts';

export const MAX_REQUEST_BYTES = 1024 * 1024;

const MAX_QUERY_PAIRS = 10_000;
const DECODE_ROUNDS = 10;
/** Values that cannot contain a dot segment in any encoding. */
const PLAIN = /^[A-Za-z0-9_-]+$/;

/** The arguments of `read-provider-resource` as a GET. Throws `invalid_request`. */
export function readRequest(given: Arguments): AppRequest {
  const parsed = parseResourcePath(String(given['path']));
  if (!parsed.ok) throw new AppError('invalid_request', { 'arguments.path': parsed.fault });
  const query = [
    ...parsed.value.query,
    ...Object.entries(given['query'] ?? {}).flatMap(([name, value]) => toPairs(name, value, `query.${name}`)),
  ];
  if (query.length > MAX_QUERY_PAIRS)
    throw new AppError('invalid_request', { 'arguments.query': `must have at most ${MAX_QUERY_PAIRS} values` });
  return { method: 'GET', path: parsed.value.path, query };
}

export function mapArguments(tool: ProxyTool, given: Arguments): AppRequest {
  const { method, pathParameters } = tool;
  const path = fillPath(tool, given);
  const names = Object.keys(given).filter((name) => !pathParameters.includes(name));
  const base = tool.baseUrl === undefined ? undefined : { baseUrl: tool.baseUrl };
  if (method !== 'GET')
    return {
      method,
      path,
      query: [],
      body: encodeBody(Object.fromEntries(names.map((name) => [name, given[name]]))),
      ...base,
    };
  const query: [string, string][] = [];
  for (const name of names) query.push(...toPairs(name, given[name]));
  return { method, path, query, ...base };
}

/** Each tool's path is split once: literal text at even indexes, parameter names at odd ones. */
const pathParts = new WeakMap<ProxyTool, readonly string[]>();

function fillPath(tool: ProxyTool, given: Arguments): string {
  let parts = pathParts.get(tool);
  if (!parts) pathParts.set(tool, (parts = tool.path.split(/\{([^{}]+)\}/)));
  let path = '';
  for (const [at, part] of parts.entries()) path += at % 2 === 0 ? part : encodeParameter(part, given[part]);
  return path;
}

/** One query parameter; an array repeats its key. The schema ensures that values are scalars. */
function toPairs(name: string, value: unknown, at = name): [string, string][] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => {
    const text = typeof one === 'object' && one !== null ? JSON.stringify(one) : String(one);
    const fault = findUrlFault(name) ?? findValueFault(text);
    if (fault !== undefined) throw new AppError('invalid_request', { [`arguments.${at}`]: fault });
    return [name, text];
  });
}

function encodeParameter(name: string, value: unknown): string {
  const text = String(value);
  const fault = text === '' ? 'must not be empty' : (findUrlFault(text) ?? findSegmentFault(text));
  if (fault !== undefined) throw new AppError('invalid_request', { [`arguments.${name}`]: fault });
  return encodeURIComponent(text);
}

/** A slash in a value is encoded and stays within its segment. If a server decodes it anyway, no part may be `..`. */
function findSegmentFault(text: string): string | undefined {
  if (PLAIN.test(text)) return undefined;
  let form = text;
  for (let round = 0; round <= DECODE_ROUNDS; round++) {
    if (form.split(/[/\\]/).some(isDotSegment)) return 'must not contain . or .. segments';
    const fault = findUrlFault(form);
    if (fault !== undefined) return fault;
    const next = form.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeLeniently);
    if (next === form) return undefined;
    form = next;
  }
  return 'is encoded too many times';
}

function decodeLeniently(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

function encodeBody(body: Arguments): string {
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) > MAX_REQUEST_BYTES)
    throw new AppError('request_too_large', { limitBytes: MAX_REQUEST_BYTES });
  return text;
}
