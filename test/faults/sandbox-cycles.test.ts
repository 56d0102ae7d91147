import { describe, expect, it } from 'vitest';
import { cycleSandboxes, NOTHING } from '../support/sandbox-cycles.ts';
import { leaveOut } from '../support/needs.ts';
import { sandboxSkipReason } from '../support/sandbox.ts';

describe('a thousand sandboxes, made and removed', leaveOut(sandboxSkipReason), () => {
  it('leave nothing behind', async () => {
    expect(await cycleSandboxes(1_000)).toEqual(NOTHING);
  });
});
