// AWS: the client signs each request itself, so it needs a credential inside the sandbox. It is short-lived, fetched by a
// helper when the client needs it, and never written to a file.
import { SANDBOX_NODE } from '../../sandbox/bubblewrap/launch-arguments.ts';
import { EGRESS_MOUNT, EGRESS_SOCKET } from '../../sandbox/egress/inside.ts';
import { type ClientConfig, CONFIG_ROOT } from './config-paths.ts';

export const CREDENTIAL_BROKER = 'credentials.broker';

const CONFIG = `${CONFIG_ROOT}/aws/config`;
const HELPER = `${CONFIG_ROOT}/aws/credentials.cjs`;

export interface AwsProfile {
  readonly profile: string;
  readonly isDefault: boolean;
  readonly region?: string | undefined;
}

export const credentialPath = (profile: string): string => `/aws/${profile}`;

export function awsConfig(profiles: readonly AwsProfile[]): ClientConfig {
  const section = (title: string, { profile, region }: AwsProfile): string =>
    [
      `[${title}]`,
      `credential_process = ${SANDBOX_NODE} ${HELPER} ${profile}`,
      ...(region === undefined ? [] : [`region = ${region}`]),
      '',
    ].join('\n');
  const sections = profiles.flatMap((one) => [
    ...(one.isDefault ? [section('default', one)] : []),
    section(`profile ${one.profile}`, one),
  ]);
  return {
    files: [
      { path: CONFIG, content: sections.join('\n') },
      { path: HELPER, content: HELPER_TEXT },
    ],
    // Turns off every other source of credentials.
    env: {
      AWS_CONFIG_FILE: CONFIG,
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_PAGER: '',
    },
  };
}

const HELPER_TEXT = `// Prints the credentials of a profile as the AWS clients read them.
const { get } = require('node:http');
const fail = (text) => { console.error(text); process.exit(1); };
const [profile = ''] = process.argv.slice(2);
get({ socketPath: '${EGRESS_MOUNT}/${EGRESS_SOCKET}', path: '/aws/' + encodeURIComponent(profile), headers: { host: '${CREDENTIAL_BROKER}' }, timeout: 30000 }, (answer) => {
  let text = '';
  answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => {
    if (answer.statusCode === 200) process.stdout.write(text);
    else fail('No credentials for ' + profile + ': ' + text.trim().slice(0, 300));
  });
}).on('timeout', () => fail('No credentials for ' + profile + ' in time.')).on('error', () => fail('The credentials cannot be reached from here.'));
`;
