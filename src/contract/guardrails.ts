import { z } from 'zod';
import { route } from './authority.ts';
import { id, name, nextCursor, page, timestamp } from './common.ts';

export const GUARDRAIL_KINDS = [
  'pii',
  'secrets',
  'profanity',
  'prompt-injection',
  'topic',
  'regex',
  'keyword',
  'length',
  'json-schema',
] as const;
const guardrailKind = z.enum(GUARDRAIL_KINDS);
export type GuardrailKind = z.infer<typeof guardrailKind>;

/** docs/users/guardrails.md describes the config of each kind. */
const config = z
  .record(z.string().max(100), z.json())
  .refine((value) => JSON.stringify(value).length <= 20_000, 'must be at most 20000 characters of JSON');
const ruleInput = z.strictObject({ kind: guardrailKind, config: config.default({}) });
const rules = z.array(ruleInput).min(1).max(50);

const guardrailRule = z.object({ kind: guardrailKind, config });
export type GuardrailRule = z.infer<typeof guardrailRule>;

const guardrailGroup = z.object({
  id,
  name: z.string(),
  /** The version shown; the first is 1. */
  version: z.number(),
  latestVersion: z.number(),
  rules: z.array(guardrailRule),
  createdAt: timestamp,
});
export type GuardrailGroup = z.infer<typeof guardrailGroup>;

/** Offsets are in UTF-16 units, as JavaScript counts. */
const guardrailMatch = z.object({ kind: guardrailKind, start: z.number(), end: z.number(), text: z.string() });
export type GuardrailMatch = z.infer<typeof guardrailMatch>;

const base = '/api/organizations/{org}/guardrails' as const;
const version = z.coerce.number().int().min(1).max(1_000_000);

export const guardrails = {
  list: route('database', 'member')
    .route({
      method: 'GET',
      path: base,
      tags: ['Guardrails'],
      summary: 'List guardrail groups at their latest version',
    })
    .input(z.strictObject({ org: id, ...page }))
    .output(z.object({ groups: z.array(guardrailGroup), ...nextCursor })),
  create: route('cpu', 'settings:guardrails')
    .route({
      method: 'POST',
      path: base,
      successStatus: 201,
      tags: ['Guardrails'],
      summary: 'Create a group; live traffic is never evaluated',
    })
    .input(z.strictObject({ org: id, name, rules }))
    .output(z.object({ group: guardrailGroup })),
  show: route('database', 'member')
    .route({
      method: 'GET',
      path: `${base}/{guardrail}`,
      tags: ['Guardrails'],
      summary: 'Read a group at its latest version, or at the one given',
    })
    .input(z.strictObject({ org: id, guardrail: id, version: version.optional() }))
    .output(z.object({ group: guardrailGroup })),
  versions: {
    list: route('database', 'member')
      .route({
        method: 'GET',
        path: `${base}/{guardrail}/versions`,
        tags: ['Guardrails'],
        summary: 'List the versions of a group, newest first',
      })
      .input(z.strictObject({ org: id, guardrail: id, ...page }))
      .output(z.object({ versions: z.array(guardrailGroup), ...nextCursor })),
    create: route('cpu', 'settings:guardrails')
      .route({
        method: 'POST',
        path: `${base}/{guardrail}/versions`,
        successStatus: 201,
        tags: ['Guardrails'],
        summary: 'Create a new version; earlier ones stay unchanged',
      })
      .input(z.strictObject({ org: id, guardrail: id, name: name.optional(), rules }))
      .output(z.object({ group: guardrailGroup })),
  },
  test: route('cpu', 'settings:guardrails')
    .route({
      method: 'POST',
      path: `${base}/{guardrail}/test`,
      tags: ['Guardrails'],
      summary: 'Evaluate a group against sample text',
    })
    .input(z.strictObject({ org: id, guardrail: id, text: z.string().max(100_000), version: version.optional() }))
    .output(z.object({ matches: z.array(guardrailMatch) })),
};
