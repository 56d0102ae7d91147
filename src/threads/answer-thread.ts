// A turn of the web app once the user is known: workspace, message, then background run or direct answer. All checks
// come first, in order, and a refusal stores nothing. Once the turn is admitted the message is stored, before the
// provider is called, so no failure can lose it. The answer is written even if the client disconnects.
import { AppError, type ErrorCode } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Log } from '../telemetry/log.ts';
import { inputBudget, smallestContext } from '../contract/context/context-size.ts';
import type { Project } from '../contract/projects.ts';
import type { ChatRequest, ShownRun } from '../contract/threads.ts';
import type { Database } from '../store/database.ts';
import type { Listener } from '../store/listen.ts';
import { withSettings } from '../turns/answer-settings.ts';
import { answerTurn, type TurnDeps } from '../turns/answer-turn.ts';
import { isLongText, readAttachments } from '../documents/attachments/read-attachments.ts';
import { decideTurn } from '../turns/decide-turn.ts';
import { findMentions } from './find-mentions.ts';
import type { AnswerClient } from './live-answer.ts';
import { scopeOf, type TurnCaller } from '../turns/open-turn.ts';
import { takeFromLimit } from '../turns/take-from-limit.ts';
import { openPendingAnswer, type PendingAnswer } from './pending-answer.ts';
import { findPassages, questionOf } from '../documents/projects/find-passages.ts';
import { findUsableProject, getUsableProject } from '../documents/projects/projects.ts';
import { showProject, withInstructions, withPassages } from '../documents/projects/show-project.ts';
import { prepareConversation } from '../turns/bodies/large-body.ts';
import { buildConversation, type Conversation, listAttachments, readMessages } from './read-conversation.ts';
import { startCourse } from '../turns/routes/choose-next-hop.ts';
import { modelsOf } from '../turns/routes/present-route.ts';
import { readSystem } from './prompts/custom-instructions.ts';
import type { TitleTurn } from './thread-title.ts';
import { type PreparedTurn, prepareTurn } from './prepare-turn.ts';
import { type ReadRuns, showRuns } from './show-runs.ts';
import { getThread } from './threads.ts';
import { findTurnContext, type TurnContext } from '../turns/turn-context.ts';
import { refusePaused } from '../tenancy/members/refuse-paused.ts';

export interface BackgroundRun {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly threadId: string;
  readonly objective: string;
  /** Of the chat, if the person may use it. */
  readonly projectId: string | undefined;
  readonly model: string;
  readonly capabilities: readonly string[];
  /** Decides instead what is started. */
  readonly recipe: ChatRequest['recipe'];
  /** Of the turn, which never starts two runs: its message, unless that is asked again. */
  readonly idempotencyKey: string;
}

export interface ThreadDeps {
  readonly db: Database;
  readonly log: Log;
  readonly turns: TurnDeps;
  readonly listener: Listener | undefined;
  /**
   * Starts a run or refuses, for example because a capability is unusable. Absent if background runs are not available.
   */
  readonly startBackgroundRun?: ((run: BackgroundRun, signal: AbortSignal) => Promise<ShownRun>) | undefined;
  /** Whether the word after an @ names a capability, connected or not. A missing one is refused, not ignored. */
  readonly isCapability?: ((word: string) => boolean) | undefined;
  /** The current state of runs. If absent, a conversation knows only that they were started. */
  readonly readRuns?: ReadRuns | undefined;
  /** Called after the first answer of a thread. The turn does not wait for it. */
  readonly generateTitle: (turn: TitleTurn) => void;
  /** Receives every answer in progress, so that the process can shut down cleanly. */
  readonly track: (answer: Pick<PendingAnswer, 'interrupt'>, done: Promise<void>) => void;
}

/** Everything known about a turn before it is admitted. */
interface RequestedTurn extends PreparedTurn {
  readonly caller: TurnCaller;
  readonly context: TurnContext;
  readonly request: ChatRequest;
  /** Undefined as well if the person may no longer use it. */
  readonly project: Project | undefined;
}

export async function answerThread(
  deps: ThreadDeps,
  userId: string,
  request: ChatRequest,
  client: AnswerClient,
): Promise<void> {
  const workspace = request.workspace ?? (await findWorkspace(deps.db, userId, request));
  const context = await findTurnContext(deps.db, { userId, organizationId: request.organization, workspace });
  if (!context) {
    await refusePaused(deps.db, { userId, organizationId: request.organization });
    throw new AppError('workspace_membership_required');
  }
  const caller: TurnCaller = { userId, tokenId: undefined, organizationId: context.organizationId, workspace };

  const { organizationId, workspaceId, toolSwitches } = context;
  if (request.project !== undefined) {
    const project = await getUsableProject(deps.db, userId, request.project);
    if (project.workspace !== workspaceId) throw new AppError('not_found');
  }
  const prepared = await prepareTurn(deps.db, { userId, organizationId, request, metadata: { toolSwitches } });
  const answer = openPendingAnswer(deps, { userId, organizationId, workspaceId, request, ...prepared }, client);
  answer.note({ toolSwitches });
  const { projectId } = prepared;
  const project = projectId === undefined ? undefined : await findUsableProject(deps.db, userId, projectId);
  const counted = { ...caller, projectId: project?.id };
  const done = answerTracked(deps, { caller: counted, context, request, project, ...prepared }, answer);
  deps.track(answer, done);
  await done;
}

/** A thread keeps the workspace that was picked for it; a project has one. */
async function findWorkspace(
  db: Database,
  userId: string,
  { thread, project }: Pick<ChatRequest, 'thread' | 'project'>,
): Promise<string | undefined> {
  if (thread !== undefined) {
    const { workspace, workspacePicked } = await getThread(db, userId, thread);
    return workspacePicked ? workspace : undefined;
  }
  return project === undefined ? undefined : (await getUsableProject(db, userId, project)).workspace;
}

async function answerTracked(deps: ThreadDeps, asked: RequestedTurn, answer: PendingAnswer): Promise<void> {
  try {
    const capabilities = namedCapabilities(deps, asked.request);
    if (capabilities) await startRun(deps, asked, answer, capabilities);
    else await answerDirectly(deps, asked, answer);
  } catch (error) {
    await answer.begun()?.answer.refuse(error);
    throw error;
  }
}

/** Undefined if a direct answer was requested. */
function namedCapabilities(
  deps: ThreadDeps,
  { mode, capabilities = [], message, recipe }: ChatRequest,
): readonly string[] | undefined {
  if (recipe !== undefined) return [];
  if (mode === 'answer') return undefined;
  const named = [
    ...new Set([...capabilities, ...findMentions(message.text, (word) => deps.isCapability?.(word) ?? false)]),
  ];
  return mode === 'background' || named.length > 0 ? named : undefined;
}

async function startRun(
  deps: ThreadDeps,
  { caller, context, request, threadId, asked, repeats, project }: RequestedTurn,
  pending: PendingAnswer,
  capabilities: readonly string[],
): Promise<void> {
  await takeFromLimit(deps.turns, caller.userId);
  refuseByPolicy(deps, context, request.model);
  if (!deps.startBackgroundRun) throw new AppError('background_runs_unavailable');
  const objective = withInstructions(request.message.text, project);
  const { organizationId, workspaceId } = context;
  if ((request.message.attachments ?? []).length > 0)
    throw new AppError('invalid_request', { 'message.attachments': 'background runs do not take attachments' });
  const order = {
    userId: caller.userId,
    organizationId,
    workspaceId,
    threadId,
    objective,
    projectId: project?.id,
    model: request.model,
    capabilities,
    recipe: request.recipe,
    idempotencyKey: repeats ? newId('msg') : asked.id,
  };
  const run = await deps.startBackgroundRun(order, pending.gone).catch(async (error: unknown) => {
    // A missing response is not a refusal: the message stays, because its run may have started.
    if (error instanceof AppError && error.code === 'runtime_unreachable') await pending.admitted();
    throw error;
  });
  const { answer } = await pending.admitted();
  answer.write([{ type: 'data-job', id: run.id, data: run }]);
  await answer.finish(undefined);
}

/** The worker decides what pays for a run; the organization's allowed models apply to every message. */
const POLICY: readonly ErrorCode[] = ['model_not_found', 'policy_denied', 'study_mode_unavailable'];

function refuseByPolicy(deps: ThreadDeps, context: TurnContext, model: string): void {
  const { refusal } = decideTurn(deps.turns.settings, context, { model, modality: 'chat', scope: 'organization' });
  if (refusal && POLICY.includes(refusal.code)) throw refusal;
}

async function answerDirectly(deps: ThreadDeps, asked: RequestedTurn, pending: PendingAnswer): Promise<void> {
  const { caller, request } = asked;
  const { effort, temperature } = request;
  pending.note({
    ...(effort === undefined ? {} : { effort }),
    ...(temperature === undefined ? {} : { temperature }),
  });
  const { conversation, counted, system } = await readTurn(deps, asked, pending);
  const { turns } = deps;
  const neutral = {
    model: request.model,
    system,
    messages: conversation.messages,
    tools: [],
    stop: [],
    stream: true,
  } as const;
  const charge = await answerTurn(
    turns,
    caller,
    {
      model: request.model,
      modality: 'chat',
      surface: 'chat',
      inputBytes: conversation.inputBytes,
      counted,
      prepare: (route) => prepareConversation(route, withSettings(neutral, route, request), turns.urls, pending.gone),
    },
    pending,
  );
  const begun = pending.begun();
  const finished = await begun?.answer.finish(charge);
  if (begun?.turn.wantsTitle && finished?.head && finished.end !== 'error')
    deps.generateTitle({
      threadId: begun.turn.threadId,
      caller,
      route: finished.head.route,
      asked: request.message.text,
      answered: finished.text,
    });
}

interface ReadTurn {
  readonly conversation: Conversation;
  /** The person's custom instructions, then those of the project. */
  readonly system: readonly string[];
  readonly counted: boolean;
}

/**
 * The conversation. Searching a long attachment or the files of a project costs an extra call, so it is made only for a
 * request that has passed the limit and would pass the policy and credential checks.
 */
async function readTurn(
  deps: ThreadDeps,
  { caller, context, request, threadId, asked, project }: RequestedTurn,
  answer: PendingAnswer,
): Promise<ReadTurn> {
  const { organizationId } = context;
  const reader = { userId: caller.userId, organizationId };
  const system = await readSystem(deps.db, reader);
  const systemBytes = system.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const named = startCourse(context.routes, request.model)?.route ?? { models: [request.model] };
  // Whichever model of a route answers, the conversation fits.
  const budget = inputBudget(smallestContext(modelsOf(deps.turns.settings.catalog, named))) - systemBytes;
  const messages = await showRuns(
    await readMessages(deps.db, threadId, asked, budget),
    async (ids) => (await deps.readRuns?.(reader, ids)) ?? new Map(),
  );
  const attachments = listAttachments(messages);
  const searches = project !== undefined && project.files > 0;
  const counted = searches || attachments.some(isLongText);
  if (counted) {
    await takeFromLimit(deps.turns, caller.userId);
    const { refusal } = decideTurn(deps.turns.settings, context, {
      model: request.model,
      modality: 'chat',
      scope: scopeOf(deps.turns, caller, {}),
    });
    if (refusal) throw refusal;
  }
  const shown = await readAttachments(
    deps,
    caller,
    { organizationId, threadId, attachments, question: request.message.text },
    answer.gone,
  );
  const question = questionOf(messages);
  const passages = searches
    ? await findPassages(deps, { caller, context, projectId: project.id, question }, answer.gone)
    : [];
  const told = project && showProject(project, { passages, question });
  const conversation = buildConversation(messages, shown, budget - (told?.weight ?? 0));
  if (conversation.attachments.length > 0) answer.note({ attachments: [...conversation.attachments] });
  const passageBytes = Buffer.byteLength(told?.passages ?? '');
  answer.note({
    context: {
      instructions: systemBytes + (told?.weight ?? 0) - passageBytes,
      files: passageBytes,
      history: conversation.inputBytes - conversation.questionBytes,
      question: conversation.questionBytes,
      leftOut: conversation.leftOut,
    },
  });
  if (told && told.sources.length > 0) answer.note({ sources: [...told.sources] });
  return {
    conversation: {
      ...conversation,
      messages: withPassages(conversation.messages, told?.passages),
      inputBytes: conversation.inputBytes + systemBytes + (told?.weight ?? 0),
    },
    system: [...system, ...(told?.system ?? [])],
    counted,
  };
}
