// A code host on a real socket: one repository with a tag and a second branch, served by git's own back end, and a little of an API. It lets in only
// who has the token, and keeps what it was asked.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

export interface GitHost {
  /** With its port. */
  readonly host: string;
  readonly asked: readonly {
    readonly method: string;
    readonly url: string;
    readonly authorization: string | undefined;
    readonly body: string;
    /** How much git answered. */
    sent?: number;
  }[];
  /** What git prints in the repository of the host. */
  git(...args: string[]): Promise<string>;
  /** One more commit on its default branch. */
  commit(file: string, content: string): Promise<void>;
  close(): Promise<void>;
}

export async function startGitHost(token: string): Promise<GitHost> {
  const root = await mkdtemp(join(tmpdir(), 'service-git-host-'));
  const run = promisify(execFile);
  const git = (...args: string[]): Promise<unknown> =>
    run('git', args, {
      cwd: root,
      env: {
        PATH: '/usr/bin:/bin',
        HOME: root,
        GIT_AUTHOR_NAME: 'a',
        GIT_AUTHOR_EMAIL: 'a@b.c',
        GIT_COMMITTER_NAME: 'a',
        GIT_COMMITTER_EMAIL: 'a@b.c',
      },
    });
  await git('init', '-q', 'work');
  await run(
    'sh',
    [
      '-c',
      'echo hello > work/README && git -C work add . && git -C work -c user.name=a -c user.email=a@b.c commit -qm first && git -C work tag v1 && git -C work checkout -qb other && echo other > work/README && git -C work -c user.name=a -c user.email=a@b.c commit -qam other && git -C work checkout -q - && mkdir -p acme && git clone -q --bare work acme/app.git && git -C acme/app.git config http.receivepack true',
    ],
    { cwd: root, env: { PATH: '/usr/bin:/bin', HOME: root } },
  );
  const asked: GitHost['asked'][number][] = [];
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = '', url = '', headers } = request;
    const noted: GitHost['asked'][number] = {
      method,
      url,
      authorization: headers.authorization,
      body: body.toString('latin1'),
    };
    asked.push(noted);
    const allowed =
      headers.authorization === `token ${token}` ||
      headers.authorization === `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
    if (!allowed) return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
    if (method === 'POST' && url === '/api/v3/repos/acme/app/pulls')
      return void response
        .writeHead(201, { 'content-type': 'application/json' })
        .end(JSON.stringify({ html_url: `http://${headers.host}/acme/app/pull/7`, echoed: headers.authorization }));
    if (url.startsWith('/api/'))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          JSON.stringify(
            url === '/api/graphql'
              ? { data: { viewer: { login: 'graph' } } }
              : { login: 'octo', echoed: headers.authorization },
          ),
        );
    noted.sent = await serveGit(root, request, body, response);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    git: async (...args) => (await run('git', ['--git-dir', join(root, 'acme/app.git'), ...args])).stdout,
    async commit(file, content) {
      await writeFile(join(root, 'work', file), content);
      await git('-C', 'work', 'add', '.');
      await git('-C', 'work', 'commit', '-qm', `changes ${file}`);
      await git('-C', 'work', 'push', '-q', join(root, 'acme/app.git'), 'HEAD:master');
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** git's back end speaks CGI. Returns the size of what it answered. */
async function serveGit(
  root: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<number> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: '/usr/bin:/bin',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? '',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: String(body.length),
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      REMOTE_USER: 'a',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // It answers a request that it refuses, or that it needs no body for, without reading the body.
  child.stdin.on('error', () => {}).end(body);
  const output = await buffer(child.stdout);
  const split = output.indexOf('\r\n\r\n');
  const headers = Object.fromEntries(
    output
      .subarray(0, split)
      .toString()
      .split('\r\n')
      .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
  );
  response.writeHead(Number.parseInt(headers['Status'] ?? '200', 10), headers).end(output.subarray(split + 4));
  return output.length - split - 4;
}
