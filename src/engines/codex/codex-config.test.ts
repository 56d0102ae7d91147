import { describe, expect, it } from 'vitest';
import { codexConfig } from './codex-config.ts';

describe("Codex's configuration", () => {
  it('names brokers and contains no key', () => {
    expect(codexConfig({ model: 'gpt-6-sol', contextWindow: 400_000, connectTools: true })).toBe(`model = "gpt-6-sol"
model_context_window = 400000
model_provider = "platform"
approval_policy = "never"
sandbox_mode = "danger-full-access"
web_search = "disabled"
check_for_update_on_startup = false

[analytics]
enabled = false

[feedback]
enabled = false

[history]
persistence = "none"

[features]
apps = false
browser_use = false
computer_use = false
daemon_auto_start = false
enable_request_compression = false
goals = false
hooks = false
image_generation = false
in_app_browser = false
multi_agent = false
plugin_discovery_prefetch = false
plugins = false
remote_plugin = false
shell_snapshot = false
skill_mcp_dependency_install = false
skill_search = false
tool_suggest = false
unbounded_connection_retries = false

[model_providers.platform]
name = "platform"
base_url = "http://openai.broker/v1"
wire_api = "responses"
request_max_retries = 2
stream_max_retries = 3
stream_idle_timeout_ms = 600000

[mcp_servers.platform]
url = "http://platform.broker/connect/mcp"
required = true
startup_timeout_sec = 60
tool_timeout_sec = 60
`);
  });

  it('cannot be broken out of by the name of a model', () => {
    const text = codexConfig({ model: 'x"\nsandbox_mode = "off\\', contextWindow: undefined, connectTools: false });
    expect(text.split('\n').slice(0, 2)).toEqual([
      'model = "x\\"\\nsandbox_mode = \\"off\\\\"',
      'model_provider = "platform"',
    ]);
    expect(text).not.toContain('mcp_servers');
  });
});
