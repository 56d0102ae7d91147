// The schema that is advertised is the one that is enforced: strict, nothing coerced, nothing filled in. Each is
// compiled when it is first needed and kept with the schema itself.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { AppError } from '../base/errors.ts';
import type { InputSchema } from '../catalog/connector-types.ts';

export interface SchemaChecks {
  /** Throws `invalid_request` with a line for each argument that does not fit. */
  check(schema: InputSchema, given: unknown): void;
}

const MAX_ERRORS = 20;

export function createSchemaChecks(): SchemaChecks {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: false, coerceTypes: false, useDefaults: false, ownProperties: true });
  const compiled = new WeakMap<InputSchema, ValidateFunction>();

  return {
    check(schema, given) {
      let validate = compiled.get(schema);
      if (!validate) compiled.set(schema, (validate = ajv.compile(schema)));
      if (!validate(given)) throw new AppError('invalid_request', Object.fromEntries((validate.errors ?? []).slice(0, MAX_ERRORS).map(toLine)));
    },
  };
}

function toLine({ instancePath, keyword, params, message }: ErrorObject): [string, string] {
  const at = ['arguments', ...instancePath.split('/').slice(1).map(unescapePointer)];
  if (keyword === 'additionalProperties') return [[...at, String((params as { additionalProperty?: unknown }).additionalProperty)].join('.'), 'is not a known field'];
  if (keyword === 'required') return [[...at, String((params as { missingProperty?: unknown }).missingProperty)].join('.'), 'is required'];
  return [at.join('.'), message ?? 'is not valid'];
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
