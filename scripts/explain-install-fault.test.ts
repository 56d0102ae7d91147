import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { explainInstallFault } from './explain-install-fault.mjs';

const explain = (output: string): string => explainInstallFault(output, tmpdir());

describe('an installation that failed', () => {
  it.each([
    [
      'npm error code ENOTFOUND\nnpm error network request failed\n',
      /cannot reach its registry.*network.*proxy.*npm config get registry/,
    ],
    ['npm ERR! code ECONNREFUSED\n', /cannot reach its registry/],
    ['npm error code 1\nnpm error command failed\nnpm error npm error code EAI_AGAIN\n', /cannot reach its registry/],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN\n', /certificate.*NODE_EXTRA_CA_CERTS/],
    ['npm error code E403\n', /refuses npm/],
    ['npm error code ENOSPC\n', /no space is left on the disk \(.* free now\)/],
    ['npm error code EROFS\n', /the file system is read-only/],
    ['npm error code 1\n', /npm says why above/],
    ['', /npm says why above/],
  ])('is explained by what npm said: %j', (output, line) => {
    expect(explain(output)).toMatch(line);
    expect(explain(output)).not.toContain('\n');
  });

  it('is explained by a full disk, whatever npm said', () => {
    expect(explainInstallFault('npm error code 1\n', tmpdir(), 0)).toMatch(/no space is left on the disk/);
  });
});
