import { expect, it } from 'vitest';
import { judgePush } from './judge-push.ts';

const REF = 'refs/heads/runs/job_1';
const [OLD, NEW, NONE] = ['a'.repeat(40), 'b'.repeat(40), '0'.repeat(40)];
const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;
const push = (...lines: string[]): Buffer => Buffer.from(`${lines.map(line).join('')}0000PACK…`);
const CAPABILITIES = '\0 report-status side-band-64k object-format=sha1 agent=git/2.39';

it.each([
  ['creates the ref', [`${NONE} ${NEW} ${REF}${CAPABILITIES}`]],
  ['updates it', [`${OLD} ${NEW} ${REF}${CAPABILITIES}\n`]],
  ['comes from a copy without history', [`shallow ${OLD}`, `${NONE} ${NEW} ${REF}${CAPABILITIES}`]],
  ['has longer hashes', [`${'0'.repeat(64)} ${'b'.repeat(64)} ${REF}`]],
])('lets a push pass that %s', (_, lines) => {
  const whole = push(...lines);
  expect(judgePush(whole, REF)).toBe('fine');
  const flush = whole.indexOf('0000PACK');
  for (let end = 0; end < flush + 4; end++) expect(judgePush(whole.subarray(0, end), REF)).toBe('more');
});

it('lets the question pass that comes before a long push, and changes nothing', () => {
  expect(judgePush(Buffer.from('0000'), REF)).toBe('fine');
});

it.each([
  ['names another ref', [`${NONE} ${NEW} refs/heads/main${CAPABILITIES}`]],
  ['names a ref that begins so', [`${NONE} ${NEW} ${REF}x${CAPABILITIES}`]],
  ['names a ref below', [`${NONE} ${NEW} ${REF}/x${CAPABILITIES}`]],
  ['names it in another way', [`${NONE} ${NEW} refs/heads/../heads/runs/job_1`]],
  ['names it with a space', [`${NONE} ${NEW} ${REF} `]],
  ['deletes it', [`${OLD} ${NONE} ${REF}${CAPABILITIES}`]],
  ['has a second command', [`${NONE} ${NEW} ${REF}${CAPABILITIES}`, `${NONE} ${NEW} refs/heads/main`]],
  ['has the same command twice', [`${NONE} ${NEW} ${REF}${CAPABILITIES}`, `${NONE} ${NEW} ${REF}`]],
  ['has its second command in one line', [`${NONE} ${NEW} ${REF}\0x\n${NONE} ${NEW} refs/heads/main`]],
  ['has another ref behind a null', [`${NONE} ${NEW} refs/heads/main\0${REF}`]],
  ['brings options', [`${NONE} ${NEW} ${REF}\0 report-status push-options`]],
  ['is certified', [`push-cert\0x\n`, `${NONE} ${NEW} ${REF}`]],
  ['has a line behind its command', [`${NONE} ${NEW} ${REF}`, `shallow ${OLD}`]],
  ['is no push', ['want something']],
  ['has an empty line', ['']],
])('refuses a push that %s', (_, lines) => {
  expect(judgePush(push(...lines), REF)).toBe('refused');
});

it.each(['0001', '0002', '0003', '0004', 'zzzz', '-001', 'PACK'])('refuses the length %s', (length) => {
  expect(judgePush(Buffer.from(`${length}anything`), REF)).toBe('refused');
});
