import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readAuthorization } from './authorization.ts';
import { packageRoot } from '../process/package-root.ts';

it.each<[string, ReturnType<typeof readAuthorization>]>([
  ['Bearer abc', { kind: 'bearer', token: 'abc' }],
  ['bearer   abc  ', { kind: 'bearer', token: 'abc' }],
  ['Bearer a b', { kind: 'bearer', token: 'a b' }],
  ['Bearer', { kind: 'malformed' }],
  ['Bearer ', { kind: 'malformed' }],
  ['Bearerabc', { kind: 'malformed' }],
  ['Bearer\tabc', { kind: 'malformed' }],
  ['Basic eDp5', { kind: 'malformed' }],
  ['abc', { kind: 'malformed' }],
  ['', { kind: 'malformed' }],
])('reads %j the same from either kind of headers', (authorization, expected) => {
  expect(readAuthorization(new Headers({ authorization }))).toEqual(expected);
  expect(readAuthorization({ authorization })).toEqual(expected);
});

it('is absent without a header', () => {
  expect(readAuthorization(new Headers())).toEqual({ kind: 'absent' });
  expect(readAuthorization({})).toEqual({ kind: 'absent' });
});

const READS =
  /(?:\bget|\bheader|[rR]eadHeader|headerOf)\([^)]*['"]authorization['"]|headers\??\.authorization\b|headers\??\.?\[['"]authorization['"]\]/i;

it('is the only place of the service that reads the header', () => {
  const root = packageRoot();
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`);
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect(sources.filter((file) => READS.test(readFileSync(join(root, file), 'utf8')))).toEqual([
    'src/net/authorization.ts',
  ]);
});
