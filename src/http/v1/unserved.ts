// Provider endpoints under /v1 that this service does not have, with an alternative for each. docs/users/chat-api.md
// prints the table.

export interface Unserved {
  /** As people call it. */
  readonly name: string;
  readonly instead: string;
}

/** By path prefix. */
export const UNSERVED: Readonly<Record<string, Unserved>> = {
  '/v1/completions': { name: 'Legacy completions', instead: 'Send the prompt as a message to /v1/chat/completions.' },
  '/v1/files': { name: 'Files', instead: 'Send a file inside the message, as data.' },
  '/v1/uploads': { name: 'Uploads', instead: 'Send a file inside the message, as data.' },
  '/v1/batches': { name: 'Batches', instead: 'Send the requests one by one, or start a background run.' },
  '/v1/messages/batches': {
    name: 'Message batches',
    instead: 'Send the requests one by one, or start a background run.',
  },
  '/v1/audio': { name: 'This part of audio', instead: 'Speech, transcriptions and translations are passed on.' },
  '/v1/images': { name: 'This part of images', instead: 'Generations, edits and variations are passed on.' },
  '/v1/videos': { name: 'Videos', instead: "Use the provider's own address to make videos." },
  '/v1/realtime': { name: 'Realtime', instead: 'Stream from /v1/chat/completions, /v1/responses or /v1/messages.' },
  '/v1/assistants': { name: 'Assistants', instead: 'Use /v1/responses.' },
  '/v1/threads': { name: 'Threads of assistants', instead: 'Use /v1/responses.' },
  '/v1/conversations': {
    name: 'Conversations',
    instead: 'Continue from a stored response with previous_response_id, or send the whole conversation.',
  },
  '/v1/responses/input_tokens': {
    name: 'Token counts of Responses',
    instead: 'Read usage in the answer; /v1/messages/count_tokens counts a Messages request before it is sent.',
  },
  '/v1/rerank': { name: 'Rerank', instead: 'Compare vectors of /v1/embeddings, or ask a chat model to sort.' },
  '/v1/containers': { name: 'Containers', instead: 'Start a background run, which has a sandbox.' },
  '/v1/skills': { name: 'Skills', instead: 'Send the instructions with the request, or start a background run.' },
  '/v1/agents': { name: 'Managed agents', instead: 'Start a background run.' },
  '/v1/sessions': { name: 'Sessions of managed agents', instead: 'Start a background run.' },
  '/v1/evals': { name: 'Evals', instead: "Use the provider's own address." },
  '/v1/chatkit': { name: 'ChatKit', instead: 'Use /v1/responses.' },
  '/v1/organization': { name: 'Administration', instead: 'Use the organization settings of this service.' },
  '/v1/vector_stores': { name: 'Vector stores', instead: 'Make vectors with /v1/embeddings and keep them yourself.' },
  '/v1/fine_tuning': {
    name: 'Fine-tuning',
    instead: "Use the provider's own address, then add the model to the catalogue.",
  },
};

export function findUnserved(path: string): Unserved | undefined {
  return Object.entries(UNSERVED).find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
}
