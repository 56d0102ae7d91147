import { describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import { cycleSandboxes, NOTHING } from '../support/sandbox/sandbox-cycles.ts';
import { WAYS } from '../support/sandbox/sandbox.ts';

for (const way of WAYS)
  describe(`a thousand sandboxes, made and removed ${way.name}`, leaveOut(way.leftOut), () => {
    it('leave nothing behind', async () => {
      expect(await cycleSandboxes(1_000, way)).toEqual(NOTHING);
    });
  });
