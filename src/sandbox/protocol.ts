// The wire format between the controller and its callers, which use client.ts.
import { z } from 'zod';
import type { Confinement } from '../contract/sandbox-limits.ts';
import { LIMITS, MAX_LIFE_MS } from './limits.ts';
import type { EndReason, Stats } from './driver.ts';

const MAX_ARGUMENTS_BYTES = 120 * 1024;
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
export const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
/** What the disk of a sandbox holds by default; those who keep snapshots have limits of their own. */
export const MAX_SNAPSHOT_BYTES = 1024 * 1024 * 1024;

const noZero = z.string().refine((text) => !text.includes('\0'), 'must not contain a null byte');
const environment = z
  .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), noZero.max(64 * 1024))
  .refine((env) => Object.keys(env).length <= 256, 'at most 256 variables');
const bounded = ({ min, max }: { min: number; max: number }): z.ZodOptional<z.ZodNumber> =>
  z.number().int().min(min).max(max).optional();

const hostName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/);
const headerName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);
const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\x20-\x7e]*$/);

const broker = z.strictObject({
  host: hostName,
  target: z.url({ protocol: /^https?$/ }),
  headers: z.record(headerName, headerValue).default({}),
  paths: z.array(z.string().regex(/^(?:[A-Z]{3,7} )?\/[\x21-\x7e]*$/)).max(256),
  methods: z
    .array(z.string().regex(/^[A-Z]{3,7}$/))
    .min(1)
    .max(10)
    .optional(),
  fills: z.boolean().default(false),
  queries: z
    .array(z.string().regex(/^\/[\x21-\x7e]*$/))
    .max(8)
    .default([]),
  pushes: z
    .string()
    .regex(/^refs\/heads\/[\w./-]{1,200}$/)
    .optional(),
  publicOnly: z.boolean().default(false),
  maxRequests: z.number().int().min(1).max(1_000_000).default(1_000),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(2 ** 40)
    .default(256 * 1024 * 1024),
});

export const createBody = z.strictObject({
  idempotencyKey: z.string().min(1).max(200).optional(),
  limits: z
    .strictObject({
      processes: bounded(LIMITS.processes),
      memoryBytes: bounded(LIMITS.memoryBytes),
      diskBytes: bounded(LIMITS.diskBytes),
      outputBytes: bounded(LIMITS.outputBytes),
      cpus: z.number().min(LIMITS.cpus.min).max(LIMITS.cpus.max).optional(),
      openFiles: bounded(LIMITS.openFiles),
    })
    .default({}),
  network: z
    .strictObject({
      allow: z
        .array(z.string().regex(/^(?:\*\.)?(?:<region>|[A-Za-z0-9.:[\]-]){1,253}:\d{1,5}$/))
        .max(256)
        .default([]),
      brokers: z.array(broker).max(256).default([]),
      secrets: z
        .array(z.strictObject({ placeholder: headerValue.min(8).max(200), value: headerValue.min(8) }))
        .max(50)
        .default([]),
    })
    .default({ allow: [], brokers: [], secrets: [] }),
  env: environment.default({}),
  ttlMs: z.number().int().min(1_000).max(MAX_LIFE_MS).optional(),
  /** Of an owner only the sandbox of the latest turn lives: it ends those before it, and one that comes late is refused. */
  owner: z.strictObject({ name: z.string().min(1).max(200), turn: z.number().int().min(0) }).optional(),
});

export const execBody = z.strictObject({
  argv: z
    .array(noZero)
    .min(1)
    .max(1024)
    .refine(
      (argv) => argv[0] !== '' && argv.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 1, 0) <= MAX_ARGUMENTS_BYTES,
      'must name a program and be at most 120 KiB long',
    ),
  env: environment.default({}),
  cwd: noZero.regex(/^\//).max(4096).default('/workspace'),
  stdin: z.string().optional(),
  timeoutMs: z.number().int().min(1).max(MAX_LIFE_MS).optional(),
});

/** Without an id every command of the sandbox is killed. */
export const killBody = z.strictObject({ exec: z.string().max(100).optional() });
/** Without `full`, only what has changed since the snapshot before. */
export const snapshotBody = z.strictObject({ full: z.boolean() });
export const renewBody = z.strictObject({ ttlMs: z.number().int().min(1_000).max(MAX_LIFE_MS) });

export type CreateBody = z.output<typeof createBody>;
export type CreateInput = z.input<typeof createBody>;
export type ExecBody = z.output<typeof execBody>;
export type ExecInput = z.input<typeof execBody>;

export interface SandboxInfo extends Confinement {
  readonly id: string;
  readonly expiresAt: string;
}

export type ExecEvent =
  | { readonly seq: number; readonly t: 'start'; readonly exec: string }
  | { readonly seq: number; readonly t: 'out'; readonly fd: 1 | 2; readonly d: string }
  | { readonly seq: number; readonly t: 'truncated'; readonly limitBytes: number }
  | {
      readonly seq: number;
      readonly t: 'exit';
      readonly code: number | null;
      readonly signal: string | null;
      readonly ms: number;
      readonly stats: Stats;
      readonly reason?: EndReason;
    };

export type Health =
  | (Confinement & { readonly ok: true; readonly sandboxes: number })
  | { readonly ok: false; readonly reason: string; readonly fix: string };
