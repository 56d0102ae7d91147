// The configuration of the Codex CLI in a run's sandbox. Its own sandbox is off, because it already runs in ours and the two
// do not nest. It contains no key: both addresses are brokers that add one outside.
export const CODEX_HOME = '/workspace/.service/codex';
export const MODEL_BROKER = 'openai.broker';
export const PLATFORM_BROKER = 'platform.broker';

/** Features that would phone home, prompt a person, or need a desktop. */
const FEATURES_OFF = [
  'apps',
  'browser_use',
  'computer_use',
  'daemon_auto_start',
  'enable_request_compression',
  'goals',
  'hooks',
  'image_generation',
  'in_app_browser',
  'multi_agent',
  'plugin_discovery_prefetch',
  'plugins',
  'remote_plugin',
  'shell_snapshot',
  'skill_mcp_dependency_install',
  'skill_search',
  'tool_suggest',
  'unbounded_connection_retries',
] as const;

export interface CodexSettings {
  /** The provider's name for it: Codex recognizes some models by that name. */
  readonly model: string;
  readonly contextWindow: number | undefined;
  /** Whether the tools of the workspace's connections are offered. */
  readonly connectTools: boolean;
}

export function codexConfig({ model, contextWindow, connectTools }: CodexSettings): string {
  return [
    `model = ${quote(model)}`,
    ...(contextWindow === undefined ? [] : [`model_context_window = ${contextWindow}`]),
    'model_provider = "platform"',
    'approval_policy = "never"',
    'sandbox_mode = "danger-full-access"',
    'web_search = "disabled"',
    'check_for_update_on_startup = false',
    '',
    '[analytics]',
    'enabled = false',
    '',
    '[feedback]',
    'enabled = false',
    '',
    '[history]',
    'persistence = "none"',
    '',
    '[features]',
    ...FEATURES_OFF.map((feature) => `${feature} = false`),
    '',
    '[model_providers.platform]',
    'name = "platform"',
    `base_url = "http://${MODEL_BROKER}/v1"`,
    'wire_api = "responses"',
    'request_max_retries = 2',
    'stream_max_retries = 3',
    // A model may think for minutes before its first output.
    'stream_idle_timeout_ms = 600000',
    // If a server is not required, Codex silently starts without it when it responds slowly.
    ...(connectTools
      ? [
          '',
          '[mcp_servers.platform]',
          `url = "http://${PLATFORM_BROKER}/connect/mcp"`,
          'required = true',
          'startup_timeout_sec = 60',
          'tool_timeout_sec = 60',
        ]
      : []),
    '',
  ].join('\n');
}

/** A TOML basic string: it accepts all of JSON's escapes. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
