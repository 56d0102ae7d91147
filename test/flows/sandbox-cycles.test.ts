import { describe, expect, it } from 'vitest';
import { cycleSandboxes, NOTHING } from '../support/sandbox-cycles.ts';
import { sandboxSkipReason } from '../support/sandbox.ts';

describe.skipIf(sandboxSkipReason !== undefined)('two hundred sandboxes, made and removed', () => {
  it('leave nothing behind', async () => {
    expect(await cycleSandboxes(200)).toEqual(NOTHING);
  });
});
