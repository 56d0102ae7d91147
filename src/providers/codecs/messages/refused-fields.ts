// Fields of a Messages body that only Anthropic can honour. Dropped on purpose, because the answer means the same
// without them: cache_control, top_k, service_tier, speed, inference_geo, diagnostics, betas.
import { always, isFilled, type RefusedField } from '../read-fields.ts';

export const MESSAGES_REFUSED: readonly RefusedField[] = [
  { field: 'container', when: always, why: 'is not available for this model' },
  { field: 'mcp_servers', when: isFilled, why: 'is not available for this model' },
  { field: 'context_management', when: isFilled, why: 'is not available for this model' },
];
