import { expect, test } from 'vitest';
import { mayAbort } from './may-abort.ts';

const run = { createdBy: 'usr_1', workspace: 'ws_1' };

test.each([
  ['who started it', 'usr_1', false, [], true],
  ['who manages the organization', 'usr_2', true, [], true],
  ['who manages its workspace', 'usr_2', false, [{ id: 'ws_1', canManage: true }], true],
  ['who manages another workspace', 'usr_2', false, [{ id: 'ws_2', canManage: true }], false],
  ['a member', 'usr_2', false, [{ id: 'ws_1', canManage: false }], false],
] as const)('the button to abort a run: %s', (_who, userId, managesOrganization, workspaces, expected) => {
  expect(mayAbort(run, { userId, managesOrganization, workspaces })).toBe(expected);
});
