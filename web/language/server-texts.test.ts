// What the server says in English has German words in the app, by its code, sentence or name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AppError, type ErrorCode, ERRORS } from '../../src/base/errors.ts';
import { ENFORCEMENT_MATRIX } from '../../src/enforcement/matrix.ts';
import { LOST_AUTHORITY } from '../../src/runs/record/run-authority.ts';
import { WAITING_REASONS } from '../../src/runs/record/waiting-reasons.ts';
import { german as errors } from '../api/error-strings.de.ts';
import { german as runs } from '../features/runs/strings.de.ts';
import { effectOf } from '../features/settings/page-effect.ts';
import { SETTINGS_PAGES } from '../features/settings/settings-pages.ts';
import { german as settings } from '../features/settings/strings.de.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const BY_SENTENCE = CODES.filter((code) => 'error' in ERRORS[code] && !code.endsWith('denied'));
const DETAILS = {
  area: 'members',
  denial: 'policy_denied:missing_provider_api_key',
  denials: ['policy_denied:model'],
  header: 'host',
  index: 3,
  prefix: 'sk-',
  provider: 'OpenAI',
  reason: 'hash_mismatch',
  stream: 'jobs/1',
  tool: 'create-issue',
};

it('has words for every code of the table of errors', () => {
  const known = { ...errors.errorTexts, ...errors.serverTexts, rate_limited: '', provider_key_denied: '' };
  expect(CODES.filter((code) => !BY_SENTENCE.includes(code) && !Object.hasOwn(known, code))).toEqual([]);
});

it('has words for no code that the table does not have', () => {
  const codes = Object.keys(errors.serverTexts).map((code) => code.split(':', 1)[0]);
  expect(codes.filter((code) => !CODES.includes(code as ErrorCode))).toEqual([]);
});

it.each(BY_SENTENCE)('knows the sentence of %s', (code) => {
  const sentence = new AppError(code, DETAILS).message;
  const isKnown = errors.serverSentences.some(({ said }) => {
    const pieces = said.split('{}');
    return sentence.startsWith(pieces[0] ?? '') && pieces.every((piece) => sentence.includes(piece));
  });
  expect([sentence, isKnown]).toEqual([sentence, true]);
});

it('knows no sentence that the server does not say', () => {
  const root = join(import.meta.dirname, '../../src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'"));
  const isSaid = (said: string): boolean => {
    const pieces = said.split('{}');
    return sources.some((source) => pieces.every((piece) => source.includes(piece)));
  };
  expect(errors.serverSentences.filter(({ said }) => !isSaid(said)).map(({ said }) => said)).toEqual([]);
});

it('has words for every reason to wait', () => {
  expect(Object.keys(runs.waitingTexts).toSorted()).toEqual(Object.keys(WAITING_REASONS).toSorted());
});

it('has words for every end of a run that its guide lists, and for each way to lose its authority', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/users/runs.md'), 'utf8');
  const [, table = ''] = /## How a run fails([^]*?)\n## /.exec(guide) ?? [];
  const listed = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z][a-z_]+)[:`]/g)].map(([, code]) => code ?? ''));
  expect(listed.length).toBeGreaterThan(15);
  const known = { ...errors.serverTexts, ...runs.endTexts };
  expect([...listed, ...Object.keys(LOST_AUTHORITY)].filter((code) => !Object.hasOwn(known, code))).toEqual([]);
});

it('names each control that is an exception on its page of settings', () => {
  const controls = ENFORCEMENT_MATRIX.map((row) => ({ ...row, pages: 'pages' in row ? [...row.pages] : [] }));
  const exceptions = [...SETTINGS_PAGES.map(({ page }) => page), 'compliance' as const].flatMap(
    (page) => effectOf(controls, page)?.exceptions ?? [],
  );
  expect(Object.keys(settings.controlNames).toSorted()).toEqual(exceptions.toSorted());
});
