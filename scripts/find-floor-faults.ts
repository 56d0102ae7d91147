// Finds imports that go up, sideways or in a circle, reads of the environment outside its one file, and calls
// over HTTP from rooms that have no business making them.
import { posix } from 'node:path';
import { CALLS_OUT, FLOORS, OUTSIDE, READS_ENVIRONMENT } from './floors.ts';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const HTTP_CLIENT = /\bfetch\(|from 'undici'|\bhttps?\.(?:request|get)\(|\brequest as httpRequest\b/;

const floorOf = new Map<string, number>();
for (const [floor, rooms] of Object.entries(FLOORS)) for (const room of rooms) floorOf.set(room, Number(floor));

export function findFaults(files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  for (const { path, text } of files) {
    const code = withoutComments(text);
    const targets = relativeImports(path, code);
    graph.set(path, targets);
    for (const target of targets) {
      const fault = wrongDirection(path, target);
      if (fault !== undefined) faults.push(`${path} imports ${target}: ${fault}`);
    }
    if (/\bprocess\.env\b/.test(code) && path.startsWith('src/') && path !== READS_ENVIRONMENT)
      faults.push(`${path} reads process.env: only ${READS_ENVIRONMENT} may`);
    const room = roomOf(path);
    if (path.startsWith('src/') && HTTP_CLIENT.test(code) && !(CALLS_OUT as readonly string[]).includes(room))
      faults.push(`${path} calls out over HTTP: only ${CALLS_OUT.join(', ')} may`);
  }
  return [...faults, ...circles(graph)];
}

/** The files that a file imports, types included. */
export function importsOf({ path, text }: SourceFile): string[] {
  return relativeImports(path, withoutComments(text));
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function relativeImports(path: string, code: string): string[] {
  return [...code.matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}

function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/');
  return top === 'src' ? room : top;
}

function wrongDirection(from: string, to: string): string | undefined {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
  if (fromRoom === toRoom) return undefined;
  const allowed = (OUTSIDE as Record<string, readonly string[]>)[fromRoom];
  if (allowed)
    return allowed.includes(toRoom) ? undefined : `${fromRoom} may import only src/${allowed.join(', src/')}`;
  const [fromFloor, toFloor] = [floorOf.get(fromRoom), floorOf.get(toRoom)];
  if (fromFloor === undefined) return `the room '${fromRoom}' is on no floor`;
  if (toFloor === undefined) return `the room '${toRoom}' is on no floor`;
  if (toFloor === fromFloor) return `sideways on floor ${fromFloor}`;
  return toFloor > fromFloor ? `upwards from floor ${fromFloor} to ${toFloor}` : undefined;
}

/** Each circle once, by depth-first search: an edge to a file that is still being visited closes one. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const faults: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (file: string): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      faults.push(`circle: ${[...trail.slice(start), file].join(' → ')}`);
      return;
    }
    if (done.has(file)) return;
    trail.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    trail.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return faults;
}
