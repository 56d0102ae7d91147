// What a version promises to those who use it, item by item: each route, variable, error and migration with a digest of
// what programs and operators rely on. Wording is left out: a better sentence is no change of the interface.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson, type Json } from '../src/base/canonical-json.ts';
import { ENVIRONMENT, ENVIRONMENT_PATTERNS } from '../src/base/environment.ts';
import { ERRORS } from '../src/base/errors.ts';
import { openApiDocument } from '../src/http/openapi.ts';

export const SURFACES = ['routes', 'environment', 'errors', 'migrations'] as const;
export type Surface = (typeof SURFACES)[number];
/** Digests by the name of the item. */
export type Items = Readonly<Record<string, string>>;
export type Surfaces = Readonly<Record<Surface, Items>>;

const DIGITS = 12;
const WORDING = new Set(['summary', 'description', 'help', 'example', 'examples', 'title']);

export async function readSurfaces(root: string): Promise<Surfaces> {
  return {
    routes: await readRoutes(),
    environment: readEnvironment(),
    errors: readErrors(),
    migrations: await readMigrations(root),
  };
}

/** By path, with every definition that its operations lead to. */
async function readRoutes(): Promise<Items> {
  const { paths = {}, components = {} } = await openApiDocument('https://agents.example.org');
  return Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => {
      const definitions = new Map<string, unknown>();
      collectDefinitions(operations, components, definitions);
      return [path, digest(withoutWording([operations, Object.fromEntries(definitions)]))];
    }),
  );
}

function collectDefinitions(value: unknown, components: object, found: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  const { $ref: reference } = value as { $ref?: unknown };
  if (typeof reference === 'string' && !found.has(reference)) {
    // `#/components/schemas/Error`
    const [, , ...names] = reference.split('/');
    const definition = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], components);
    found.set(reference, definition);
    collectDefinitions(definition, components, found);
  }
  for (const one of Object.values(value)) collectDefinitions(one, components, found);
}

function withoutWording(value: unknown): Json {
  if (Array.isArray(value)) return value.map(withoutWording);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value)
      // A property of a schema may have the name of such a field; its value is then an object.
      .filter(
        ([name, one]) => one !== undefined && !(WORDING.has(name) && (typeof one === 'string' || Array.isArray(one))),
      )
      .map(([name, one]) => [name, withoutWording(one)]),
  );
}

function readEnvironment(): Items {
  const rows: readonly (readonly [string, object])[] = [
    ...Object.entries(ENVIRONMENT),
    ...ENVIRONMENT_PATTERNS.map((row) => [row.name, row] as const),
  ];
  // What a support bundle tells of a variable is no promise to those who set it.
  return Object.fromEntries(rows.map(([name, row]) => [name, digest(withoutWording({ ...row, shown: undefined }))]));
}

function readErrors(): Items {
  return Object.fromEntries(
    Object.entries(ERRORS).map(([code, row]) => {
      const { status, error, retryable } = row as { status: number; error?: unknown; retryable?: true };
      return [code, digest([status, typeof error === 'string' ? error : null, retryable ?? false])];
    }),
  );
}

async function readMigrations(root: string): Promise<Items> {
  const names = (await readdir(join(root, 'migrations'))).filter((name) => /^\d{4}_/.test(name)).sort();
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, digest(await readFile(join(root, 'migrations', name), 'utf8'))] as const),
    ),
  );
}

function digest(value: Json): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, DIGITS);
}
