// Finds links of the documentation that lead nowhere, to a file or to a heading, and pages that nothing leads to.
import { posix } from 'node:path';

export interface Page {
  readonly path: string;
  readonly text: string;
}

const LINK = /(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)/g;
const ELSEWHERE = /^(?:[a-z]+:|\/\/)/i;

export function findLinkFaults(pages: readonly Page[], exists: (path: string) => boolean, index: string): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
  const leads = new Map<string, string[]>();
  const faults: string[] = [];
  for (const { path, text } of pages) {
    const targets: string[] = [];
    for (const link of linksOf(text)) {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), decodeURIComponent(file)));
      if (!exists(target)) faults.push(`${path}: ${link} leads to no file`);
      else if (anchor !== undefined && anchors.has(target) && !anchors.get(target)?.has(anchor))
        faults.push(`${path}: ${link} leads to no heading`);
      targets.push(target);
    }
    leads.set(path, targets);
  }
  const reached = reachedFrom(index, leads);
  for (const { path } of pages)
    if (path.startsWith(`${posix.dirname(index)}/`) && !reached.has(path))
      faults.push(`${path}: no link leads here from ${index}`);
  return faults;
}

function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(LINK)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((link) => !ELSEWHERE.test(link));
}

/** Code shows links without making them. */
function withoutCode(text: string): string {
  return text.replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1\s*$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The names that a forge gives to headings: lower case, words joined by hyphens, the second of a name numbered. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title = ''] of text
    .replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1\s*$/gm, '')
    .matchAll(/^#{1,6}\s+(.+?)\s*$/gm)) {
    const plain = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
    for (let i = 0; ; i++) {
      const name = i === 0 ? slug : `${slug}-${i}`;
      if (anchors.has(name)) continue;
      anchors.add(name);
      break;
    }
  }
  return anchors;
}

function reachedFrom(index: string, leads: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const waiting = [index];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(leads.get(path) ?? []));
  }
  return reached;
}
