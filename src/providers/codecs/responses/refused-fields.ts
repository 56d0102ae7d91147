// Fields of a Responses body that need OpenAI's own store or tools. Responses that are stored here have been put into
// the input before; what is left of `previous_response_id` names none of them. Dropped on purpose, because the answer
// means the same without them: other values of include, store (it is done here), metadata (it is echoed), service_tier,
// verbosity, truncation, max_tool_calls, prompt_cache_*, stream_options.
import { always, isFilled, type RefusedField } from '../read-fields.ts';

export const RESPONSES_REFUSED: readonly RefusedField[] = [
  { field: 'previous_response_id', when: always, why: 'is not stored here: send the whole conversation as input' },
  { field: 'conversation', when: always, why: 'conversations are not kept here: use previous_response_id, or send the whole conversation as input' },
  { field: 'background', when: (value) => value !== false, why: 'is not available for this model' },
  { field: 'prompt', when: always, why: 'stored prompts are not available for this model: send instructions and input' },
  { field: 'top_logprobs', when: (value) => value !== 0, why: 'is not available for this model' },
  { field: 'include', when: (value) => Array.isArray(value) && value.includes('message.output_text.logprobs'), why: 'message.output_text.logprobs is not available for this model' },
  { field: 'context_management', when: isFilled, why: 'is not available for this model' },
];
