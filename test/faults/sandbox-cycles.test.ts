import { describe, expect, it } from 'vitest';
import { cycleSandboxes, NOTHING } from '../support/sandbox-cycles.ts';
import { WAYS } from '../support/sandbox.ts';

for (const way of WAYS) describe.skipIf(way.leftOut !== undefined)(`a thousand sandboxes, made and removed ${way.name}`, () => {
  it('leave nothing behind', async () => {
    expect(await cycleSandboxes(1_000, way)).toEqual(NOTHING);
  });
});
