import { type InputSchema, type Manifest, READ_TOOL_NAME, type ReadTool } from './connector-types.ts';

// `null` does not count as a scalar here. The pattern means "one slash, not two" without a look-ahead, which linear-time
// regular expression engines lack; the path parser checks everything else.
const INPUT_SCHEMA: InputSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'API path, without query string.', maxLength: 4096, pattern: '^/([^/]|$)' },
    query: {
      type: 'object',
      description: 'Query parameters.',
      maxProperties: 100,
      additionalProperties: {
        type: ['string', 'number', 'boolean', 'array'],
        maxLength: 8192,
        maxItems: 100,
        items: { type: ['string', 'number', 'boolean'], maxLength: 8192 },
      },
    },
  },
  required: ['path'],
  additionalProperties: false,
};

export function readProviderResource({ name, read }: Pick<Manifest, 'name' | 'read'>): ReadTool {
  const examples = read ? `, such as ${read.examples.join(', ')}` : '';
  const note = read?.note === undefined ? '' : ` ${read.note}`;
  return {
    name: READ_TOOL_NAME,
    description: `Reads one resource of the ${name} API with GET${examples}.${note}`,
    access: 'read',
    inputSchema: INPUT_SCHEMA,
  };
}
