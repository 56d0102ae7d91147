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
  '/v1/videos': { name: 'Videos', instead: "Use the provider's own address to make videos." },
  '/v1/realtime': { name: 'Realtime', instead: 'Stream from /v1/chat/completions, /v1/responses or /v1/messages.' },
  '/v1/assistants': { name: 'Assistants', instead: 'Use /v1/responses.' },
  '/v1/threads': { name: 'Threads of assistants', instead: 'Use /v1/responses.' },
  '/v1/vector_stores': { name: 'Vector stores', instead: 'Make vectors with /v1/embeddings and keep them yourself.' },
  '/v1/fine_tuning': {
    name: 'Fine-tuning',
    instead: "Use the provider's own address, then add the model to the catalogue.",
  },
};

export function findUnserved(path: string): Unserved | undefined {
  return Object.entries(UNSERVED).find(([start]) => path === start || path.startsWith(`${start}/`))?.[1];
}
