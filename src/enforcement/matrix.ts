// The enforcement matrix: every control, where it acts, and whether it acts at all. Each row names the test that proves
// its status: an enforced control changes live traffic, a configured-only one does not. The table in
// docs/reference/enforcement.md is generated from this one.

import type { EnforcementStatus, SettingsPage } from '../contract/enforcement.ts';

export interface Control {
  readonly control: string;
  readonly actsOn: string;
  readonly status: EnforcementStatus;
  readonly note?: string;
  /** Not in the specification: added since. */
  readonly beyond?: true;
  /** The pages of organization settings where it is set or shown. */
  readonly pages?: readonly SettingsPage[];
  /** A test file and part of the name of a test in it. */
  readonly shownBy: { readonly file: string; readonly test: string };
}

const CHAT = 'test/flows/chat-v1.test.ts';
const STRICT = 'test/flows/chat-strict.test.ts';
const TOOLS = 'test/flows/tools-call.test.ts';
const SPEND = 'test/flows/spend.test.ts';
const UNREAD = 'test/flows/chat-unread-settings.test.ts';

export const ENFORCEMENT_MATRIX = [
  {
    control: 'Disabled providers and models',
    actsOn: 'every chat request',
    status: 'Enforced',
    pages: ['models'],
    shownBy: { file: CHAT, test: 'a disabled provider' },
  },
  {
    control: 'Require ZDR (zero data retention)',
    actsOn: 'every chat request',
    status: 'Enforced',
    note: 'an organization key for a provider bypasses it for models routed through that provider',
    pages: ['compliance'],
    shownBy: { file: CHAT, test: 'bypasses Require ZDR for the provider whose key is there, and for no other' },
  },
  {
    control: 'Enforce Study Mode',
    actsOn: 'every chat request',
    status: 'Enforced',
    note: 'pins the model to a fixed identifier that no route can execute, so the turn fails instead of answering',
    pages: ['compliance'],
    shownBy: { file: CHAT, test: 'Study Mode, whatever is asked' },
  },
  {
    control: '`CHAT_REQUIRE_BYOK` (default `false`)',
    actsOn: 'every chat request',
    status: 'Enforced',
    pages: ['byok'],
    shownBy: { file: STRICT, test: 'denies a request without a key' },
  },
  {
    control: 'Per-user request limit',
    actsOn: 'every chat request',
    status: 'Enforced',
    note: '30 a minute by default; off when `DISABLE_KV_STORE=true`',
    shownBy: { file: STRICT, test: 'lets exactly 30 of 60 concurrent requests through' },
  },
  {
    control: 'Pre-authorized dollar budgets',
    actsOn: 'before each metered model call',
    status: 'Enforced',
    note: "a call on the organization's own key reserves nothing",
    pages: ['plan'],
    shownBy: { file: CHAT, test: 'an organization without balance, and nothing was reserved' },
  },
  {
    control: 'Per-connection action allowlist',
    actsOn: 'every gateway tool call',
    status: 'Enforced',
    shownBy: { file: TOOLS, test: 'is byte for byte the same for a disabled action' },
  },
  {
    control: '`connect:write` scope for write actions',
    actsOn: 'every gateway tool call',
    status: 'Enforced',
    shownBy: { file: TOOLS, test: 'needs connect:write for an enabled write' },
  },
  {
    control: 'Selected-repository check for code-host connections',
    actsOn: 'code-host tool calls',
    status: 'Enforced',
    shownBy: { file: TOOLS, test: 'selected repositories' },
  },
  {
    control: 'Workspace membership and authority',
    actsOn: 'gateway calls, connection and policy edits',
    status: 'Enforced',
    shownBy: { file: TOOLS, test: 'is 403 for anyone who is not a member, whatever the organization role' },
  },
  {
    control: 'Owner/admin gating',
    actsOn: 'organization settings',
    status: 'Enforced',
    note: 'in the browser and on the server',
    pages: ['general', 'members', 'feedback'],
    shownBy: { file: 'src/tenancy/who-may-do-what.pg.test.ts', test: 'who may do what' },
  },
  {
    control: 'Sandboxed execution',
    actsOn: 'background runs',
    status: 'Enforced',
    note: 'the only execution path',
    shownBy: { file: 'test/flows/sandbox-escape.test.ts', test: 'ways that work without a sandbox' },
  },
  {
    control: 'Receipt hash chain',
    actsOn: 'every append and replay',
    status: 'Enforced',
    shownBy: {
      file: 'src/receipts/receipts.pg.test.ts',
      test: 'finds every kind of tampering at its index and refuses to replay',
    },
  },
  {
    control: 'Guardrail groups (nine kinds)',
    actsOn: 'none',
    status: 'Configured only',
    note: 'authored, versioned, tested against sample text; no live traffic is evaluated',
    pages: ['guardrails'],
    shownBy: { file: UNREAD, test: 'guardrail groups' },
  },
  {
    control: 'Policies-page modules: rate limiting, budget limiting, logging config, tool approval',
    actsOn: 'none',
    status: 'Configured only',
    note: 'stored and read by nothing',
    pages: ['policies'],
    shownBy: { file: UNREAD, test: 'policy modules' },
  },
  {
    control: 'Organization tool switches',
    actsOn: 'none',
    status: 'Configured only',
    note: 'recorded each turn; a direct answer is sent with no provider tools attached',
    pages: ['tools'],
    shownBy: { file: UNREAD, test: 'tool switches' },
  },
  {
    control: 'Require organization provider key',
    actsOn: 'chat model list in the browser',
    status: 'Browser only',
    note: 'filters the list client-side; the server checks only ZDR',
    pages: ['models'],
    shownBy: { file: UNREAD, test: 'require organization provider key' },
  },
  {
    control: 'Plan feature entitlements',
    actsOn: 'none',
    status: 'Always allowed',
    note: 'a plan still sets seat capacity, metered usage budget and signup credit',
    pages: ['plan'],
    shownBy: { file: UNREAD, test: 'plan features' },
  },
  {
    control: 'Domains, Single Sign-On, Directory Provisioning',
    actsOn: 'none',
    status: 'Placeholder',
    pages: ['domains', 'sso', 'directory'],
    shownBy: { file: 'test/support/page-stops.ts', test: "heading: 'Domains'" },
  },
  {
    control: 'Require a second factor',
    actsOn: 'everything of the organization that a session reaches',
    status: 'Enforced',
    note: "a session of the OpenID provider counts as one that has it: what the provider asks for is the provider's rule; named tokens and approved clients keep working",
    beyond: true,
    pages: ['members'],
    shownBy: {
      file: 'test/flows/end-access.test.ts',
      test: 'closes an organization that requires a second factor to weak sessions, and leaves named tokens alone',
    },
  },
  {
    control: 'Monthly caps of members, workspaces and tokens',
    actsOn: 'every metered model call',
    status: 'Enforced',
    note: 'taken with the budget; a call on an own key reserves nothing and is refused once what is settled has reached the cap',
    beyond: true,
    pages: ['spending'],
    shownBy: { file: SPEND, test: 'with room for 4 requests lets exactly 4 of 24 through, over three processes' },
  },
  {
    control: "A token's models",
    actsOn: 'every request with the token, and runs that it started',
    status: 'Enforced',
    beyond: true,
    shownBy: { file: SPEND, test: 'is for the models and the amount that it was made with' },
  },
  {
    control: 'Unlisted models on own keys',
    actsOn: 'every chat request',
    status: 'Enforced',
    note: 'off by default; their cost is unknown, so caps do not count it',
    beyond: true,
    pages: ['models'],
    shownBy: { file: CHAT, test: 'lets an own key serve names that the catalogue does not know' },
  },
  {
    control: 'Sharing of chats',
    actsOn: 'links to chats, new and existing',
    status: 'Enforced',
    beyond: true,
    pages: ['policies'],
    shownBy: {
      file: 'src/threads/shares.pg.test.ts',
      test: 'sharing ends while the organization does not allow it',
    },
  },
] as const satisfies readonly Control[];
