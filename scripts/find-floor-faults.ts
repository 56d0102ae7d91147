// Finds imports that go up, sideways or in a circle, reads of the environment outside its one file, calls over HTTP from
// rooms that have no business making them, retries that are written by hand, and directories with too many files.
import { posix } from 'node:path';
import {
  CALLS_OUT,
  FEATURE_ARROWS,
  FLOORS,
  INNER_FLOORS,
  OUTSIDE,
  BUILDS_ROUTES,
  READS_ENVIRONMENT,
  STARTS_STAND_INS,
  WEB_FLOORS,
} from './floors.ts';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const HTTP_CLIENT = /\bfetch\(|from 'undici'|\bhttps?\.(?:request|get)\(|\brequest as httpRequest\b/;
/** A loop that counts its tries. */
const RETRY_LOOP = /\bfor \(let (?:tries|retries|attempts?)\b/;

const floorOf = floorsOf(FLOORS);
const innerFloorOf = new Map(Object.entries(INNER_FLOORS).map(([room, floors]) => [room, floorsOf(floors)]));

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
    if (/\bprocess\.env\b/.test(code) && /^(?:src|stand-ins)\//.test(path) && path !== READS_ENVIRONMENT)
      faults.push(`${path} reads process.env: only ${READS_ENVIRONMENT} may`);
    const room = roomOf(path);
    if (path.startsWith('src/') && HTTP_CLIENT.test(code) && !(CALLS_OUT as readonly string[]).includes(room))
      faults.push(`${path} calls out over HTTP: only ${CALLS_OUT.join(', ')} may`);
    if (path.startsWith('src/') && room !== 'timing' && RETRY_LOOP.test(code))
      faults.push(`${path} retries by hand: src/timing/retry.ts does, by a row of retry-policies.ts`);
  }
  return [...faults, ...findSchemasInPages(files), ...circles(graph), ...findFullDirectories(files)];
}

const TYPE_IMPORT = /\b(?:import|export)\s+type\s[^'"`;]*?\sfrom\s*['"][^'"]+['"]/g;
const SCHEMA_LIBRARY = /\bfrom 'zod'/;

/** The library tries whether it may evaluate text, which the policy of the pages refuses; and it is large. */
function findSchemasInPages(files: readonly SourceFile[]): string[] {
  const loaded = new Map(files.map(({ path, text }) => [path, withoutComments(text).replace(TYPE_IMPORT, '')]));
  const hasSchemas = (path: string, above: readonly string[] = []): boolean => {
    const code = above.includes(path) ? undefined : loaded.get(path);
    if (code === undefined) return false;
    return (
      SCHEMA_LIBRARY.test(code) || relativeImports(path, code).some((target) => hasSchemas(target, [...above, path]))
    );
  };
  return files.flatMap(({ path }) =>
    path.startsWith('web/') && path !== BUILDS_ROUTES
      ? relativeImports(path, loaded.get(path) ?? '')
          .filter((target) => target.startsWith('src/contract/') && hasSchemas(target))
          .map((target) => `${path} loads the schemas of ${target}: import types of it only, or put the values apart`)
      : [],
  );
}

/** More is not found by reading down a list. */
const MOST_FILES = 40;

function findFullDirectories(files: readonly SourceFile[]): string[] {
  return [...Map.groupBy(files, ({ path }) => posix.dirname(path))]
    .filter(([, within]) => within.length > MOST_FILES)
    .map(([path, within]) => `${path} has ${within.length} files: at most ${MOST_FILES}, the rest belongs in folders`);
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

function floorsOf(table: Readonly<Record<number, readonly string[]>>): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(table).flatMap(([floor, rooms]) => rooms.map((room) => [room, Number(floor)] as const)),
  );
}

/** The room inside a room; '.' for a file that lies in the room itself. */
function innerRoomOf(path: string): string {
  const [, , inner = '.', file] = path.split('/');
  return file === undefined ? '.' : inner;
}

function roomOf(path: string): string {
  const [top = '', room = ''] = path.split('/');
  if (top === 'stand-ins') return `${top}/${room}`;
  return top === 'src' ? room : top;
}

function wrongDirection(from: string, to: string): string | undefined {
  const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
  if (fromRoom === toRoom) {
    if (fromRoom === 'web') return wrongInWeb(from, to);
    const floors = from.startsWith('src/') ? innerFloorOf.get(fromRoom) : undefined;
    return floors && compareFloors(floors, innerRoomOf(from), innerRoomOf(to));
  }
  const allowed = (OUTSIDE as Record<string, readonly string[]>)[fromRoom];
  if (allowed)
    return allowed.includes(toRoom) ? undefined : `${fromRoom} may import only src/${allowed.join(', src/')}`;
  if (toRoom.startsWith('stand-ins/'))
    return fromRoom === STARTS_STAND_INS ? undefined : `only src/${STARTS_STAND_INS} starts stand-ins`;
  return compareFloors(floorOf, fromRoom, toRoom);
}

function compareFloors(floors: ReadonlyMap<string, number>, fromRoom: string, toRoom: string): string | undefined {
  if (fromRoom === toRoom) return undefined;
  const [fromFloor, toFloor] = [floors.get(fromRoom), floors.get(toRoom)];
  if (fromFloor === undefined) return `the room '${fromRoom}' is on no floor`;
  if (toFloor === undefined) return `the room '${toRoom}' is on no floor`;
  if (toFloor === fromFloor) return `sideways on floor ${fromFloor}`;
  return toFloor > fromFloor ? `upwards from floor ${fromFloor} to ${toFloor}` : undefined;
}

function wrongInWeb(from: string, to: string): string | undefined {
  const [fromFloor, toFloor] = [webFloorOf(from), webFloorOf(to)];
  if (fromFloor === undefined) return `the folder '${from.split('/')[1]}' of web is on no floor`;
  if (toFloor === undefined) return `the folder '${to.split('/')[1]}' of web is on no floor`;
  if (toFloor !== fromFloor) return toFloor < fromFloor ? `upwards in web, to ${to.split('/')[1]}` : undefined;
  const [fromFeature = '', toFeature = ''] = [from, to].map((path) => path.split('/')[2]);
  if (WEB_FLOORS[fromFloor] !== 'features' || fromFeature === toFeature) return undefined;
  const arrows = (FEATURE_ARROWS as Record<string, readonly string[]>)[fromFeature];
  if (arrows === undefined) return `the feature '${fromFeature}' is not in the table`;
  return arrows.includes(toFeature) ? undefined : `the table has no arrow from ${fromFeature} to ${toFeature}`;
}

/** Counted from the top; files that lie in web/ itself are above the first. */
function webFloorOf(path: string): number | undefined {
  const [, folder = '', ...rest] = path.split('/');
  if (rest.length === 0) return -1;
  const floor = (WEB_FLOORS as readonly string[]).indexOf(folder);
  return floor < 0 ? undefined : floor;
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
