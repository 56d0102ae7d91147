// Who spent what: usage by person, workspace, token and project, caps on it, and the log of requests.
import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, nextCursor, page, served, timestamp } from './common.ts';

const SPEND_SURFACES = ['chat', '/v1', 'title', 'embedding', 'run'] as const;
export type SpendSurface = (typeof SPEND_SURFACES)[number];

export const SPEND_BY = ['member', 'workspace', 'token', 'model', 'credential', 'project', 'day'] as const;
export type SpendBy = (typeof SPEND_BY)[number];

/** A cap and an app show a warning from this share of the limit on. */
export const CAP_WARNING_SHARE = 0.8;

const usd = z.number();
const listPrice = usd.describe(
  'US dollars at list price. On platform credit that is what was charged; on own keys nothing is charged here, and the provider bills it. Requests whose price is unknown are left out.',
);
const unpriced = z
  .number()
  .int()
  .describe('Requests whose cost is unknown: through a Models account, or of a model without a price.');
const day = z.iso.date();
/** At most a billion dollars, to the micro-dollar. */
const monthlyUsd = z.number().min(0).max(1_000_000_000);

const sums = {
  requests: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cost: listPrice,
  unpriced,
};

const spendRow = z.object({ key: z.string(), name: z.string(), served, ...sums });
export type SpendRow = z.infer<typeof spendRow>;

/** Money is in US dollars, at the list price of the time. */
const spendPage = z.object({
  /** The first and the last day, UTC. */
  from: day,
  to: day,
  rows: z.array(spendRow),
  /** The cost of all rows, on this page or not. */
  total: usd,
  totals: z.object(sums),
  ...nextCursor,
});
export type SpendPage = z.infer<typeof spendPage>;

const capSubject = z.object({ kind: z.enum(['member', 'workspace', 'token']), id });
export type CapSubject = z.infer<typeof capSubject>;

const cap = z.object({
  id,
  subject: capSubject,
  name: z.string(),
  monthlyUsd: usd,
  /** Settled in this calendar month, UTC. */
  spent: usd,
  /** Held for requests in progress. */
  reserved: usd,
  remaining: usd,
  resetsAt: timestamp,
});
export type Cap = z.infer<typeof cap>;

const mySpend = z.object({
  /** The calendar month, UTC: `2026-03`. */
  month: z.string(),
  cost: listPrice,
  unpriced,
  caps: z.array(z.object({ subject: capSubject, name: z.string(), limit: usd, remaining: usd, resetsAt: timestamp })),
});
export type MySpend = z.infer<typeof mySpend>;

const loggedRequest = z.object({
  id: z.string(),
  at: timestamp,
  member: z.string(),
  workspace: z.string(),
  token: z.string().optional(),
  surface: z.string(),
  /** The project of the chat or run that asked. */
  project: id.optional(),
  model: z.string(),
  served,
  provider: z.string(),
  credential: z.string(),
  /** The HTTP status; 499 if the client left, 502 if the answer broke off, 500 if the server was lost. */
  status: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  cost: listPrice.nullable().describe('US dollars at list price; null if the price of the model is unknown.'),
  firstTokenMs: z.number().int().optional(),
  durationMs: z.number().int(),
});
export type LoggedRequest = z.infer<typeof loggedRequest>;

export const spend = {
  show: route('database', 'member')
    .route({
      method: 'GET',
      path: '/api/organizations/{org}/spend',
      tags: ['Usage'],
      summary: 'Who spent what',
      description:
        'Usage by member, workspace, token, model, credential or project, the most expensive first, or by day, newest first. Owners and admins see everyone; a member sees only their own. `from` and `to` are days (UTC), by default this calendar month; days that ended more than three months ago are kept by month only, so the period is widened to whole months, as `from` and `to` in the response show. With `accept: text/csv`, all rows as CSV.',
    })
    .input(z.strictObject({ org: id, by: z.enum(SPEND_BY), from: day.optional(), to: day.optional(), ...page }))
    .output(spendPage),
  mine: route('database', 'member', 'query')
    .route({
      method: 'GET',
      path: '/api/me/spend',
      tags: ['Usage'],
      summary: "The caller's spending this month, and what is left under the caps that apply to them",
      description: 'Caps of the caller, of their named tokens, and of the workspaces that they are in.',
    })
    .input(z.strictObject({ organization: id }))
    .output(mySpend),
  requests: route('database', 'member')
    .route({
      method: 'GET',
      path: '/api/organizations/{org}/requests',
      tags: ['Usage'],
      summary: 'The requests of the last 30 days, newest first, without content',
      description:
        'Owners and admins see everyone’s; a member sees only their own. `id` finds the requests of one `x-request-id`.',
    })
    .input(z.strictObject({ org: id, id: z.string().min(1).max(128).optional(), ...page }))
    .output(z.object({ requests: z.array(loggedRequest), ...nextCursor })),
  caps: {
    list: route('database', 'settings:plan')
      .route({
        method: 'GET',
        path: '/api/organizations/{org}/caps',
        tags: ['Usage'],
        summary: 'List the monthly caps of members, workspaces and tokens',
      })
      .input(z.strictObject({ org: id, ...page }))
      .output(z.object({ caps: z.array(cap), ...nextCursor })),
    show: route('database', 'settings:plan')
      .route({ method: 'GET', path: '/api/organizations/{org}/caps/{cap}', tags: ['Usage'], summary: 'Show a cap' })
      .input(z.strictObject({ org: id, cap: id }))
      .output(cap),
    put: route('database', 'settings:plan')
      .route({
        method: 'PUT',
        path: '/api/organizations/{org}/caps',
        tags: ['Usage'],
        summary: 'Set the monthly cap of a member, workspace or token',
        description:
          'In dollars per calendar month (UTC). A subject has one cap: setting it again changes the limit. Requests on platform credit never exceed it; requests on own keys are refused once what is settled, at list price, has reached it.',
      })
      .input(z.strictObject({ org: id, subject: z.strictObject(capSubject.shape), monthlyUsd }))
      .output(cap),
    change: route('database', 'settings:plan')
      .route({
        method: 'PUT',
        path: '/api/organizations/{org}/caps/{cap}',
        tags: ['Usage'],
        summary: 'Change the limit of a cap',
        description:
          'The subject may be repeated, but not changed. With a subject, an unknown id sets the cap of that subject.',
      })
      .input(z.strictObject({ org: id, cap: id, subject: z.strictObject(capSubject.shape).optional(), monthlyUsd }))
      .output(cap),
    remove: route('database', 'settings:plan')
      .route({
        method: 'DELETE',
        path: '/api/organizations/{org}/caps/{cap}',
        tags: ['Usage'],
        summary: 'Remove a cap',
      })
      .input(z.strictObject({ org: id, cap: id }))
      .output(done),
  },
};
