// The passages of a project's files that a question is answered with: the nearest in meaning, if something pays for
// embeddings, and those with its words. Both lists are ranked, and a passage counts by its places in them.
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';
import { AppError } from '../../base/errors.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import type { Message } from '../../contract/threads.ts';
import type { Database } from '../../store/database.ts';
import type { TurnDeps } from '../../turns/answer-turn.ts';
import { EMBEDDING_MODEL, embedTexts } from '../attachments/embed-texts.ts';
import { decideTurn } from '../../turns/decide-turn.ts';
import type { TurnCaller } from '../../turns/open-turn.ts';
import type { TurnContext } from '../../turns/turn-context.ts';
import { embedPieces } from './embed-pieces.ts';
import { USES } from './projects.ts';

export interface Passage {
  readonly file: string;
  readonly name: string;
  readonly position: number;
  readonly text: string;
}

export interface PassageSearch {
  readonly caller: TurnCaller;
  readonly context: TurnContext;
  readonly projectId: string;
  readonly question: string;
}

interface PassageRef {
  readonly file: string;
  readonly position: number;
}

const QUESTION_CHARACTERS = 4_000;
const SHORT_QUESTION = 80;
const MOST_CHARACTERS = 14_000;
/** How many of each list are compared. */
const RANKED = 24;
/** How many pieces one question may embed that were left without. */
const EMBEDDED_LATER = 192;
/** Below this, two texts have nothing to do with each other. */
const LEAST_NEARNESS = 0.2;
/** The usual constant of reciprocal rank fusion: the first places do not decide alone. */
const DAMPING = 60;

/** The best first. Files of a project that the caller may not use are never found. */
export async function findPassages(
  deps: { readonly db: Database; readonly turns: TurnDeps },
  search: PassageSearch,
  signal: AbortSignal,
): Promise<Passage[]> {
  const nearest = await findNearest(deps, search, signal);
  const byWords = await findByWords(deps.db, search.projectId, search.question);
  const refs = fuseRanks([nearest, byWords]);
  return cutPassages(await readPassages(deps.db, search, refs.length > 0 ? refs : undefined));
}

/** What is searched for. A short question, such as "And for teams?", only makes sense with the one before it. */
export function questionOf(messages: readonly Pick<Message, 'role' | 'parts'>[]): string {
  const [asked = '', before = ''] = messages
    .filter(({ role }) => role === 'user')
    .map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'))
    .toReversed();
  const whole = asked.length < SHORT_QUESTION ? `${asked}\n${before.slice(0, SHORT_QUESTION * 4)}`.trim() : asked;
  return whole.slice(0, QUESTION_CHARACTERS).toWellFormed();
}

/** Places in several ranked lists as one list. */
export function fuseRanks(lists: readonly (readonly PassageRef[])[]): PassageRef[] {
  const scores = new Map<CacheKey, { ref: PassageRef; score: number }>();
  for (const list of lists)
    for (const [rank, ref] of list.entries()) {
      const key = cacheKey(ref.file, ref.position);
      const known = scores.get(key)?.score ?? 0;
      scores.set(key, { ref, score: known + 1 / (DAMPING + rank) });
    }
  return [...scores.values()]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, PROJECT_LIMITS.passages)
    .map(({ ref }) => ref);
}

/** The first ones that fit. */
export function cutPassages(passages: readonly Passage[], most = MOST_CHARACTERS): Passage[] {
  let left = most;
  return passages.filter(({ text }) => (left -= text.length) >= 0);
}

async function findByWords(db: Database, projectId: string, question: string): Promise<PassageRef[]> {
  const { rows } = await db.query<{ file_id: string; piece: number }>(
    'select s.file_id, s.piece from :schema.project_search($1, $2, $3) s',
    [projectId, question, RANKED],
  );
  return rows.map(({ file_id: file, piece: position }) => ({ file, position }));
}

/** None if nothing pays for embeddings; that is decided without a call, and without an entry in the log of requests. */
async function findNearest(
  { db, turns }: { readonly db: Database; readonly turns: TurnDeps },
  { caller, context, projectId, question }: PassageSearch,
  signal: AbortSignal,
): Promise<PassageRef[]> {
  const asked = { model: EMBEDDING_MODEL, modality: 'embedding', scope: 'organization' } as const;
  if (decideTurn(turns.settings, context, asked).refusal) return [];
  try {
    await embedPieces({ db, turns }, caller, { projectId, most: EMBEDDED_LATER }, signal);
    const [vector = []] = await embedTexts(turns, caller, [question || 'Summary'], signal);
    const { rows } = await db.query<{ file_id: string; position: number }>(
      `select n.file_id, n.position from (
         select p.file_id, p.position, (select sum(u.a * u.b) from unnest(p.embedding, $2::real[]) as u (a, b)) as nearness
           from :schema.project_piece p where p.project_id = $1 and p.model = $3) n
        where n.nearness >= $4 order by n.nearness desc, n.file_id, n.position limit $5`,
      [projectId, vector, EMBEDDING_MODEL, LEAST_NEARNESS, RANKED],
    );
    return rows.map(({ file_id: file, position }) => ({ file, position }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}

/** In the order of the passages; the beginnings of the latest files if nothing was found, such as for "summarize this". */
async function readPassages(
  db: Database,
  { caller, context, projectId }: PassageSearch,
  refs: readonly PassageRef[] | undefined,
): Promise<Passage[]> {
  const { rows } = await db.query<{ file: string; name: string; position: number; text: string }>(
    `select f.id as file, f.name, c.position, c.text
       from :schema.project p join :schema.project_file f on f.project_id = p.id join :schema.project_piece c on c.file_id = f.id
       left join unnest($4::text[], $5::int[]) with ordinality as n (file, position, at) on n.file = f.id and n.position = c.position
      where p.id = $2 and p.organization_id = $3 and ${USES} and f.state = 'ready'
        and case when $4::text[] is null then c.position = 0 else n.at is not null end
      order by n.at, f.id desc limit $6`,
    [
      caller.userId,
      projectId,
      context.organizationId,
      refs?.map(({ file }) => file) ?? null,
      refs?.map(({ position }) => position) ?? null,
      PROJECT_LIMITS.passages,
    ],
  );
  return rows;
}
