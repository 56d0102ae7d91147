// A typed tool's validated arguments as one request to the provider: path parameters encoded into the path, the
// rest a query on a GET and a JSON body otherwise. No value can add a segment, leave one, or reach another address.
import { AppError } from '../base/errors.ts';
import type { ProxyTool } from '../catalog/connector-types.ts';
import { findUrlFault, findValueFault } from './find-url-fault.ts';
import { isDotSegment } from './parse-resource-path.ts';
import type { ProviderRequest } from './provider-request.ts';

export const MAX_REQUEST_BYTES = 1024 * 1024;

const DECODE_ROUNDS = 10;
/** Values in which nothing is a dot segment, in any form. */
const PLAIN = /^[A-Za-z0-9_-]+$/;

type Arguments = Readonly<Record<string, unknown>>;

export function mapArguments(tool: ProxyTool, given: Arguments): ProviderRequest {
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

/** A tool's path is fixed, so it is taken apart once: texts at even places, names of parameters between them. */
const pieces = new WeakMap<ProxyTool, readonly string[]>();

function fillPath(tool: ProxyTool, given: Arguments): string {
  let parts = pieces.get(tool);
  if (!parts) pieces.set(tool, (parts = tool.path.split(/\{([^{}]+)\}/)));
  let path = '';
  for (const [at, part] of parts.entries()) path += at % 2 === 0 ? part : encodeParameter(part, given[part]);
  return path;
}

/** One query parameter; an array repeats its key. Values are scalars, which the schema has seen to. */
export function toPairs(name: string, value: unknown, at = name): [string, string][] {
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

/** A slash inside a value is encoded and stays inside its segment; were it ever decoded on the way, no piece may climb. */
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
