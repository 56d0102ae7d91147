// The enforcement matrix on the wire, and the pages of organization settings that its rows belong to.
import { z } from 'zod';
import { route } from './authority.ts';

export const SETTINGS_PAGES = [
  'general',
  'members',
  'byok',
  'models',
  'plan',
  'spending',
  'feedback',
  'compliance',
  'guardrails',
  'policies',
  'tools',
  'domains',
  'sso',
  'directory',
] as const;
export type SettingsPage = (typeof SETTINGS_PAGES)[number];

const status = z.enum(['Enforced', 'Configured only', 'Browser only', 'Always allowed', 'Placeholder']);
export type EnforcementStatus = z.infer<typeof status>;

const control = z.object({
  control: z.string(),
  actsOn: z.string(),
  status,
  note: z.string().optional(),
  /** The pages of organization settings where it is set or shown. */
  pages: z.array(z.enum(SETTINGS_PAGES)).optional(),
});
export type ControlOnWire = z.infer<typeof control>;

export const enforcement = {
  show: route('cheap', 'signed-in')
    .route({
      method: 'GET',
      path: '/api/enforcement',
      tags: ['Policy'],
      summary: 'Every control, where it acts, and whether it acts at all',
    })
    .output(z.object({ controls: z.array(control) })),
};
