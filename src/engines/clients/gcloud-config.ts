// Google Cloud: the client uses TLS with many hosts and allows no broker in between, so it needs an access token inside the
// sandbox. The token is valid for at most an hour and is in a file that only this run has.
import { type ClientConfig, CONFIG_ROOT } from './config-paths.ts';

const ROOT = `${CONFIG_ROOT}/gcloud`;

export interface GcloudProfile {
  readonly profile: string;
  readonly isDefault: boolean;
  readonly token: string;
  readonly project?: string | undefined;
}

export function gcloudConfig(profiles: readonly GcloudProfile[]): ClientConfig {
  const tokenFile = (profile: string): string => `${ROOT}/tokens/${profile}`;
  const configuration = (title: string, { profile, project }: GcloudProfile): { path: string; content: string } => ({
    path: `${ROOT}/configurations/config_${title}`,
    content: [
      '[core]',
      'disable_prompts = true',
      'disable_usage_reporting = true',
      ...(project === undefined ? [] : [`project = ${project}`]),
      '',
      '[auth]',
      `access_token_file = ${tokenFile(profile)}`,
      '',
    ].join('\n'),
  });
  return {
    files: [
      {
        path: `${ROOT}/active_config`,
        content: profiles.some(({ isDefault }) => isDefault) ? 'default' : (profiles[0]?.profile ?? 'default'),
      },
      ...profiles.flatMap((one) => [
        ...(one.isDefault ? [configuration('default', one)] : []),
        configuration(one.profile, one),
        { path: tokenFile(one.profile), content: one.token },
      ]),
    ],
    env: { CLOUDSDK_CONFIG: ROOT, CLOUDSDK_CORE_DISABLE_PROMPTS: '1' },
  };
}
