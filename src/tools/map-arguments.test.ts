import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProxyTool } from '../catalog/connector-types.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { mapArguments } from './map-arguments.ts';
import { encodeQuery } from './provider-call.ts';

const TOOLS = loadConnectors().connectors.flatMap((connector) =>
  connector.surface === 'typed-proxy' ? connector.tools.map((tool) => ({ connector: connector.id, tool })) : [],
);
const BASE = 'https://api.provider.test/base';

const value = fc.oneof(
  fc.string({ maxLength: 20, unit: 'grapheme' }),
  fc.string({ maxLength: 8, unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '.',
        '..',
        '/',
        '\\',
        '%2e',
        '%2f',
        '%252e',
        '%',
        '${',
        '||',
        '?',
        '#',
        '&',
        ';',
        ' ',
        '\t',
        '\n',
        'a',
        '／',
        '．',
        '@evil.test',
        ':',
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join('')),
);

function fill(tool: ProxyTool, values: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(tool.inputSchema.properties).map((name, at) => [name, values[at % values.length] ?? 'x']),
  );
}

describe('arguments of the typed tools', () => {
  it('never change how many segments the path has, its origin, its base or another parameter', () => {
    let mapped = 0;
    fc.assert(
      fc.property(fc.constantFrom(...TOOLS), fc.array(value, { minLength: 1, maxLength: 4 }), ({ tool }, values) => {
        const given = fill(tool, values);
        let request;
        try {
          request = mapArguments(tool, given);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
          return;
        }
        mapped++;
        const url = new URL(BASE + request.path + encodeQuery(request.query));
        expect(url.origin).toBe(new URL(BASE).origin);
        expect(url.pathname.split('/').length).toBe(`/base${tool.path}`.split('/').length);
        expect(url.hash).toBe('');
        const segments = url.pathname.split('/').slice(2);
        tool.path
          .split('/')
          .slice(1)
          .forEach((template, at) => {
            const name = /^\{(.+)\}$/.exec(template)?.[1];
            if (name !== undefined) expect(decodeURIComponent(segments[at] ?? '')).toBe(given[name]);
            else if (!template.includes('{')) expect(segments[at]).toBe(template);
          });
        if (tool.method === 'GET')
          expect([...url.searchParams]).toEqual(
            Object.entries(given).filter(([name]) => !tool.pathParameters.includes(name)),
          );
        else
          expect(JSON.parse(request.body ?? '')).toEqual(
            Object.fromEntries(Object.entries(given).filter(([name]) => !tool.pathParameters.includes(name))),
          );
        expect(url.href).not.toMatch(/\$\{|\|\|/);
      }),
      { numRuns: 3_000 },
    );
    expect(mapped).toBeGreaterThan(500);
  });

  const tool = TOOLS.find(({ connector, tool: { name } }) => connector === 'gitlab' && name === 'get-project')
    ?.tool as ProxyTool;

  it.each([
    '.',
    '..',
    ' .. ',
    '..;x',
    'a/../b',
    'a\\..',
    '%2e%2e',
    '%252e%252e',
    'a/%2e%2e/b',
    '${x}',
    'a||b',
    '%24%7Bx',
    'a\nb',
    '\0',
    '\ud800',
    '',
  ])('%j is refused as a path parameter', (id) => {
    expect(() => mapArguments(tool, { id })).toThrow('invalid_request');
  });

  it.each([
    ['group/project', 'group%2Fproject'],
    ['a..b', 'a..b'],
    ['...', '...'],
    ['100%', '100%25'],
    ['a b?c#d', 'a%20b%3Fc%23d'],
    ['Sheet1!A1:D20', 'Sheet1!A1%3AD20'],
  ])('%j becomes %s', (id, encoded) => {
    expect(mapArguments(tool, { id }).path).toBe(`/api/v4/projects/${encoded}`);
  });

  it('refuses a body over 1 MiB', () => {
    const write = TOOLS.find(({ tool: { method, pathParameters } }) => method === 'POST' && pathParameters.length === 0)
      ?.tool as ProxyTool;
    expect(() => mapArguments(write, { text: 'ü'.repeat(524_288) })).toThrow('request_too_large');
  });
});
