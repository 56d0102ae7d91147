// The coding agents of the command line, and what differs between them.
import { type Agent, agentClient, newcomer } from './run-agent.ts';

const AGENTS: readonly Agent[] = [
  {
    client: 'claude-code',
    package: '@anthropic-ai/claude-code',
    again: (line) => `${line} --continue`,
    allow: (line) => `${line} --permission-mode acceptEdits`,
    compact: { prompt: '/compact' },
    tooLong: /prompt is too long/i,
    refused: /issue with the selected model \(nobody\/no-such-model\)/,
  },
  {
    client: 'codex',
    package: '@openai/codex',
    again: (line) => line.replace('codex exec', 'codex exec resume --last'),
    compact: {
      change: (line) =>
        line.replace('--skip-git-repo-check', '--skip-git-repo-check -c model_auto_compact_token_limit=50000'),
    },
    // Its own sandbox needs rights that a container may not have; the stand-in only ever asks it to read the note and to
    // write a file of the project.
    allow: (line) =>
      line.replace('--skip-git-repo-check', '--skip-git-repo-check --dangerously-bypass-approvals-and-sandbox'),
    tooLong: /context window/i,
    refused: /model_not_found|nobody\/no-such-model.*(not found|does not exist|not available)/i,
  },
  {
    client: 'opencode',
    package: 'opencode-ai',
    again: (line) => line.replace('opencode run', 'opencode run --continue'),
    tooLong: /context window|maximum context length|prompt is too long/i,
    refused: /no-such-model|model_not_found/i,
  },
  {
    client: 'qwen-code',
    package: '@qwen-code/qwen-code',
    again: (line) => line.replace('qwen', 'qwen --continue'),
    allow: (line) => line.replace('qwen', 'qwen --approval-mode auto-edit'),
    tooLong: /context window|maximum context length|prompt is too long/i,
    refused: /no-such-model|model_not_found/i,
  },
];

export const AGENT_CLIENTS = [...AGENTS.map(agentClient), ...AGENTS.map(newcomer)];
