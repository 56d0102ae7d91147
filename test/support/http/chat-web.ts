// The web server's chat on real sockets, over a real database, in front of a scripted provider: as many servers on
// one database as a test needs. People, keys and policies come from the chat gateway's own support.
import { readConfig } from '../../../src/base/config.ts';
import { loadModels } from '../../../src/catalog/load-models.ts';
import { type Chat, type ChatDeps, createChat } from '../../../src/threads/create-chat.ts';
import { newId } from '../../../src/base/ids.ts';
import { createTurns } from '../../../src/turns/create-turn-deps.ts';
import { serve } from '../../../src/http/shell/serve.ts';
import { composeWebApp } from '../../../src/http/compose-web-app.ts';
import { createAdmission } from '../../../src/http/shell/admission/admission.ts';
import { chatRoutes } from '../../../src/http/web/chat-routes.ts';
import { createOpenStreams } from '../../../src/http/shell/streams/open-streams.ts';
import { appListener } from '../../../src/http/shell/app-listener.ts';
import { openListener } from '../../../src/store/listen.ts';
import { chatEnvironment, type ChatGateway, type Member, startChatGateway } from './chat-gateway.ts';
import { quiet } from '../database.ts';
import type { Answer } from '../http-client.ts';
import { addSession } from '../people.ts';
import { AUTH_SECRET, CONNECT_KEY, PUBLIC_URL } from './web-app.ts';

export interface ChatServer {
  readonly url: string;
  readonly chat: Chat;
  close(): Promise<void>;
}

export interface ChatPerson extends Member {
  readonly headers: Readonly<Record<string, string>>;
  /** POST /api/chat, as it answers. */
  ask(body: Record<string, unknown>, options?: { server?: ChatServer; signal?: AbortSignal }): Promise<Response>;
  call(method: string, path: string, body?: unknown, server?: ChatServer): Promise<Answer>;
  upload(name: string, content: Buffer | string, type?: string): Promise<Answer>;
}

export interface ChatWeb {
  readonly gateway: ChatGateway;
  readonly server: ChatServer;
  /** One more web process, as far as the database can tell. */
  startServer(options?: Partial<ChatDeps> & { environment?: Record<string, string> }): Promise<ChatServer>;
  newPerson(): Promise<ChatPerson>;
  close(): Promise<void>;
}

export const MODEL = 'openai/gpt-5-mini';

export async function startChatWeb(): Promise<ChatWeb> {
  const gateway = await startChatGateway();
  const { db, upstream } = gateway;
  const settings = { publicUrl: PUBLIC_URL, authSecret: AUTH_SECRET, allowPrivateUrls: false };
  const servers = new Set<ChatServer>();

  async function startServer({
    environment = {},
    ...options
  }: Partial<ChatDeps> & { environment?: Record<string, string> } = {}): Promise<ChatServer> {
    const config = readConfig({ ...chatEnvironment(upstream), ...environment });
    const turns = createTurns({ config, catalog: loadModels(undefined), db, log: quiet, processId: newId('proc') });
    const listener = openListener(db, quiet);
    const chat = createChat({ db, log: quiet, turns: turns.deps, listener, graceMs: 0, ...options });
    const app = composeWebApp({
      db,
      log: quiet,
      settings,
      key: CONNECT_KEY,
      browserApp: { respond: async () => undefined },
      listener,
    });
    const serving = await serve(
      appListener(
        app,
        [
          chatRoutes({
            db,
            log: quiet,
            settings,
            chat,
            listener,
            streams: createOpenStreams({ db, log: quiet }),
            admission: createAdmission(),
          }),
        ],
        { log: quiet },
      ),
      { port: 0 },
    );
    const server: ChatServer = {
      url: `http://127.0.0.1:${serving.port}`,
      chat,
      async close() {
        if (!servers.delete(server)) return;
        serving.server.closeAllConnections();
        await Promise.all([serving.close(), chat.close()]);
        await turns.close();
        await listener.close();
      },
    };
    servers.add(server);
    return server;
  }

  const first = await startServer();
  return {
    gateway,
    server: first,
    startServer,
    async newPerson() {
      const member = await gateway.newMember();
      const headers = { authorization: `Bearer ${await addSession(db, member)}` };
      const read = async (response: Response): Promise<Answer> => {
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          body: text === '' ? undefined : JSON.parse(text),
        };
      };
      return {
        ...member,
        headers,
        ask: (body, { server = first, signal } = {}) =>
          fetch(`${server.url}/api/chat`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify({ organization: member.organization.id, model: MODEL, ...body }),
            ...(signal ? { signal } : {}),
          }),
        call: async (method, path, body, server = first) =>
          read(
            await fetch(`${server.url}${path}`, {
              method,
              headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            }),
          ),
        async upload(name, content, type = 'application/octet-stream') {
          const form = new FormData();
          form.set('organization', member.organization.id);
          form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name, { type }));
          return read(await fetch(`${first.url}/api/attachments`, { method: 'POST', headers, body: form }));
        },
      };
    },
    async close() {
      for (const server of servers) await server.close();
      await gateway.close();
    },
  };
}
