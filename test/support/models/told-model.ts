// A model provider for background runs that does what the objective of the run says, in the words of the table below;
// any other objective is answered at once. With it and an unconfined sandbox the roles run as they are shipped.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performScript, type Script } from './model-scripts.ts';

export interface ToldModel {
  /** What a worker has to be told. */
  readonly environment: { readonly OPENAI_API_URL: string; readonly OPENAI_API_KEY: string };
  /** Lets runs go on that were told to wait. */
  release(): void;
  close(): Promise<void>;
}

interface Asked {
  /** What follows the verb. */
  readonly argument: string;
  readonly attempt: number;
  /** Whether the tool that was called has answered. */
  readonly hasCalled: boolean;
  readonly done: Script;
  readonly released: Promise<void>;
}

const NEVER = new Promise<never>(() => {});

const VERBS: Readonly<Record<string, (asked: Asked) => Script>> = {
  fail: () => ({ status: 400, message: 'It was told to fail.' }),
  sleep: ({ argument, done }) => ({ ...done, delayMs: Number(argument) }),
  hang: ({ done }) => ({ ...done, until: NEVER }),
  /** Until the test releases it. */
  wait: ({ done, released }) => ({ ...done, until: released }),
  'hang-once': ({ attempt, done }) => (attempt === 1 ? { ...done, until: NEVER } : done),
  /** Prints, until the file that the argument names is there. */
  print: ({ argument, hasCalled, done }) =>
    hasCalled
      ? done
      : {
          toolCalls: [
            {
              name: 'bash',
              arguments: { command: `echo first; until [ -e '${argument}' ]; do sleep 0.1; done; echo last` },
            },
          ],
        },
  /** Leaves `report.txt` with the argument in it, and an empty file. */
  artifact: ({ argument, hasCalled, done }) =>
    hasCalled
      ? done
      : {
          toolCalls: [
            {
              name: 'bash',
              arguments: {
                command: `mkdir -p artifacts && printf %s '${argument}' >artifacts/report.txt && : >artifacts/empty`,
              },
            },
          ],
        },
};

export async function startToldModel(): Promise<ToldModel> {
  let number = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const taken = {
        path: request.url ?? '',
        headers: request.headers,
        json: JSON.parse(body) as unknown,
        number: ++number,
      };
      performScript(scriptFor(taken.json as Conversation, released), taken, response).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    environment: {
      OPENAI_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OPENAI_API_KEY: 'sk-of-the-told-model',
    },
    release,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Said {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
}

/** Of the Responses API, or of Chat Completions. */
interface Conversation {
  readonly instructions?: string;
  readonly input?: readonly Said[];
  readonly messages?: readonly Said[];
}

function scriptFor(
  { instructions = '', messages = [], input = messages }: Conversation,
  released: Promise<void>,
): Script {
  const said = (role: string): string =>
    input
      .filter((item) => item.role === role)
      .map(({ content }) =>
        typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''),
      )
      .join('\n');
  const objective = said('user');
  const [verb = '', ...rest] = objective.split(' ');
  const [, attempt = '1'] = /This is attempt (\d+)/.exec(`${instructions}${said('system')}${said('developer')}`) ?? [];
  const asked = {
    argument: rest.join(' '),
    attempt: Number(attempt),
    hasCalled: input.some(({ type }) => type === 'function_call_output'),
    done: { text: `Done: ${objective}` },
    released,
  };
  return VERBS[verb]?.(asked) ?? asked.done;
}
