// Request bodies of the API. Like the real ones they are strict: unknown keys are refused.
import { z } from 'zod';

const text = z
  .string()
  .min(1)
  .max(255)
  .refine((value) => !value.includes('\0'));
const tagKey = z
  .string()
  .max(64)
  .regex(/^[a-zA-Z][\w\-./]*$/)
  .transform((key) => key.toLowerCase());
const tags = z.record(tagKey, text).refine((given) => Object.keys(given).length <= 10, 'at most 10 tags');

export const sessionBody = z.strictObject({
  tags: tags.optional(),
  end_user: z
    .strictObject({ id: text, email: text.optional(), display_name: text.optional(), tags: tags.optional() })
    .optional(),
  organization: z.strictObject({ id: text, display_name: text.optional() }).optional(),
  allowed_integrations: z.array(text).max(100).optional(),
  integrations_config_defaults: z.record(z.string(), z.unknown()).optional(),
  overrides: z.record(z.string(), z.unknown()).optional(),
});
export const reconnectBody = sessionBody
  .omit({ allowed_integrations: true })
  .extend({ connection_id: text, integration_id: text });
const credentials = z.object({ type: z.string(), client_id: text.optional() });
export const integrationBody = z.strictObject({
  provider: text,
  unique_key: z
    .string()
    .max(255)
    .regex(/^[\w.-]+$/),
  display_name: text.optional(),
  credentials: credentials.optional(),
  integration_config: z.unknown().optional(),
});
export const integrationChange = z.strictObject({
  display_name: text.optional(),
  unique_key: text.optional(),
  credentials: credentials.optional(),
  integration_config: z.unknown().optional(),
});
/** For the dashboard's route. */
export const dashboardIntegrationBody = z.strictObject({
  provider: text,
  useSharedCredentials: z.boolean(),
  integrationId: z
    .string()
    .max(255)
    .regex(/^[\w.-]+$/),
  displayName: text.optional(),
});
export const tagsBody = z.strictObject({ tags: tags.optional(), end_user: z.unknown().optional() });
