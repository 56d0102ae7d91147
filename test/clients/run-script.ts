// A library is run by a script of ours in a process of its own, beside the installed packages. The script says what it
// saw, a step a line; what must be true is decided here.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, ClientUnderTest, Outcome } from './client.ts';
import { endProgram, runProgram } from './run-program.ts';
import { type Seen, STEP_NAMES, type StepCase, type StepName, STEPS } from './steps.ts';

export const SCRIPTS = join(import.meta.dirname, 'scripts');

export interface Script {
  readonly surface: StepCase['surface'];
  /** The file and what it is told. */
  readonly line: readonly [string, ...string[]];
}

export function scriptClient(
  name: string,
  packageName: string,
  surface: Script['surface'],
  line: Script['line'],
): ClientUnderTest {
  return {
    name,
    package: packageName,
    run(at) {
      const directory = join(at.installed.directory, 'scripts');
      mkdirSync(directory, { recursive: true });
      for (const file of readdirSync(SCRIPTS)) copyFileSync(join(SCRIPTS, file), join(directory, file));
      return runScript(at, { surface, line }, directory);
    },
  };
}

/** From the directory, whose packages are those that the script finds. */
export async function runScript(
  at: Omit<Case, 'installed' | 'world'>,
  { surface, line }: Script,
  directory: string,
  only: readonly StepName[] = STEP_NAMES,
): Promise<readonly Outcome[]> {
  const [script, ...args] = line;
  const isDemo = at.credential === 'demo';
  const steps = only.filter((step) => !isDemo || STEPS[step].onDemo);
  const running = runProgram(process.execPath, ['--no-warnings', join(directory, script), ...args], at.place, {
    SERVICE_ORIGIN: at.origin,
    SERVICE_TOKEN: at.token,
    SERVICE_MODEL: at.model,
    SERVICE_WORD: at.word,
    SERVICE_STEPS: steps.join(','),
  });
  const outcomes: Outcome[] = [];
  let [unread, before] = ['', 0];
  let checked: Promise<unknown> = Promise.resolve();
  const take = async (said: string): Promise<void> => {
    const seen = JSON.parse(said) as Seen;
    const arrived = at.arrived().slice(before);
    before = at.arrived().length;
    const fault = await STEPS[seen.step as StepName].check(seen, { word: at.word, isDemo, surface, arrived });
    outcomes.push({ step: seen.step, ...(fault === undefined ? {} : { fault }) });
  };
  running.child.stdout.on('data', (text: string) => {
    const lines = (unread + text).split('\n');
    unread = lines.pop() ?? '';
    for (const said of lines) {
      if (said.startsWith('{"step"')) checked = checked.then(() => take(said));
      // Whatever the client still holds open has been looked at.
      if (said.startsWith('{"done"')) checked = checked.then(() => running.child.stdin.end());
    }
  });
  const { code, stderr } = await running.ended;
  await checked;
  endProgram(running);
  if (code !== 0) outcomes.push({ step: 'start', fault: `ended with ${code}: ${stderr.slice(-600)}` });
  return outcomes;
}
