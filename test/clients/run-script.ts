// A library is run by a script of ours in a process of its own, beside the installed packages. The script says what it
// saw, a step a line; what must be true is decided here.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, ClientUnderTest, Outcome } from './client.ts';
import { endProgram, runProgram } from './run-program.ts';
import { type Seen, STEP_NAMES, STEPS } from './steps.ts';

const SCRIPTS = join(import.meta.dirname, 'scripts');

export function scriptClient(name: string, packageName: string, surface: 'openai' | 'anthropic', [script, ...args]: readonly [string, ...string[]]): ClientUnderTest {
  return { name, package: packageName, run: (at) => runScript(at, surface, script, args) };
}

async function runScript(at: Case, surface: 'openai' | 'anthropic', script: string, args: readonly string[]): Promise<readonly Outcome[]> {
  const directory = join(at.installed.directory, 'scripts');
  mkdirSync(directory, { recursive: true });
  for (const file of readdirSync(SCRIPTS)) copyFileSync(join(SCRIPTS, file), join(directory, file));
  const steps = STEP_NAMES.filter((step) => at.credential !== 'demo' || STEPS[step].onDemo);
  const running = runProgram(process.execPath, ['--no-warnings', join(directory, script), ...args], at.place, { SERVICE_ORIGIN: at.origin, SERVICE_TOKEN: at.token, SERVICE_MODEL: at.model, SERVICE_WORD: at.word, SERVICE_STEPS: steps.join(',') });
  const outcomes: Outcome[] = [];
  let [unread, before] = ['', 0];
  let checked: Promise<unknown> = Promise.resolve();
  const take = async (line: string): Promise<void> => {
    const seen = JSON.parse(line) as Seen;
    const arrived = at.arrived().slice(before);
    before = at.arrived().length;
    const fault = await STEPS[seen.step as keyof typeof STEPS].check(seen, { word: at.word, isDemo: at.credential === 'demo', surface, arrived });
    outcomes.push({ step: seen.step, ...(fault === undefined ? {} : { fault }) });
  };
  running.child.stdout.on('data', (text: string) => {
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('{"step"')) checked = checked.then(() => take(line));
      // Whatever the client still holds open has been looked at.
      if (line.startsWith('{"done"')) checked = checked.then(() => running.child.stdin.end());
    }
  });
  const { code, stderr } = await running.ended;
  await checked;
  endProgram(running);
  if (code !== 0) outcomes.push({ step: 'start', fault: `ended with ${code}: ${stderr.slice(-600)}` });
  return outcomes;
}
