// What a Codex run needs in its sandbox: two brokers, configuration, guidance, and the command that starts it.
import { SANDBOX_NODE, SANDBOX_TOOLS } from '../../sandbox/bubblewrap/launch-arguments.ts';
import type { ExecInput } from '../../sandbox/protocol.ts';
import type { RunEndpoint } from '../run-callback-server.ts';
import type { SandboxSetup } from '../run-sandbox.ts';
import { CODEX_HOME, codexConfig, type CodexSettings, MODEL_BROKER, PLATFORM_BROKER } from './codex-config.ts';
import type { InstalledCodex } from './install-codex.ts';
import { MCP_PATH, RESPONSES_PATH } from './serve-codex.ts';
import { SHORTEN_EVENTS } from './shorten-events.ts';

export const LAST_MESSAGE = `${CODEX_HOME}/last-message`;
const SHORTEN = `${CODEX_HOME}/shorten-events.cjs`;
/** Codex sends the whole conversation with each request. */
const MODEL_BUDGET = { maxRequests: 2_000, maxBytes: 2 * 1024 ** 3 };
const TOOLS_BUDGET = { maxRequests: 2_000, maxBytes: 512 * 1024 ** 2 };
const PATH = `/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:${SANDBOX_TOOLS}/bin:/opt/service`;

export function codexSetup(
  settings: CodexSettings,
  { url, headers }: Pick<RunEndpoint, 'url' | 'headers'>,
  guidance: string,
): SandboxSetup {
  return {
    network: {
      brokers: [
        {
          host: MODEL_BROKER,
          target: url,
          headers: { ...headers },
          paths: [`POST ${RESPONSES_PATH}`],
          ...MODEL_BUDGET,
        },
        ...(settings.connectTools
          ? [
              {
                host: PLATFORM_BROKER,
                target: url,
                headers: { ...headers },
                paths: ['POST', 'GET', 'DELETE'].map((method) => `${method} ${MCP_PATH}`),
                ...TOOLS_BUDGET,
              },
            ]
          : []),
      ],
    },
    files: [
      { path: `${CODEX_HOME}/config.toml`, content: codexConfig(settings) },
      { path: `${CODEX_HOME}/AGENTS.md`, content: guidance },
      { path: SHORTEN, content: SHORTEN_EVENTS },
    ],
  };
}

/** `resumes`: it goes on with the only session that there is. */
export function codexCommand(
  { program, path }: InstalledCodex,
  prompt: string,
  { resumes }: { readonly resumes: boolean },
): ExecInput {
  const argv = [
    `${SANDBOX_TOOLS}/${program}`,
    'exec',
    '--json',
    '--skip-git-repo-check',
    '--color',
    'never',
    '-o',
    LAST_MESSAGE,
    '-C',
    '/workspace',
    ...(resumes ? ['resume', '--last'] : []),
    '-',
  ];
  return {
    argv: [
      '/bin/bash',
      '--noprofile',
      '--norc',
      '-c',
      `set -o pipefail; "$@" | ${SANDBOX_NODE} ${SHORTEN}`,
      'codex',
      ...argv,
    ],
    env: { CODEX_HOME, PATH: `${PATH}:${SANDBOX_TOOLS}/${path}` },
    stdin: prompt,
  };
}
