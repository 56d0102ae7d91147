import { z } from 'zod';
import { route } from './authority.ts';
import { id } from './common.ts';

/** Which providers have a key in the organization scope. Null until a key is first saved or removed. */
const providerKeySummary = z.object({ openai: z.boolean(), anthropic: z.boolean() });
export type ProviderKeySummary = z.infer<typeof providerKeySummary>;

/** Stored but never evaluated, so any shape is accepted. */
const moduleRules = z.json();

const policyModules = z.object({
  rateLimiting: moduleRules,
  budgetLimiting: moduleRules,
  loggingConfig: moduleRules,
  toolApproval: moduleRules,
});
/** Recorded with each turn; the app writes booleans. */
const toolSwitches = z.record(z.string().max(100), z.json());

const settings = z.object({
  disabledProviders: z.array(z.string().max(100)).max(100),
  disabledModels: z.array(z.string().max(200)).max(1000),
  requireZdr: z.boolean(),
  enforceStudyMode: z.boolean(),
  requireProviderKey: z.boolean(),
  /** Own keys serve models of their provider that the catalogue does not list. */
  allowUnlistedModels: z.boolean(),
  inheritOrganizationKeys: z.boolean(),
  /** Nobody makes links to chats, and those that exist do not open. */
  disableSharing: z.boolean(),
  /** Members whose session has no second factor cannot open the organization. */
  requireSecondFactor: z.boolean(),
  toolSwitches,
  modules: policyModules,
});

const organizationPolicy = settings.extend({ providerKeySummary: providerKeySummary.nullable() });
export type OrganizationPolicy = z.infer<typeof organizationPolicy>;

export const policy = {
  show: route('database', 'member')
    .route({
      method: 'GET',
      path: '/api/organizations/{org}/policy',
      tags: ['Policy'],
      summary: "The organization's policy",
    })
    .input(z.strictObject({ org: id }))
    .output(organizationPolicy),
  update: route('database', 'settings:policy')
    .route({
      method: 'PATCH',
      path: '/api/organizations/{org}/policy',
      tags: ['Policy'],
      summary: 'Change parts of the policy; owner or admin',
    })
    .input(
      z.strictObject({ org: id, ...settings.partial().shape, modules: policyModules.partial().strict().optional() }),
    )
    .output(organizationPolicy),
};
