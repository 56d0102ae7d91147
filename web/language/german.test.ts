// The app as a German page loads it: the language is read from the page once, when the modules are loaded.
import { ORPCError } from '@orpc/client';
import { afterAll, expect, it, vi } from 'vitest';

vi.resetModules();
vi.stubGlobal('document', { documentElement: { lang: 'de' } });
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});
await (await import('../translation.ts')).loadTranslation();
const format = await import('./format.ts');
const { readFault } = await import('../api/fault.ts');
const { explainProblem } = await import('../features/chat/answer/explain-problem.ts');
const { describeReceipt } = await import('../features/receipts/describe-receipt.ts');
const { describeTool } = await import('../features/receipts/describe-tool.ts');
const { GUARDRAIL_FIELDS } = await import('../features/guardrails/guardrail-fields.ts');
const { describeWeakness } = await import('../features/runs/sandbox/strings.ts');
const { describeKeyUse } = await import('../features/models-and-keys/strings.ts');

const said = (status: number, body: object): string =>
  readFault(new ORPCError('BAD_REQUEST', { status, data: body })).text;

it('writes numbers, money, sizes and durations as German does', () => {
  expect([
    format.formatNumber(12_345),
    format.formatExactCost(1_234.5),
    format.formatCost(0.001_2),
    format.formatSize(1_500),
    format.formatBytes(12),
    format.formatStepTime(1_500),
    format.formatList(['Speicher', 'Zeit']),
    format.formatDate(new Date(2026, 2, 1, 9, 5), 'moment'),
    format.formatDay('2026-03-01'),
    format.formatMonth('2026-03'),
    format.formatAgo(5, 'minute'),
  ]).toEqual([
    '12.345',
    '1.234,50\u00a0$',
    '0,0012\u00a0$',
    '1,5\u00a0kB',
    '12\u00a0Byte',
    '1,5\u00a0s',
    'Speicher und Zeit',
    '01.03.2026, 09:05',
    '01.03.2026',
    'März 2026',
    'vor 5 Min.',
  ]);
});

it('reads amounts as German types them', () => {
  expect(['12', '1,5', '1.234,5', '1.000', '2.5', 'viel'].map(format.parseAmount)).toEqual([
    12,
    1.5,
    1_234.5,
    1_000,
    2.5,
    Number.NaN,
  ]);
});

it('offers an amount for editing as it reads it', () => {
  expect(format.editAmount(1.234)).toBe('1,234');
  expect(format.parseAmount(format.editAmount(1.234))).toBe(1.234);
});

it('says errors by code, by the code before a colon, with a reason, and by sentence', () => {
  expect(said(409, { error: 'thread_busy', message: 'An answer is still being generated.' })).toMatch(
    /^In diesem Chat/,
  );
  expect(said(403, { error: 'policy_denied:model', message: 'Not allowed.' })).toMatch(/^Das gewählte KI-Modell/);
  expect(said(400, { error: 'provider_refused', message: 'The provider refused the request: no tools' })).toBe(
    'Der Anbieter hat die Anfrage abgelehnt: no tools',
  );
  expect(said(422, { error: 'OpenAI API keys must start with sk-.', message: 'Check it.' })).toBe(
    'API-Schlüssel von OpenAI müssen mit sk- beginnen.',
  );
  expect(said(429, { error: 'rate_limited', details: { retryAfterSeconds: 1 } })).toMatch(
    /in 1 Sekunde noch einmal\.$/,
  );
  expect(said(418, { error: 'a_new_code', message: 'Something new.' })).toBe('Something new.');
});

it('says the same when a kept fault is read again', () => {
  const once = said(409, { error: 'capability_unusable', message: "The capability 'github.work' is not available." });
  expect(once).toMatch(/^„github\.work“ ist gerade nicht verfügbar\./);
  const again = explainProblem('capability_unusable', once, new Set(['integrations']));
  expect(again).toMatchObject({ text: once, app: 'github' });
});

it('says who did what in a receipt', () => {
  const receipt = (actor: string): Parameters<typeof describeReceipt>[0] =>
    ({
      index: 1,
      at: '2026-03-01T10:00:00.000Z',
      kind: 'tool.observed',
      actor,
      body: { tool: 'list-issues', provider: 'github', status: 200 },
      prev: '',
      hash: '',
      text: '',
    }) as unknown as Parameters<typeof describeReceipt>[0];
  const names = { who: (actor: string) => (actor === 'user:1' ? 'Sie' : 'Ada'), appName: () => 'GitHub' };
  expect(describeReceipt(receipt('user:1'), names).text).toBe(
    'Sie haben list-issues in GitHub aufgerufen: erfolgreich (200)',
  );
  expect(describeReceipt(receipt('user:2'), names).text).toMatch(/^Ada hat /);
  expect(describeTool('github__list-issues', true, () => 'GitHub')).toBe('GitHub: issues aufgelistet');
});

it('labels fields whose texts are in a table of their own', () => {
  expect(GUARDRAIL_FIELDS.length.map(({ label }) => label)).toEqual(['Mindestens', 'Höchstens', 'Einheit']);
});

it('describes limits and the use of keys', () => {
  const strong = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' } as const;
  expect(describeWeakness(strong)).toBeUndefined();
  expect(describeWeakness({ ...strong, memory: 'watchdog', disk: 'watchdog' })).toMatch(/Speicher und Festplatte\./);
  expect(describeKeyUse({ by: ['runs', 'titles'] })).toMatch(/^Genutzt für: Hintergrundläufe und Chattitel\./);
});
