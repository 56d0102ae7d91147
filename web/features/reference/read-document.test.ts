import { describe, expect, it } from 'vitest';
import {
  type ApiDocument,
  listAnswers,
  listFields,
  listSections,
  type Operation,
  type Schema,
} from './read-document.ts';

const operation = (summary: string, tag: string): Operation => ({
  operationId: summary,
  summary,
  tags: [tag],
  responses: {},
  security: [],
});
const document: ApiDocument = {
  info: { title: 'T', version: '1' },
  tags: [{ name: 'Runs', description: 'Work in the background.' }, { name: 'Chat' }],
  paths: {
    '/jobs': { get: operation('List runs', 'Runs'), post: operation('Start a run', 'Runs') },
    '/chat': { post: operation('Ask', 'Chat') },
  },
  components: {
    schemas: { Error: { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] } },
    responses: { Error404: { description: 'There is none' } },
    securitySchemes: {},
  },
};
const names = (schema: Schema): string[] =>
  listFields(document, schema).map(({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`);

describe('operations', () => {
  it('are grouped by subject, in the order of the document', () => {
    expect(
      listSections(document, '').map(({ tag, entries }) => [
        tag,
        entries.map(({ method, path }) => `${method} ${path}`),
      ]),
    ).toEqual([
      ['Runs', ['GET /jobs', 'POST /jobs']],
      ['Chat', ['POST /chat']],
    ]);
  });

  it('have the description of their subject', () => {
    expect(listSections(document, '').map(({ description }) => description)).toEqual(['Work in the background.', '']);
  });

  it('are found by every word, in the method, the path or the summary', () => {
    expect(listSections(document, 'POST run').flatMap(({ entries }) => entries.map(({ summary }) => summary))).toEqual([
      'Start a run',
    ]);
    expect(listSections(document, 'nothing')).toEqual([]);
  });
});

describe('answers', () => {
  it('are those of the operation, and a line for each shared error', () => {
    const responses = {
      200: { description: 'Done' },
      404: { $ref: '#/components/responses/Error404' },
      default: { description: 'Otherwise' },
    };
    expect(listAnswers(document, { ...operation('Ask', 'Chat'), responses })).toEqual({
      own: [
        ['200', { description: 'Done' }],
        ['default', { description: 'Otherwise' }],
      ],
      refusals: [{ status: '404', text: 'There is none' }],
    });
  });
});

describe('fields', () => {
  it('are named by their path, through objects and lists', () => {
    const schema: Schema = {
      type: 'object',
      required: ['message'],
      properties: {
        message: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
        threads: { type: 'array', items: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } },
      },
    };
    expect(names(schema)).toEqual([
      'message: object',
      'message.text: string',
      'threads?: object[]',
      'threads[].id: string',
    ]);
  });

  it('follow references, and list each variant once', () => {
    expect(names({ $ref: '#/components/schemas/Error' })).toEqual(['error: string']);
    const variants: Schema = {
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
        { type: 'object', required: ['a', 'b'], properties: { a: { const: 1 }, b: { enum: ['x', 'y'] } } },
      ],
    };
    expect(names(variants)).toEqual(['a: 1', 'b: "x" | "y"']);
  });

  it('of an array have the same names in a union', () => {
    const parts: Schema = {
      type: 'array',
      items: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
    };
    expect(names({ type: 'object', properties: { content: { anyOf: [{ type: 'string' }, parts] } } })).toEqual([
      'content?: string | object[]',
      'content[].text: string',
    ]);
    expect(names({ type: 'object', properties: { rows: { type: 'array', items: parts } } })).toEqual([
      'rows?: object[][]',
      'rows[][].text: string',
    ]);
  });

  it('stop at recursive schemas', () => {
    const endless: { properties: Record<string, Schema> } = { properties: {} };
    endless.properties['self'] = endless;
    expect(listFields(document, endless).length).toBeLessThan(10);
  });
});
