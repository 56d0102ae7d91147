// One stack for all browser tests that need no settings of their own: starting one costs more processor time than most
// of these tests. It starts with the first that asks for it, and ends with the test run. Its tests keep apart by people
// and organizations of their own.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startStack, type TestStack } from './stack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sharedStackUrl: string;
  }
}

export type SharedStack = Pick<TestStack, 'url' | 'databaseUrl' | 'schema' | 'mailboxUrl' | 'dataDirectory'>;

/** Without the local integration provider, which few tests need. */
export const PLAIN = { SERVICE_LOG_LEVEL: 'error', SERVICE_INTEGRATIONS_URL: 'off' } as const;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<TestStack> | undefined;
  const server = createServer((_request, response) => {
    starting ??= startStack({ environment: PLAIN });
    starting.then(
      ({ url, databaseUrl, schema, mailboxUrl, dataDirectory }) =>
        response.end(JSON.stringify({ url, databaseUrl, schema, mailboxUrl, dataDirectory } satisfies SharedStack)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('sharedStackUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    await starting?.then(
      (stack) => stack.stop(),
      () => {},
    );
  };
}

export async function askForSharedStack(at: string): Promise<SharedStack> {
  const answer = await fetch(at);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SharedStack;
}
