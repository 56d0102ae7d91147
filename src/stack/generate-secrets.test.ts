import { describe, expect, it } from 'vitest';
import { readConfig } from '../base/config.ts';
import { DATABASE_PASSWORD, GENERATED, mergeSecrets } from './generate-secrets.ts';

const EVERY_PART = ['postgres', 'broker', 'local-integrations', 'web'];

describe('the secrets npm start invents', () => {
  it('are made once, in the shape that the service accepts, and differ', () => {
    const first = mergeSecrets({}, {}, EVERY_PART);
    expect(first.generated).toEqual(Object.keys(GENERATED));
    for (const [name, { shape }] of Object.entries(GENERATED)) expect(first.values[name]).toMatch(shape);
    expect(readConfig(first.values).BYOK_ENCRYPTION_KEY_B64).toHaveLength(32);
    expect(new Set(Object.values(first.values)).size).toBe(first.generated.length);
    expect(mergeSecrets({}, first.kept, EVERY_PART)).toEqual({ values: first.values, kept: first.kept, generated: [] });
  });

  it('are added to a file of before that lacks one, and the others stay', () => {
    const { SERVICE_BROKER_TOKEN: _, ...before } = mergeSecrets({}, {}, EVERY_PART).kept;
    const merged = mergeSecrets({}, before, EVERY_PART);
    expect(merged.generated).toEqual(['SERVICE_BROKER_TOKEN']);
    expect(merged.kept).toMatchObject(before);
  });

  it('leave out what the environment gives, and never keep it', () => {
    const merged = mergeSecrets({ BYOK_ENCRYPTION_KEY_B64: 'given' }, {}, EVERY_PART);
    expect(merged.values).not.toHaveProperty('BYOK_ENCRYPTION_KEY_B64');
    expect(Object.values(merged.kept)).not.toContain('given');
  });

  it('let a value of the environment win over the kept one, which stays for later', () => {
    const { kept } = mergeSecrets({}, {}, EVERY_PART);
    const merged = mergeSecrets({ BYOK_ENCRYPTION_KEY_B64: 'given' }, kept, EVERY_PART);
    expect(merged.values).not.toHaveProperty('BYOK_ENCRYPTION_KEY_B64');
    expect(merged.kept).toEqual(kept);
  });

  it('hold no connect secret, new or kept, while AUTH_SECRET is set', () => {
    const { kept } = mergeSecrets({}, {}, EVERY_PART);
    for (const before of [{}, kept]) {
      const merged = mergeSecrets({ AUTH_SECRET: 'given' }, before, EVERY_PART);
      expect(merged.values).not.toHaveProperty('SERVICE_CONNECT_JWT_SECRET');
      expect(merged.values).not.toHaveProperty('AUTH_SECRET');
    }
    expect(mergeSecrets({ AUTH_SECRET: ' ' }, {}, EVERY_PART).values).toHaveProperty('SERVICE_CONNECT_JWT_SECRET');
  });

  it('serve the broker, the local integration provider and the embedded database only where those run', () => {
    const names = mergeSecrets({}, {}, ['web']).generated;
    expect(names).toEqual([
      'AUTH_SECRET',
      'SERVICE_CONNECT_JWT_SECRET',
      'BYOK_ENCRYPTION_KEY_B64',
      'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
    ]);
    expect(mergeSecrets({ [DATABASE_PASSWORD]: 'x' }, {}, ['postgres']).values[DATABASE_PASSWORD]).not.toBe('x');
  });
});
