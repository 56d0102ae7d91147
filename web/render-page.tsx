// For unit tests: renders a page of the app from a table of responses, without a browser. Effects do not run, so a test
// sees what the page shows once its queries have settled; it cannot click or type.
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { afterAll, vi } from 'vitest';
import { theme } from './kit/look/theme.ts';

/** The JSON body by method and path, such as `GET /api/me`; a Response for anything but a 200. */
export type Responses = Readonly<Record<string, unknown>>;

const MOST_ROUNDS = 5;
let current: Responses = {};

// The clients read both when they are loaded.
const location = new URL('http://app.test');
vi.resetModules();
vi.stubGlobal('location', location);
vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) =>
  respond(new Request(input instanceof Request ? input : new URL(input, location), init)),
);
afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});
const { createAppRouter } = await import('./router.tsx');
const { createQueryClient } = await import('./session/query-client.ts');

/** The addresses that the router knows, without the one that catches the rest. */
export function routedAddresses(): string[] {
  const paths = Object.keys(createAppRouter(createQueryClient()).routesByPath);
  return [...new Set(paths.map((path) => path.replace(/(.)\/$/, '$1')))].filter((path) => path !== '/$');
}

/** What the page shows, as text: tags become line breaks. */
export async function renderPage(address: string, responses: Responses): Promise<string> {
  current = responses;
  location.href = new URL(address, location.origin).href;
  const queryClient = createQueryClient();
  const { queries } = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ queries: { ...queries, retry: false, retryOnMount: false } });
  const router = createAppRouter(queryClient);
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  await router.load();
  const render = (): string =>
    renderToString(
      <QueryClientProvider client={queryClient}>
        <MantineProvider theme={theme}>
          <RouterProvider router={router} />
        </MantineProvider>
      </QueryClientProvider>,
    );
  let html = render();
  // Rendering to a string starts no queries: each round fetches those that the last one added to the cache.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const waiting = queryClient
      .getQueryCache()
      .getAll()
      .filter(({ state, options }) => state.status === 'pending' && options.queryFn !== undefined);
    if (waiting.length === 0) break;
    await Promise.allSettled(waiting.map((query) => query.fetch()));
    html = render();
  }
  // React leaves an error behind where a part of the page could not be rendered.
  const error = /data-msg="([^"]*)"/.exec(html)?.[1];
  if (error !== undefined) throw new Error(`could not render ${address}: ${error}`);
  return toText(html);
}

function respond({ method, url }: Request): Response {
  const { pathname } = new URL(url);
  const body = current[`${method} ${pathname}`];
  if (body instanceof Response) return body.clone();
  return body === undefined
    ? Response.json({ error: 'not_found', message: `no response for ${method} ${pathname}` }, { status: 404 })
    : Response.json(body);
}

function toText(html: string): string {
  return html
    .replaceAll(/<(?:style|script)[^>]*>.*?<\/(?:style|script)>/gs, '')
    .replaceAll(/<[^>]+>/g, '\n')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\n+/g, '\n');
}
