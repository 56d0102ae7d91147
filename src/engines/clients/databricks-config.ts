// Databricks: the client sends its token unchanged, so it gets a placeholder, and its host is a broker.
import { type ClientConfig, CONFIG_ROOT, PLACEHOLDER } from './config-paths.ts';

const CONFIG = `${CONFIG_ROOT}/databricks/config`;

export interface DatabricksProfile {
  readonly profile: string;
  readonly isDefault: boolean;
  /** Host of the broker. */
  readonly broker: string;
}

export function databricksConfig(profiles: readonly DatabricksProfile[]): ClientConfig {
  const section = (title: string, { broker }: DatabricksProfile): string =>
    [`[${title}]`, `host = http://${broker}`, `token = ${PLACEHOLDER}`, 'auth_type = pat', ''].join('\n');
  const sections = profiles.flatMap((one) => [
    ...(one.isDefault ? [section('DEFAULT', one)] : []),
    section(one.profile, one),
  ]);
  return { files: [{ path: CONFIG, content: sections.join('\n') }], env: { DATABRICKS_CONFIG_FILE: CONFIG } };
}

const HOST =
  /^(?:https:\/\/)?([a-z0-9][a-z0-9.-]*\.(?:cloud\.databricks\.com|gcp\.databricks\.com|azuredatabricks\.net|databricks\.azure\.(?:cn|us)))\/?$/i;

/** The workspace's host, from any of the connection's settings; only hosts of Databricks itself are accepted. */
export function findDatabricksHost(settings: Readonly<Record<string, string>>): string | undefined {
  for (const value of Object.values(settings)) {
    const host = HOST.exec(value.trim())?.[1];
    if (host !== undefined) return host.toLowerCase();
  }
  const deployment = settings['deployment'] ?? settings['workspace'];
  return deployment !== undefined && /^(?:dbc|adb)-[a-z0-9-]+$/i.test(deployment)
    ? `${deployment.toLowerCase()}.cloud.databricks.com`
    : undefined;
}
