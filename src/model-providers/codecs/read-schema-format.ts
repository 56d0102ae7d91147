import type { OutputFormat } from './neutral.ts';
import { isAbsent, readFlag, readName, readObject, readOptionalText, type Faults } from './read-fields.ts';

/** `{name, schema, strict, description}`, as both OpenAI surfaces request structured output. */
export function readSchemaFormat(value: unknown, path: string, faults: Faults): OutputFormat {
  const format = readObject(value, path, faults);
  return {
    type: 'json-schema',
    name: readName(format['name'], `${path}.name`, faults),
    schema: isAbsent(format['schema']) ? {} : readObject(format['schema'], `${path}.schema`, faults),
    strict: readFlag(format['strict'], `${path}.strict`, faults) ?? false,
    description: readOptionalText(format['description'], `${path}.description`, faults),
  };
}
