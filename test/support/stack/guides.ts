// The fenced blocks of the operators' guides. A block of commands opens with ```sh run=<name> and is run as it stands on
// the page, or with ```sh not-run=<reason>. `on=` says where: on a Debian of its own (install-guide.test.ts), against
// kubectl (kubernetes-guide.test.ts), beside a service with an integration provider (connections.test.ts) or with local models (local-models.test.ts),
// in the directory of a release (release.test.ts); without it, beside one that has none (operator-guides.test.ts).
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const GUIDES = join(import.meta.dirname, '..', '..', '..', 'docs', 'operators');

export interface Fence {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  /** What follows the language on the opening line. */
  readonly info: string;
  readonly text: string;
}

export interface GuideBlock {
  readonly page: string;
  readonly name: string;
  readonly script: string;
  /** The exit code that the page promises. */
  readonly exit: number;
  readonly on: string | undefined;
}

export function readFences(directory = GUIDES): Fence[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const page = readFileSync(join(directory, file), 'utf8');
      return [...page.matchAll(/^ *```(\S*) ?(.*)\n([\s\S]*?)^ *```$/gm)].map(
        ({ index, 1: language = '', 2: info = '', 3: text = '' }) => ({
          page: file.replace(/\.md$/, ''),
          line: page.slice(0, index).split('\n').length,
          language,
          info,
          text,
        }),
      );
    });
}

export function readGuides(on?: string): GuideBlock[] {
  const marked = readFences().flatMap(({ page, language, info, text }) => {
    const {
      name,
      where,
      exit = '0',
    } = /^run=(?<name>\S+)(?: on=(?<where>\S+))?(?: exit=(?<exit>\d+))?$/.exec(info)?.groups ?? {};
    return language === 'sh' && name !== undefined ? [{ page, name, script: text, exit: Number(exit), on: where }] : [];
  });
  return marked.filter((block) => block.on === on);
}

/** A file that a page tells the operator to save. */
export function readGuideFile(name: string): string {
  const found = readFences().find(({ info }) => info === `file=${name}`);
  if (!found) throw new Error(`no guide has the file ${name}`);
  return found.text;
}

/** Runs a block as an operator would paste it, stopping at the first command that fails. */
export function runBlock(
  { script }: GuideBlock,
  { cwd, environment }: { cwd: string; environment: Readonly<Record<string, string>> },
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn('/bin/bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
