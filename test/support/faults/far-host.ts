// A host of its own on this machine: a network namespace behind a pair of virtual interfaces. When it vanishes, what is
// sent to it is lost without a word, as with a machine that lost its power.
import { spawnSync } from 'node:child_process';

export interface FarHost {
  /** Where the far host reaches this one. */
  readonly here: string;
  /** The command that runs a program there. */
  readonly within: readonly string[];
  vanish(): void;
  remove(): void;
}

/** Why none can be made here; undefined where it can. */
export function farHostMissing(): string | undefined {
  try {
    makeFarHost(250).remove();
    return undefined;
  } catch {
    return 'needs the right to make network namespaces and virtual interfaces';
  }
}

/** `number` tells several apart: from 1 to 250. */
export function makeFarHost(number: number): FarHost {
  const name = `service-far-${process.pid}-${number}`;
  const [near, far] = [`sf${number}n${process.pid % 100_000}`, `sf${number}f${process.pid % 100_000}`];
  const network = `10.213.${number}`;
  const remove = (): void => {
    spawnSync('ip', ['link', 'del', near]);
    spawnSync('ip', ['netns', 'del', name]);
  };
  try {
    ip('netns', 'add', name);
    ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name);
    ip('addr', 'add', `${network}.1/30`, 'dev', near);
    ip('link', 'set', near, 'up');
    ip('-n', name, 'addr', 'add', `${network}.2/30`, 'dev', far);
    for (const device of ['lo', far]) ip('-n', name, 'link', 'set', device, 'up');
  } catch (error) {
    remove();
    throw error;
  }
  return {
    here: `${network}.1`,
    within: ['ip', 'netns', 'exec', name],
    vanish: () => ip('link', 'set', near, 'down'),
    remove,
  };
}

function ip(...args: readonly string[]): void {
  const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`ip ${args.join(' ')}: ${stderr}`);
}
