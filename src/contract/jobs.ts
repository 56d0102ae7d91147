import { z } from 'zod';
import { id, nextCursor, page, timestamp } from './common.ts';
import { environmentName } from './environments/environments.ts';
import { needsScope } from './needs-scope.ts';
import { head, receipt } from './receipts.ts';
import { changes, changesCount } from './patches/run-changes.ts';
import { confinement } from './sandbox.ts';
import { scope } from './tokens.ts';

export const delivery = z.enum(['branch', 'pull-request']);
const jobKind = z.enum(['chat', 'control', 'codex']);
export const jobStatus = z.enum(['queued', 'running', 'completed', 'failed', 'aborted']);
/** Why a run is waiting. */
export const waiting = z.object({ reason: z.string(), message: z.string() });

/** What somebody said to a run while it worked. */
const message = z.object({ id, text: z.string(), at: timestamp, by: id, read: z.boolean() });
export type MessageOnWire = z.infer<typeof message>;

export const job = z.object({
  id,
  organization: id,
  workspace: id,
  kind: jobKind,
  objective: z.string(),
  status: jobStatus,
  createdAt: timestamp,
  startedAt: timestamp.optional(),
  endedAt: timestamp.optional(),
  /** 0 until a worker has started it. */
  attempt: z.number().int(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  stream: z.string(),
  createdBy: id,
  model: z.string().optional(),
  capabilities: z.array(z.string()),
  /** The kind of credential it was started with; absent for runs older than this field. */
  startedWith: z.enum(['session', 'token', 'grant']).optional(),
  /** The scopes of the token that started it; the run has no others. */
  scopes: z.array(scope).optional(),
  fundingWorkspace: id.optional(),
  /** The project that it was started in. */
  project: id.optional(),
  /** The schedule or trigger that started it, or the recipe that it was started from. */
  startedBy: id.optional(),
  /** The run whose conversation and files it goes on with. */
  continues: id.optional(),
  /** The workspace's environment that it works in. */
  environment: z.string().optional(),
  /** How its commits leave the sandbox. */
  deliver: delivery.optional(),
  waiting: waiting.optional(),
  /** The first of what was said to it and what it has not read, up to 1 MiB; only present when a single run is read. */
  messages: z.array(message).optional(),
  /** The runs that go on with it, the first 100; only present when a single run is read. */
  continuedBy: z.array(id).optional(),
  /** The sandbox of the current attempt, once it has one; only present when a single run is read. */
  sandbox: confinement.optional(),
  /** How much it changed in its repository, once that is known; only present when a single run is read. */
  changes: changesCount.optional(),
});
export type JobOnWire = z.infer<typeof job>;

export const jobEvent = z.object({
  /** The index of its receipt. */
  id: z.number().int(),
  type: z.string(),
  at: z.string(),
  actor: z.string(),
  status: jobStatus,
  attempt: z.number().int(),
  data: z.unknown(),
  /** The content from the run's log; the receipt holds only its hash. */
  detail: z.unknown().optional(),
});

/** Those of runs that start by themselves are not for others to take. */
export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .refine((key) => !/^(?:schedule|trigger):/.test(key), 'must not begin with schedule: or trigger:');

/** What is asked of a run, by a person now or by what starts it later. */
export const runRequest = z.strictObject({
  objective: z.string().trim().min(1).max(100_000),
  kind: jobKind.optional(),
  workspace: id.optional(),
  fundingWorkspace: id.optional(),
  model: z.string().min(1).max(200).optional(),
  capabilities: z.array(z.string().min(1).max(200)).max(100).optional(),
  /** The environment of the workspace that it works in. */
  environment: environmentName.optional(),
  /** What is pushed of its commits after it has completed, by the service: a branch of its own, or also a pull request. */
  deliver: delivery.optional(),
});

/** Of the command that runs now. */
export const liveOutput = z.object({
  /** The event that the command began with. */
  event: z.number().int().min(0),
  /** How many characters it had printed before these. */
  from: z.number().int().min(0),
  text: z.string(),
});
export type LiveOutput = z.infer<typeof liveOutput>;

const artifact = z.object({ name: z.string(), size: z.number().int() });
const addressed = z.strictObject({ id });
const tags = ['Runs'];
const [reading, writing] = [needsScope('jobs:read', 'database'), needsScope('jobs:write', 'database')];

export const jobs = {
  start: writing
    .route({
      method: 'POST',
      path: '/agents/factory/jobs',
      successStatus: 202,
      tags,
      summary: 'Start a background run',
    })
    .input(
      runRequest.extend({
        /** A project of the workspace that the caller may use: the run is counted for it, and its first receipt names it. */
        project: id.optional(),
        idempotencyKey: idempotencyKey.optional(),
      }),
    )
    .output(z.object({ job })),
  list: reading
    .route({ method: 'GET', path: '/jobs', tags, summary: "Runs of the caller's workspaces, newest first" })
    .input(
      z.strictObject({ status: jobStatus.optional(), kind: jobKind.optional(), workspace: id.optional(), ...page }),
    )
    .output(z.object({ jobs: z.array(job), ...nextCursor })),
  get: reading
    .route({ method: 'GET', path: '/jobs/{id}', tags, summary: 'A run' })
    .input(addressed)
    .output(z.object({ job })),
  abort: writing
    .route({ method: 'POST', path: '/jobs/{id}/abort', tags, summary: 'Abort a run; has no effect on a finished one' })
    .input(addressed)
    .output(z.object({ job })),
  say: writing
    .route({
      method: 'POST',
      path: '/jobs/{id}/messages',
      successStatus: 202,
      tags,
      summary: 'Say something to a run',
      description:
        'A run that is queued or running reads the message before its next step, and does not complete before it has: the answer is `message`. Only the person who started it may speak to it. For a run that has ended, a new run is started that goes on with its conversation and, while they are kept, its files: the answer is `job`. It has the settings of the earlier run and the authority of the caller. With `files: "required"` it is refused if the files are gone. Repeated under the same `idempotencyKey`, it says nothing twice and starts no second run.',
    })
    .input(
      z.strictObject({
        id,
        text: z.string().trim().min(1).max(100_000),
        files: z.enum(['required']).optional(),
        idempotencyKey: idempotencyKey.optional(),
      }),
    )
    .output(z.union([z.object({ message }), z.object({ job })])),
  events: reading
    .route({
      method: 'GET',
      path: '/jobs/{id}/events',
      tags,
      summary: 'List the events of a run',
      description:
        'With `accept: text/event-stream`, a live stream: one message per event with its id as the event id; it ends with the run. As JSON it ends at 1 MiB, with at least one event: `cursor` is then the `after` of the next page.',
    })
    .input(z.strictObject({ id, after: z.coerce.number().int().min(-1).optional() }))
    .output(z.object({ events: z.array(jobEvent), ...nextCursor })),
  output: reading
    .route({
      method: 'GET',
      path: '/jobs/{id}/output',
      tags,
      summary: 'What the command of a running run has printed so far',
      description:
        'The last 16,000 characters, renewed about twice a second; `from` says how many came before them. `null` while no command prints. Once the command has ended, its output is in the event that says so.',
    })
    .input(addressed)
    .output(z.object({ output: liveOutput.nullable() })),
  receipts: reading
    .route({ method: 'GET', path: '/jobs/{id}/receipts', tags, summary: 'The verified receipts of a run' })
    .input(addressed)
    .output(z.object({ receipts: z.array(receipt), head: head.nullable() })),
  artifacts: reading
    .route({
      method: 'GET',
      path: '/jobs/{id}/artifacts',
      tags,
      summary: 'List the files that a run produced',
      description: 'Download each at `/jobs/{id}/artifacts/{name}`.',
    })
    .input(addressed)
    .output(z.object({ artifacts: z.array(artifact) })),
  changes: reading
    .route({
      method: 'GET',
      path: '/jobs/{id}/changes',
      tags,
      summary: 'What a run changed in its repository',
      description:
        'For a run whose sandbox had one repository: its files as they were when the run ended, compared with the commit that it began from. 404 for any other. With `accept: text/x-diff`, the patch, for `git apply`.',
    })
    .input(addressed)
    .output(changes),
};
