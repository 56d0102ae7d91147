import { afterEach, expect, it, vi } from 'vitest';

const SAID = {
  authority: 'The token that the run was started with was revoked. (token_revoked)',
  provider: 'The AI service is overloaded. (provider_overloaded)',
  policy: 'This model is not allowed. (policy_denied:model)',
  unknown: 'Something new. (never_heard_of)',
  plain: 'It was told to fail (twice), and did.',
} as const;

async function explainIn(lang: string): Promise<(error: string) => string> {
  vi.resetModules();
  vi.stubGlobal('document', { documentElement: { lang } });
  await (await import('../../translation.ts')).loadTranslation();
  return (await import('./explain-end.ts')).explainEnd;
}
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('has the server’s words in English', async () => {
  const explainEnd = await explainIn('en');
  for (const said of Object.values(SAID)) expect(explainEnd(said)).toBe(said);
});

it('has German words by code, and the server’s where there is none', async () => {
  const explainEnd = await explainIn('de');
  expect(explainEnd(SAID.authority)).toBe(
    'Das Token, mit dem der Lauf gestartet wurde, wurde widerrufen. (token_revoked)',
  );
  expect(explainEnd(SAID.provider)).toMatch(/^Der KI-Dienst ist überlastet\..* \(provider_overloaded\)$/);
  expect(explainEnd(SAID.policy)).toMatch(/nicht erlaubt\. \(policy_denied:model\)$/);
  for (const said of [SAID.unknown, SAID.plain]) expect(explainEnd(said)).toBe(said);
});
