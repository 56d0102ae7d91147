// The commands of the operators' guides, as they stand on the page: blocks that open with ```sh run=<name>.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const GUIDES = join(import.meta.dirname, '..', '..', 'docs', 'operators');

export interface GuideBlock {
  readonly page: string;
  readonly name: string;
  readonly script: string;
  /** The exit code that the page promises. */
  readonly exit: number;
}

export function readGuides(): GuideBlock[] {
  return readdirSync(GUIDES).filter((file) => file.endsWith('.md')).flatMap((file) =>
    [...readFileSync(join(GUIDES, file), 'utf8').matchAll(/^```sh run=(\S+)(?: exit=(\d+))?\n([\s\S]*?)^```$/gm)].map(([, name = '', exit = '0', script = '']) => ({ page: file.replace(/\.md$/, ''), name, script, exit: Number(exit) })),
  );
}

/** Runs a block as an operator would paste it, stopping at the first command that fails. */
export function runBlock({ script }: GuideBlock, { cwd, environment }: { cwd: string; environment: Readonly<Record<string, string>> }): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn('/bin/bash', ['--norc', '-euo', 'pipefail', '-c', script], { cwd, env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
