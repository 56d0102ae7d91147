// A small program in the place of the Codex CLI. It reads the same configuration and input, asks the same two addresses
// and tells the same events; the model's scripted answers decide what it does.
import { execFile } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CODEX_DIRECTORY, CODEX_PLATFORMS, vendorPath } from '../../../src/engines/codex/codex-package.ts';

const STAND_IN = `#!/opt/service/node
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const config = readFileSync(process.env.CODEX_HOME + '/config.toml', 'utf8');
const setting = (pattern) => pattern.exec(config)?.[1];
const [model, base, tools] = [setting(/^model = "(.*)"$/m), setting(/^base_url = "(.*)"$/m), setting(/^url = "(.*)"$/m)];
const args = process.argv.slice(2);
const last = args[args.indexOf('-o') + 1];
const say = (event) => process.stdout.write(JSON.stringify(event) + '\\n');
let items = 0;
const item = (type, item) => say({ type, item });
const post = (url, body) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: JSON.stringify(body) });

async function act(call) {
  const given = JSON.parse(call.arguments);
  const id = 'item_' + items++;
  if (call.name === 'exec_command') {
    const command = "/bin/bash -lc '" + given.cmd + "'";
    item('item.started', { id, type: 'command_execution', command, aggregated_output: '', exit_code: null, status: 'in_progress' });
    const { status, stdout, stderr } = spawnSync('/bin/bash', ['-lc', given.cmd], { encoding: 'utf8' });
    item('item.completed', { id, type: 'command_execution', command, aggregated_output: stdout + stderr, exit_code: status, status: status === 0 ? 'completed' : 'failed' });
    return stdout + stderr;
  }
  const common = { id, type: 'mcp_tool_call', server: 'platform', tool: call.name, arguments: given };
  item('item.started', { ...common, result: null, error: null, status: 'in_progress' });
  const answer = await post(tools, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: call.name, arguments: given } });
  const { result } = JSON.parse((await answer.text()).replace(/^[^{]*data: /s, ''));
  item('item.completed', { ...common, result, error: null, status: 'completed' });
  return JSON.stringify(result);
}

(async () => {
  console.error('WARNING: what is said here is no event');
  say({ type: 'thread.started', thread_id: 'thread-of-the-stand-in' });
  say({ type: 'turn.started' });
  const sessions = process.env.CODEX_HOME + '/sessions/2026/01/01';
  const session = sessions + '/rollout-thread-of-the-stand-in.jsonl';
  const resumes = args.includes('resume');
  if (resumes && (args[args.indexOf('resume') + 1] !== '--last' || !existsSync(session))) {
    console.error('Error: no rollout found');
    process.exit(1);
  }
  const before = resumes ? JSON.parse(readFileSync(session, 'utf8')) : [];
  // As the real one does: a call without an output is told as aborted.
  const answered = new Set(before.filter(({ type }) => type === 'function_call_output').map(({ call_id }) => call_id));
  const open = before.filter(({ type, call_id }) => type === 'function_call' && !answered.has(call_id));
  const input = [
    ...before,
    ...open.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'aborted' })),
    { type: 'message', role: 'user', content: readFileSync(0, 'utf8') },
  ];
  const keep = () => {
    if (args.includes('--ephemeral')) return;
    mkdirSync(sessions, { recursive: true });
    writeFileSync(session, JSON.stringify(input));
  };
  const usage = { input_tokens: 0, output_tokens: 0 };
  for (;;) {
    keep();
    const answer = await post(base + '/responses', { model, input, stream: false, store: false });
    const text = await answer.text();
    if (!answer.ok) {
      const message = 'unexpected status ' + answer.status + ': ' + text;
      say({ type: 'error', message });
      say({ type: 'turn.failed', error: { message } });
      process.exit(1);
    }
    const { output, usage: used } = JSON.parse(text);
    usage.input_tokens += used.input_tokens;
    usage.output_tokens += used.output_tokens;
    input.push(...output);
    keep();
    const calls = output.filter(({ type }) => type === 'function_call');
    for (const call of calls) input.push({ type: 'function_call_output', call_id: call.call_id, output: await act(call) });
    for (const { content } of output.filter(({ type }) => type === 'message')) {
      const said = content.map(({ text }) => text).join('');
      if (said === '') continue;
      if (said.startsWith('exit ')) process.exit(Number(said.slice(5)));
      writeFileSync(last, said);
      item('item.completed', { id: 'item_' + items++, type: 'agent_message', text: said });
    }
    if (calls.length === 0) break;
  }
  keep();
  say({ type: 'turn.completed', usage });
})();
`;

const platform = CODEX_PLATFORMS[process.arch];

/** Where an installed Codex has its program, beneath the directory tools. */
function codexProgram(tools: string): string {
  if (platform === undefined) throw new Error(`there is no Codex for ${process.arch}`);
  return join(tools, CODEX_DIRECTORY, vendorPath(platform), 'bin', 'codex');
}

/** The directory tools of the controller becomes the worker's too, as it is where both share a data directory. */
export async function shareTools(controllerDirectory: string, workerDirectory: string): Promise<string> {
  const tools = join(controllerDirectory, 'tools');
  await symlink(tools, join(workerDirectory, 'tools'));
  return tools;
}

export async function plantStandIn(tools: string): Promise<void> {
  const program = codexProgram(tools);
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, STAND_IN);
  await chmod(program, 0o755);
}

/** From another directory tools, without copying its bytes where the file system can. */
export async function plantRealCodex(tools: string, from: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', '--reflink=auto', join(from, CODEX_DIRECTORY), join(tools, CODEX_DIRECTORY)]);
}
