import { expect, it } from 'vitest';
import { outcome } from '../../../test/support/people.ts';
import { AppError } from '../../base/errors.ts';
import { createGuessLimit, isMarked, markBrowser } from './guess-limit.ts';

const signing = { authSecret: 'a secret of the tests', publicUrl: 'https://service.example' };
const wrong = (): Promise<never> => Promise.reject(new AppError('invalid_credentials'));
const right = async (): Promise<string> => 'in';

function limited() {
  let at = 0;
  const limit = createGuessLimit(() => at);
  const guess = (network: string, known = false, check: () => Promise<unknown> = wrong) =>
    outcome(limit.guard({ email: 'ada@example.test', network, known }, check));
  return { guess, pass: (ms: number) => (at += ms) };
}

it('stops forty addresses that guess once each', async () => {
  const { guess } = limited();
  const answers = [];
  for (let i = 0; i < 40; i++) answers.push(await guess(`203.0.113.${i}`));
  expect(answers).toEqual([...Array(10).fill('invalid_credentials'), ...Array(30).fill('rate_limited')]);
});

it('counts concurrent guesses', async () => {
  const { guess } = limited();
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => guess(`203.0.113.${i}`)));
  expect(answers.filter((answer) => answer === 'invalid_credentials')).toHaveLength(10);
});

it('lets the person in from a browser that they know, whatever strangers do', async () => {
  const { guess } = limited();
  for (let i = 0; i < 500; i++) await guess(`203.0.113.${i % 250}`);
  expect(await guess('198.51.100.1', true, right)).toBe('ok');
});

it('lets a stranger try again after 15 minutes, however many guesses were refused in between', async () => {
  const { guess, pass } = limited();
  for (let i = 0; i < 30; i++) await guess(`203.0.113.${i}`);
  pass(15 * 60_000);
  expect(await guess('203.0.113.1', false, right)).toBe('ok');
});

it('stops a known browser too, and one network that tries many accounts', async () => {
  const { guess } = limited();
  for (let i = 0; i < 20; i++) expect(await guess(`203.0.113.${i}`, true)).toBe('invalid_credentials');
  expect(await guess('203.0.113.200', true)).toBe('rate_limited');
  const limit = createGuessLimit();
  const answers = [];
  for (let i = 0; i < 101; i++)
    answers.push(
      await outcome(limit.guard({ email: `person${i}@example.test`, network: '203.0.113.1', known: false }, wrong)),
    );
  expect(answers.at(99)).toBe('invalid_credentials');
  expect(answers.at(100)).toBe('rate_limited');
});

it('counts neither a right password nor a failure of the service', async () => {
  const { guess } = limited();
  for (let i = 0; i < 200; i++) await guess('203.0.113.1', false, right);
  for (let i = 0; i < 200; i++)
    expect(await guess('203.0.113.1', false, () => Promise.reject(new AppError('unavailable')))).toBe('unavailable');
  expect(await guess('203.0.113.1')).toBe('invalid_credentials');
});

it('marks a browser for one account, under its own secret', () => {
  const set = markBrowser('ada@example.test', '/api/auth', signing);
  expect(set).toMatch(
    /^service\.known_[0-9a-f]{16}=[0-9a-f]{64}; Max-Age=31536000; Path=\/api\/auth; HttpOnly; Secure; SameSite=Lax$/,
  );
  const cookie = `other=1; ${set.split(';')[0]}`;
  expect(isMarked(cookie, 'ada@example.test', signing)).toBe(true);
  expect(isMarked(cookie, 'bob@example.test', signing)).toBe(false);
  expect(isMarked(cookie, 'ada@example.test', { ...signing, authSecret: 'another' })).toBe(false);
  expect(isMarked(null, 'ada@example.test', signing)).toBe(false);
});
