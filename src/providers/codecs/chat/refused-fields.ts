// Fields of a Chat Completions body that only its own protocol can honour. They are refused when the model speaks
// another one. Not listed and dropped on purpose, because the answer means the same without them: penalties, seed,
// prediction, service_tier, verbosity, store, metadata, prompt_cache_*.
import { always, isFilled, type RefusedField } from '../read-fields.ts';

export const CHAT_REFUSED: readonly RefusedField[] = [
  { field: 'n', when: (value) => value !== 1, why: 'must be 1 for this model' },
  { field: 'logprobs', when: (value) => value !== false, why: 'is not available for this model' },
  { field: 'top_logprobs', when: (value) => value !== 0, why: 'is not available for this model' },
  { field: 'logit_bias', when: isFilled, why: 'is not available for this model' },
  { field: 'audio', when: always, why: 'is not available for this model' },
  { field: 'modalities', when: (value) => !Array.isArray(value) || value.some((modality) => modality !== 'text'), why: 'this model answers in text only' },
  { field: 'functions', when: isFilled, why: 'is not taken for this model: use tools' },
  { field: 'function_call', when: always, why: 'is not taken for this model: use tool_choice' },
  { field: 'web_search_options', when: always, why: 'is not available for this model' },
];
