// Code hosts: git is redirected to a broker, and gh connects to the proxy's socket directly, without TLS, so that the broker
// with the host's own name can answer. Neither has a credential.
import { EGRESS_MOUNT, EGRESS_SOCKET } from '../../sandbox/egress/inside.ts';
import { type ClientConfig, CONFIG_ROOT, PLACEHOLDER } from './config-paths.ts';

const GIT_CONFIG = `${CONFIG_ROOT}/git/config`;
const GH = `${CONFIG_ROOT}/gh`;

export interface GitRemote {
  /** Of the code host, with its port if it has one. */
  readonly host: string;
  /** Host of the broker. */
  readonly broker: string;
  readonly profile: string;
  readonly isDefault: boolean;
}

/**
 * The default connection has the host's ordinary addresses. A named connection is part of the address:
 * https://service-<name>@github.com/owner/repository.
 */
export function gitConfig(remotes: readonly GitRemote[]): ClientConfig {
  const section = ({ host, broker, profile, isDefault }: GitRemote): string => {
    const addresses = [
      `https://${profile}@${host}/`,
      ...(isDefault ? [`https://${host}/`, `ssh://git@${host}/`, `git@${host}:`] : []),
    ];
    return [`[url "http://${broker}/"]`, ...addresses.map((address) => `\tinsteadOf = ${address}`), ''].join('\n');
  };
  const identity = [
    '[user]',
    '\tname = Service run',
    '\temail = run@service.invalid',
    '[credential]',
    '\thelper =',
    '[safe]',
    '\tdirectory = *',
    '',
  ].join('\n');
  return {
    files: [{ path: GIT_CONFIG, content: [identity, ...remotes.map(section)].join('\n') }],
    env: { GIT_CONFIG_GLOBAL: GIT_CONFIG, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
  };
}

/** For the hosts of GitHub connections: gh can have only one account per host here. */
export function ghConfig(hosts: readonly string[]): ClientConfig {
  const entry = (host: string): string =>
    [
      `${host}:`,
      '    user: service',
      `    oauth_token: ${PLACEHOLDER}`,
      '    git_protocol: https',
      '    users:',
      '        service:',
      `            oauth_token: ${PLACEHOLDER}`,
      '',
    ].join('\n');
  return {
    files: [
      {
        path: `${GH}/config.yml`,
        content: [
          'version: "1"',
          'git_protocol: https',
          'prompt: disabled',
          'pager: cat',
          `http_unix_socket: ${EGRESS_MOUNT}/${EGRESS_SOCKET}`,
          '',
        ].join('\n'),
      },
      { path: `${GH}/hosts.yml`, content: hosts.map(entry).join('') },
    ],
    env: { GH_CONFIG_DIR: GH, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1' },
  };
}
