// Whether an answer is one that the printed contract has: a JSON body fits the schema of its status, and of a stream of
// events the data of each.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer, Document } from '../http/openapi-faults.ts';

export type AnswerCheck = (name: string, status: number, text: string) => string[];

export function createAnswerCheck(document: Document): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const compiled = new Map<object, ValidateFunction>();

  function validatorOf(schema: object): ValidateFunction {
    const found = compiled.get(schema) ?? ajv.compile({ ...schema, components: document.components });
    compiled.set(schema, found);
    return found;
  }

  return (name, status, text) => {
    const [method = '', path = ''] = name.split(' ');
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const answer = responses[String(status)] ?? responses['default'];
    const declared = answer?.$ref === undefined ? answer : resolve(document, answer.$ref);
    if (status < 300 && !responses[String(status)]) return [`${name}: ${status} is not declared`];
    const body = parse(text);
    const type = body === undefined ? 'text/event-stream' : 'application/json';
    const content = declared?.content ?? {};
    const schema = (content[type] ?? content[type.replace('/json', '/scim+json')])?.schema;
    if (!schema) return [];
    const validate = validatorOf(schema);
    return (body === undefined ? dataOf(text) : [body]).flatMap((value) =>
      validate(value)
        ? []
        : [`${name}: ${status} ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value).slice(0, 300)}`],
    );
  };
}

function resolve(document: Document, reference: string): Answer | undefined {
  return document.components.responses[reference.replace('#/components/responses/', '')];
}

/** Undefined for what is not JSON: pages, files, streams. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Of every event but those that only say that the connection is alive. */
function dataOf(text: string): unknown[] {
  const events = text.split('\n\n').filter((event) => !event.startsWith('event: alive'));
  const lines = events.flatMap((event) =>
    event.split('\n').filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]'),
  );
  return lines.flatMap((line) => parse(line.slice('data: '.length)) ?? []);
}
