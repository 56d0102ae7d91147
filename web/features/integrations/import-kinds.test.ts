import { describe, expect, it } from 'vitest';
import { importKinds, readBundle } from './import-kinds.ts';

describe('imports', () => {
  it('are offered to clouds with a command line and to code hosts', () => {
    expect(importKinds({ cli: 'aws' })).toEqual(['local-cloud-profile', 'cloud-credential-process']);
    expect(importKinds({ codeHost: true })).toEqual(['code-host-token']);
    expect(importKinds({})).toEqual([]);
  });

  it('take the known fields of a credential process', () => {
    expect(
      readBundle(
        '{"Version":1,"AccessKeyId":"A","SecretAccessKey":"S","SessionToken":"","Expiration":"2030-01-01T00:00:00Z","Extra":1}',
      ),
    ).toEqual({ Version: 1, AccessKeyId: 'A', SecretAccessKey: 'S', Expiration: '2030-01-01T00:00:00Z' });
    for (const text of [
      '',
      'no json',
      '[]',
      'null',
      '{"Version":2,"AccessKeyId":"A","SecretAccessKey":"S"}',
      '{"Version":1,"AccessKeyId":"A"}',
    ])
      expect(readBundle(text), text).toBeUndefined();
  });
});
