import { expect, it } from 'vitest';
import { createScrub } from './scrub.ts';
import { scrubLine, scrubLog } from './scrub-log.ts';

const scrub = createScrub(['hunter2-hunter2']);
const OBJECTIVE = 'write to my lawyer about the merger';
const entry = (more: object): string =>
  JSON.stringify({ level: 'error', time: '2026-01-31T10:15:00.000Z', part: 'web', pid: 7, ...more });
const read = (line: string): unknown => JSON.parse(scrubLine(line, scrub) ?? 'null');

it('keeps of a line what holds no content', () => {
  const stack = `Error: ${OBJECTIVE}\n    at start (file:///opt/dist/web.js:1:2)\n${OBJECTIVE}`;
  expect(
    read(
      entry({
        msg: 'request failed',
        requestId: 'req_1',
        route: '/v1/chat/completions',
        status: 500,
        organization: 'Acme',
        objective: OBJECTIVE,
        body: { text: OBJECTIVE },
        reason: OBJECTIVE,
        fault: 'away',
        err: {
          type: 'Error',
          message: OBJECTIVE,
          stack,
          detail: OBJECTIVE,
          cause: { type: 'TypeError', code: 'x', message: OBJECTIVE },
        },
      }),
    ),
  ).toEqual({
    level: 'error',
    time: '2026-01-31T10:15:00.000Z',
    part: 'web',
    pid: 7,
    msg: 'request failed',
    requestId: 'req_1',
    route: '/v1/chat/completions',
    status: 500,
    reason: '…',
    fault: 'away',
    err: {
      type: 'Error',
      stack: ['at start (file:///opt/dist/web.js:1:2)'],
      cause: { type: 'TypeError', code: 'x' },
    },
  });
});

it('keeps the message of an error of the system, without what it quotes', () => {
  const err = { type: 'error', code: '23505', message: `violates "${OBJECTIVE}"` };
  expect(read(entry({ err }))).toMatchObject({ err: { message: 'violates …', code: '23505' } });
});

it('finds the line behind what a journal puts before it', () => {
  expect(read(`Jan 31 10:15:00 alice service[7]: ${entry({ msg: 'stopping' })}`)).toMatchObject({ msg: 'stopping' });
});

it('removes secrets from the sentences that it keeps', () => {
  expect(read(entry({ msg: 'took hunter2-hunter2 for jo@acme.example', reason: 'hunter2-hunter2' }))).toMatchObject({
    msg: 'took [secret] for [address]',
    reason: '[secret]',
  });
  expect(read(entry({ msg: `identity: ${OBJECTIVE}` }))).toMatchObject({ msg: 'identity: …' });
});

it('keeps the messages of PostgreSQL, without statements and values', () => {
  const at = '2026-01-31 10:15:00.123 UTC [42] ';
  expect(scrubLine(`${at}ERROR:  duplicate key value violates unique constraint "u"`, scrub)).toBe(
    '2026-01-31 10:15:00.123 ERROR: duplicate key value violates unique constraint …',
  );
  expect(scrubLine(`${at}LOG:  duration: 3 ms  statement: insert into t values (${OBJECTIVE})`, scrub)).toBe(
    '2026-01-31 10:15:00.123 LOG: duration: 3 ms  …',
  );
  for (const line of [
    `${at}DETAIL:  Key (email)=(jo) exists`,
    `${at}STATEMENT:  select '${OBJECTIVE}'`,
    `\t${OBJECTIVE}`,
  ])
    expect(scrubLine(line, scrub)).toBeUndefined();
});

it('keeps a refused variable, a crash by its type and a frame, and counts the rest', () => {
  const log = [
    'web: SERVICE_WEB_PORT takes a port number from 1 to 65535.',
    `TypeError: ${OBJECTIVE}`,
    '    at node:internal/main:1:2',
    OBJECTIVE,
    `{"msg":"${OBJECTIVE}"}`,
    `    at the office, ${OBJECTIVE}:1:2`,
    `me: ERROR: ${OBJECTIVE}`,
    `web: MY_OWN_THING ${OBJECTIVE}`,
    '',
  ].join('\n');
  expect(scrubLog(log, scrub)).toBe(
    [
      'web: SERVICE_WEB_PORT takes a port number from 1 to 65535.',
      'TypeError',
      '    at node:internal/main:1:2',
      '[5 lines of other texts were left out]',
      '',
    ].join('\n'),
  );
});
