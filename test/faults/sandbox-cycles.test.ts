import { describe, it } from 'vitest';
import { cycleSandboxes } from '../support/sandbox-cycles.ts';
import { sandboxSkipReason } from '../support/sandbox.ts';

describe.skipIf(sandboxSkipReason !== undefined)('a thousand sandboxes, made and removed', () => {
  // eslint-disable-next-line vitest/expect-expect -- the expectations are in cycleSandboxes
  it('leave nothing behind', () => cycleSandboxes(1_000));
});
