import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BUNDLE, checkBundle, PLACEHOLDER_UUID, writeBundle } from './secrets-bundle.ts';

const key = (): string => randomBytes(32).toString('base64');
const good: Record<string, string> = {
  AUTH_SECRET: 'a long enough secret',
  BYOK_ENCRYPTION_KEY_B64: key(),
  SERVICE_CONNECTION_ENCRYPTION_KEY_B64: key(),
  NANGO_ENCRYPTION_KEY: key(),
  SERVICE_INTEGRATIONS_SECRET_KEY: randomUUID(),
};
const text = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
const check = (change: Record<string, string> = {}, allowPlaceholders = false) =>
  checkBundle(text({ ...good, ...change }), { allowPlaceholders });

describe('a new bundle', () => {
  it('is valid as generated: it has every secret, and the provider and the service share the secret key', () => {
    const made = writeBundle();
    expect(checkBundle(made, { allowPlaceholders: false })).toEqual({
      ok: true,
      faults: [],
      placeholders: [],
      notices: [],
    });
    const [, ours] = /^SERVICE_INTEGRATIONS_SECRET_KEY=(.+)$/m.exec(made) ?? [];
    expect(made).toContain(`\nNANGO_SECRET_KEY_PROD=${ours}\n`);
    for (const name of Object.keys(BUNDLE)) expect(made).toMatch(new RegExp(`^${name}=.+$`, 'm'));
    expect(writeBundle()).not.toBe(made);
  });
});

describe('a bundle', () => {
  it('is valid with real keys, also as JSON, with quotes, exports and comments', () => {
    expect(check()).toMatchObject({ ok: true, faults: [], placeholders: [] });
    expect(checkBundle(JSON.stringify(good), { allowPlaceholders: false })).toMatchObject({ ok: true });
    expect(
      checkBundle(
        `# comment\n\n${Object.entries(good)
          .map(([name, value]) => `export ${name} = "${value}"`)
          .join('\r\n')}\n`,
        { allowPlaceholders: false },
      ),
    ).toMatchObject({ ok: true });
  });

  it.each([
    'pk_live_123',
    'change-me',
    'nango',
    '8d2f9b1e-6c1a-1f53-9b7e-0d2a8c4e6f10',
    good['BYOK_ENCRYPTION_KEY_B64'] ?? '',
  ])('is refused with the secret key %s, and both mistakes are named', (value) => {
    const { ok, faults } = check({ SERVICE_INTEGRATIONS_SECRET_KEY: value });
    expect(ok).toBe(false);
    expect(faults).toEqual([
      expect.stringMatching(/^SERVICE_INTEGRATIONS_SECRET_KEY is not a UUID v4\. .*placeholder.*public key/),
    ]);
  });

  it.each([
    'BYOK_ENCRYPTION_KEY_B64',
    'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
    'NANGO_ENCRYPTION_KEY',
    'SOME_OTHER_KEY_B64',
  ])('is refused when %s is not 32 bytes', (name) => {
    for (const value of [
      'change-me',
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      randomBytes(32).toString('hex'),
      'not base64!',
    ]) {
      expect(check({ [name]: value }).faults).toEqual([
        expect.stringMatching(new RegExp(`^${name} does not decode to exactly 32 bytes\\. .*placeholder.*public key`)),
      ]);
    }
  });

  it.each([
    ['SERVICE_INTEGRATIONS_SECRET_KEY', PLACEHOLDER_UUID],
    ['BYOK_ENCRYPTION_KEY_B64', Buffer.alloc(32).toString('base64')],
    ['AUTH_SECRET', 'change-me'],
    ['AUTH_SECRET', '<your secret>'],
  ])('with the placeholder of %s is refused, unless placeholders are allowed', (name, value) => {
    expect(check({ [name]: value })).toMatchObject({ ok: false, faults: [], placeholders: [name] });
    expect(check({ [name]: value }, true)).toMatchObject({ ok: true, placeholders: [name] });
  });

  it('gets a notice if the provider has another secret key than the service, and is refused if that key is invalid', () => {
    const told = expect.stringContaining('SERVICE_INTEGRATIONS_SECRET_KEY differs from NANGO_SECRET_KEY_PROD');
    expect(check({ NANGO_SECRET_KEY_PROD: randomUUID() })).toMatchObject({
      ok: true,
      notices: expect.arrayContaining([told]),
    });
    expect(check({ NANGO_SECRET_KEY_PROD: good['SERVICE_INTEGRATIONS_SECRET_KEY'] ?? '' }).notices).not.toContainEqual(
      told,
    );
    expect(check({ NANGO_SECRET_KEY_PROD: 'nango' }).faults).toEqual([
      expect.stringMatching(/^NANGO_SECRET_KEY_PROD is not a UUID v4/),
    ]);
  });

  it('may lack the secret key, which is known only after the first deploy, but not the wrapping keys', () => {
    expect(check({ SERVICE_INTEGRATIONS_SECRET_KEY: '' })).toMatchObject({
      ok: true,
      notices: expect.arrayContaining([expect.stringContaining('SERVICE_INTEGRATIONS_SECRET_KEY')]),
    });
    expect(check({ BYOK_ENCRYPTION_KEY_B64: '' }).faults).toEqual(['BYOK_ENCRYPTION_KEY_B64 is missing.']);
  });

  it('requires only the secret key and the three encryption keys: anything else missing is a notice', () => {
    const { AUTH_SECRET: _secret, ...least } = good;
    const { ok, faults, notices } = checkBundle(text(least), { allowPlaceholders: false });
    expect([ok, faults]).toEqual([true, []]);
    for (const name of [
      'AUTH_SECRET',
      'SERVICE_CONNECT_JWT_SECRET',
      'SERVICE_INTEGRATIONS_WEBHOOK_SECRET',
      'NANGO_DASHBOARD_PASSWORD',
    ])
      expect(notices).toContainEqual(expect.stringContaining(`${name} is not set`));
  });

  it('is refused with a value that the service would refuse, a repeated name, or an invalid line', () => {
    expect(check({ SERVICE_UPSTREAM_DB: 'mysql://x' }).faults).toEqual([
      expect.stringContaining('SERVICE_UPSTREAM_DB takes'),
    ]);
    expect(checkBundle(`${text(good)}\nAUTH_SECRET=again`, { allowPlaceholders: true }).faults).toEqual([
      'line 6 sets AUTH_SECRET again.',
    ]);
    const { faults } = checkBundle(`${text(good)}\nhunter2`, { allowPlaceholders: true });
    expect(faults).toEqual(['line 6 is not of the form NAME=value.']);
    expect(checkBundle('{', { allowPlaceholders: true }).ok).toBe(false);
  });

  it('never repeats a value', () => {
    const secret = 'pk-very-secret';
    expect(
      JSON.stringify(
        check({ SERVICE_INTEGRATIONS_SECRET_KEY: secret, BYOK_ENCRYPTION_KEY_B64: secret, UNKNOWN: secret }),
      ),
    ).not.toContain(secret);
  });
});
