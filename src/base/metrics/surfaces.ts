/** The surface of the service that a route belongs to; the first matching prefix wins. */
const SURFACES: readonly (readonly [prefix: string, surface: string])[] = [
  ['/v1/chat/completions', 'chat_completions'],
  ['/v1/responses', 'responses'],
  ['/v1/messages/count_tokens', 'count_tokens'],
  ['/v1/messages', 'messages'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1/models', 'models'],
  ['/api/chat', 'chat'],
  ['/api/auth', 'identity'],
  ['/api', 'rest'],
  ['/connect/mcp', 'mcp'],
  ['/connect', 'connect'],
  ['/agents', 'runs'],
  ['/jobs', 'runs'],
  ['/factory', 'runs'],
  ['/service-debug', 'debug'],
  ['/healthz', 'health'],
  ['/metrics', 'health'],
  ['*', 'page'],
];

export function surfaceOf(route: string): string {
  return SURFACES.find(([prefix]) => route === prefix || route.startsWith(`${prefix}/`))?.[1] ?? 'other';
}
