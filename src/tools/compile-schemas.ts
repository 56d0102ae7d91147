// The advertised schema is the one enforced: strict, without coercion or defaults. Each schema is compiled on first use
// and cached for as long as the schema object lives.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { AppError } from '../base/errors.ts';
import type { InputSchema } from '../catalog/connector-types.ts';

export interface SchemaChecks {
  /** Throws `invalid_request` with a line per invalid argument. */
  check(schema: InputSchema, given: unknown): void;
}

const MAX_LINES = 20;
/** For larger arguments only the first fault is listed: checking a million entries would cost more than the call. */
const MAX_LISTED_LENGTH = 65_536;

export function createSchemaChecks(): SchemaChecks {
  const validateFirst = compileOnce({ allErrors: false });
  const validateAll = compileOnce({ allErrors: true });

  return {
    check(schema, given) {
      const validate = validateFirst(schema);
      if (validate(given)) return;
      const thorough = JSON.stringify(given).length <= MAX_LISTED_LENGTH ? validateAll(schema) : validate;
      thorough(given);
      const lines = new Map((thorough.errors ?? []).map(toLine));
      throw new AppError('invalid_request', Object.fromEntries([...lines].slice(0, MAX_LINES)));
    },
  };
}

function compileOnce(options: { readonly allErrors: boolean }): (schema: InputSchema) => ValidateFunction {
  const ajv = new Ajv({
    strict: true,
    allowUnionTypes: true,
    coerceTypes: false,
    useDefaults: false,
    ownProperties: true,
    ...options,
  });
  const compiled = new WeakMap<InputSchema, ValidateFunction>();
  return (schema) => {
    let validate = compiled.get(schema);
    if (!validate) compiled.set(schema, (validate = ajv.compile(schema)));
    return validate;
  };
}

function toLine({ instancePath, keyword, params, message }: ErrorObject): [string, string] {
  const at = ['arguments', ...instancePath.split('/').slice(1).map(unescapePointer)];
  if (keyword === 'additionalProperties')
    return [
      [...at, String((params as { additionalProperty?: unknown }).additionalProperty)].join('.'),
      'is not a known field',
    ];
  if (keyword === 'required')
    return [[...at, String((params as { missingProperty?: unknown }).missingProperty)].join('.'), 'is required'];
  return [at.join('.'), message ?? 'is not valid'];
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
