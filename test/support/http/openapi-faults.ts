// What is wrong with an OpenAPI 3.1 document, as sentences. Covers what clients and generators trip over: schemas that
// are none, references to nothing, parameters that the path lacks, ids used twice, operations that cannot be called.
import { Ajv2020 } from 'ajv/dist/2020.js';

interface Loose {
  readonly [name: string]: Loose | undefined;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: object;
}
/** Or a reference to one under `components`. */
export interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Record<string, { readonly schema?: object }>;
}
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema?: object }> };
  readonly responses?: Readonly<Record<string, Answer>>;
  readonly security?: readonly Record<string, unknown>[];
}
export interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, Answer>;
    readonly securitySchemes: Record<string, object>;
  };
}

/** Success without a body, besides 204. */
const BODILESS = ['POST /connect/mcp 202'];
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

export function operationsOf(
  document: Document,
): { name: string; path: string; method: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  );
}

export function findDocumentFaults(document: Document): string[] {
  const faults: string[] = [];
  if (!/^3\.1\.\d+$/.test(document.openapi)) faults.push(`openapi is ${document.openapi}`);
  if (!document.info.title || !document.info.version) faults.push('info lacks a title or a version');
  for (const reference of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
    if (!resolves(document, reference[1] ?? '')) faults.push(`${reference[1]} refers to nothing`);

  for (const { name, description } of document.tags)
    if (!description) faults.push(`the tag ${name} has no description: src/http/reference/tags.ts`);

  const ids = new Set<string>();
  for (const { name, path, method, operation } of operationsOf(document)) {
    const say = (fault: string): void => void faults.push(`${name}: ${fault}`);
    const { operationId = '', summary, tags = [], parameters = [], responses = {}, security } = operation;
    if (!METHODS.includes(method)) say('is not a method');
    if (operationId === '' || ids.has(operationId)) say(`its id '${operationId}' is missing or taken`);
    ids.add(operationId);
    if (!summary) say('has no summary');
    if (tags.length === 0 || !tags.every((tag) => document.tags.some((known) => known.name === tag)))
      say('has no tag, or one that is not declared');
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').toSorted();
    const declared = parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => parameter.name)
      .toSorted();
    if (inPath.join() !== declared.join())
      say(`path parameters are ${inPath.join()} but ${declared.join()} are declared`);
    if (parameters.some((parameter) => parameter.in === 'path' && parameter.required !== true))
      say('a path parameter is not required');
    if (!Object.keys(responses).some((status) => /^[123]\d\d$/.test(status))) say('never succeeds');
    if (!responses['default']) say('does not say how it fails');
    if (!Object.keys(responses).some((status) => /^4\d\d$/.test(status))) say('does not say what is refused');
    if (Object.values(responses).some((response) => response.$ref === undefined && response.description === undefined))
      say('a response has no description');
    for (const [status, answer] of Object.entries(responses))
      for (const fault of answerFaults(`${name} ${status}`, status, answer)) say(fault);
    if (security === undefined) say('does not say who may call it');
    for (const scheme of (security ?? []).flatMap((one) => Object.keys(one)))
      if (!document.components.securitySchemes[scheme]) say(`the security scheme ${scheme} is not declared`);
    if (method === 'get' && operation.requestBody) say('a GET has a body');
  }
  return [...faults, ...schemaFaults(document)];
}

/** Every success answer says what is in it, in each of its forms. */
function answerFaults(name: string, status: string, { content = {} }: Answer): string[] {
  if (!/^2\d\d$/.test(status) || status === '204' || BODILESS.includes(name)) return [];
  if (Object.keys(content).length === 0) return [`${status} has no schema: describe its answer in src/http/reference`];
  return Object.entries(content).flatMap(([type, { schema = {} }]) =>
    Object.keys(schema).length === 0 ? [`${status} has no schema for ${type}`] : [],
  );
}

/** Held against the JSON Schema dialect of OpenAPI 3.1; what they refer to is looked at apart. */
function schemaFaults(document: Document): string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const schemas = operationsOf(document).flatMap(({ name, operation }) => [
    ...(operation.parameters ?? []).flatMap(({ schema }) => (schema ? [{ name, schema }] : [])),
    ...[operation.requestBody, ...Object.values(operation.responses ?? {})].flatMap((part) =>
      Object.values(part?.content ?? {}).flatMap(({ schema }) => (schema ? [{ name, schema }] : [])),
    ),
  ]);
  const shared = Object.entries(document.components.schemas).map(([name, schema]) => ({ name, schema }));
  const refused = Object.entries(document.components.responses).flatMap(([name, { content = {} }]) =>
    Object.values(content).flatMap(({ schema }) => (schema ? [{ name, schema }] : [])),
  );
  return [...schemas, ...shared, ...refused].flatMap(({ name, schema }) =>
    ajv.validateSchema(schema) === true ? [] : [`${name}: a schema is none: ${ajv.errorsText()}`],
  );
}

function resolves(document: Document, reference: string): boolean {
  let at: Loose | undefined = document as unknown as Loose;
  for (const part of reference.replace(/^#\//, '').split('/')) at = at?.[part];
  return reference.startsWith('#/') && at !== undefined;
}
