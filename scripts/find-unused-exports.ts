// Finds what is exported and imported nowhere else: it is either dead or its file's own. A type that the rest of its file
// needs is part of what the file exports, whether or not anyone names it.
import { posix } from 'node:path';
import type { SourceFile } from './find-floor-faults.ts';

/** Files that are started, or read by a tool, and not imported. */
const STARTED =
  /^(?:src\/entry\/[^/]+|src\/.*-thread|(?:web|cli|bench)\/main|scripts\/[^/]+|bench\/(?:peers\/)?[^/]+|test\/support\/(?:shared-stack|postgres-setup|leave-no-trace)|.*\.(?:test|config|de))\.(?:tsx?|mjs|cjs)$/;

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|(interface|type)) (?:([\w$]+)|\{([^}]*)\})/gm;
const LISTED = /^export (?:type )?\{([^}]*)\};/gm;
const IMPORTED = /(?:^|[\n;])\s*(?:import|export)\s([^'"`;]*?)\sfrom\s*['"](\.[^'"]+)['"]/g;
/** Everything of it may be used. */
const WHOLE = /\bimport\(\s*['"](\.[^'"]+)['"]\s*\)|\bvi\.mock\(\s*['"](\.[^'"]+)['"]/g;

export function findUnusedExports(files: readonly SourceFile[]): string[] {
  const used = new Map<string, Set<string>>();
  const use = (from: string, target: string, names: readonly string[]): void => {
    const path = posix.join(posix.dirname(from), target);
    const known = used.get(path) ?? new Set();
    for (const name of names) known.add(name);
    used.set(path, known);
  };
  for (const { path, text } of files) {
    for (const [, clause = '', target = ''] of text.matchAll(IMPORTED)) use(path, target, namesIn(clause));
    for (const [, target, mocked] of text.matchAll(WHOLE)) use(path, target ?? mocked ?? '', ['*']);
  }
  return files
    .filter(({ path }) => !STARTED.test(path))
    .flatMap(({ path, text }) => {
      const known = used.get(path) ?? new Set();
      if (known.has('*')) return [];
      return exportsOf(text)
        .filter((name) => !known.has(name))
        .map((name) => `${path} exports ${name}, which nothing imports`);
    });
}

function exportsOf(text: string): string[] {
  return [
    ...[...text.matchAll(DECLARED)].flatMap(([, type, name = '', several]) => {
      if (several !== undefined) return exposed(several);
      return type !== undefined && isNeeded(name, text) ? [] : [name];
    }),
    ...[...text.matchAll(LISTED)].flatMap(([, several = '']) => exposed(several)),
  ];
}

function isNeeded(type: string, text: string): boolean {
  return text.split(new RegExp(`\\b${type}\\b`)).length > 2;
}

/** The names by which others see the entries of a list: `a`, `a: b`, `a as b`. */
function exposed(list: string): string[] {
  return entriesOf(list).map((entry) => entry.split(/\sas\s|:\s*/).at(-1) ?? '');
}

/** The names that an import asks for: those of a list, `default`, or everything. */
function namesIn(clause: string): string[] {
  if (clause.includes('*')) return ['*'];
  const list = /\{([^}]*)\}/.exec(clause)?.[1];
  const isDefault = /^(?:type\s+)?[\w$]+\s*(?:,|$)/.test(clause.trim());
  return [...(isDefault ? ['default'] : []), ...entriesOf(list ?? '').map((entry) => entry.split(/\sas\s/)[0] ?? '')];
}

function entriesOf(list: string): string[] {
  return list
    .replaceAll(/\/\/[^\n]*/g, '')
    .split(',')
    .map((entry) => entry.trim().replace(/^type\s+/, ''))
    .filter((entry) => entry !== '');
}
