// Validates with the same schema and strictness as the service, so that an invalid call is never sent.
import { Ajv, type ErrorObject } from 'ajv';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';

export function checkArguments(tool: string, schema: object, given: Readonly<Record<string, unknown>>): void {
  const validate = new Ajv({
    strict: false,
    allowUnionTypes: true,
    allErrors: true,
    coerceTypes: false,
    useDefaults: false,
  }).compile(schema);
  if (validate(given)) return;
  const faults = Object.fromEntries((validate.errors ?? []).map(toLine));
  throw new Failure(`invalid arguments for ${tool}; nothing was sent`, {
    exit: EXIT.usage,
    error: 'invalid_request',
    details: faults,
    next: 'Run servicectl tools <connection> --json to see the arguments of each tool.',
  });
}

function toLine({ instancePath, keyword, params, message }: ErrorObject): [string, string] {
  const at = ['arguments', ...instancePath.split('/').slice(1)];
  if (keyword === 'additionalProperties')
    return [
      [...at, String((params as { additionalProperty?: unknown }).additionalProperty)].join('.'),
      'is not a known argument',
    ];
  if (keyword === 'required')
    return [[...at, String((params as { missingProperty?: unknown }).missingProperty)].join('.'), 'is required'];
  return [at.join('.'), message ?? 'is not valid'];
}
