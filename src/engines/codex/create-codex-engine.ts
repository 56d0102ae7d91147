// The engine for codex runs: the Codex CLI works in the run's sandbox. It reaches only the model and the workspace's tools
// outside, through brokers that lead to this worker.
import { AppError } from '../../base/errors.ts';
import { storable } from '../../base/storable-json.ts';
import type { ModelCatalog } from '../../catalog/model-catalog.ts';
import { findModel } from '../../catalog/model-catalog.ts';
import { TIME_LIMIT_MS } from '../../sandbox/limits.ts';
import type { ExecEvent } from '../../sandbox/protocol.ts';
import { type Engine, RunFailure } from '../../runs/delivery/engine.ts';
import type { Run } from '../../runs/record/run.ts';
import { chooseRunModel } from '../agent/choose-model.ts';
import type { AgentDeps } from '../agent/create-agent-engine.ts';
import { lastHeard, type Past, sumUse } from '../agent/past.ts';
import { createRunNotes, type RunNotes } from '../agent/run-notes.ts';
import { mergeSetups } from '../merge-setups.ts';
import { presentResult } from '../present-result.ts';
import type { RunCallbackServer } from '../run-callback-server.ts';
import { type RunSandbox, withRunSandbox } from '../run-sandbox.ts';
import { describePreviousAttempt } from '../describe-previous-attempt.ts';
import { codexCommand, codexSetup, LAST_MESSAGE } from './codex-setup.ts';
import { CODEX_VERSION } from './codex-package.ts';
import { promptToGoOn, promptWithEarlier, toldUntil } from './go-on.ts';
import { writeGuidance } from './guidance.ts';
import type { CodexInstaller, InstalledCodex } from './install-codex.ts';
import { reachConnect } from './reach-connect.ts';
import { createEventReader, type EventReader } from './read-events.ts';
import { serveCodex } from './serve-codex.ts';
import { createTurns, type Turns } from './turns.ts';

export interface CodexDeps extends Pick<
  AgentDeps,
  'sandbox' | 'openModels' | 'openConnect' | 'prepareSandbox' | 'readPast' | 'listMessages' | 'log'
> {
  readonly catalog: ModelCatalog;
  readonly installer: CodexInstaller;
  readonly callbacks: RunCallbackServer;
}

const LINE_MAX_CHARS = 1024 * 1024;
const ENDPOINT_LIFE_MS = TIME_LIMIT_MS + 5 * 60_000;

export function createCodexEngine(deps: CodexDeps): Engine {
  return async (attempt) => {
    const { run } = attempt;
    const { createdBy: userId, organizationId, workspaceId, fundingWorkspaceId, projectId, authority } = run;
    if (userId === undefined || organizationId === undefined) throw new AppError('workspace_membership_required');
    const chosen = chooseRunModel(deps.catalog, run.model);
    const installed = await deps.installer.ensure(attempt.signal, () =>
      attempt.progress({ type: 'installing', program: 'codex', version: CODEX_VERSION }),
    );
    const prepared = (await deps.prepareSandbox?.(attempt)) ?? {};

    const past = await deps.readPast(attempt);
    const models = deps.openModels({
      userId,
      organizationId,
      fundingWorkspaceId,
      workspaceId,
      projectId,
      tokenId: authority.tokenId,
      spent: sumUse(past.journal),
    });
    const connect = deps.openConnect?.(run);
    const notes = createRunNotes(attempt, past.journal);
    const listen = listenTo(deps, run, notes);
    const turns = createTurns(notes, listen);
    const endpoint = await deps.callbacks.open(
      serveCodex({
        models,
        model: chosen.name,
        connect,
        signal: attempt.signal,
        onCall: async () => {
          await turns.beforeModel();
          await notes.modelStarted(chosen.name);
        },
        onRefused: (refusal) => turns.end({ refusal }),
      }),
      ENDPOINT_LIFE_MS,
    );
    try {
      const connectTools = connect !== undefined && (await reachConnect(connect, run.capabilities, attempt.signal));
      const settings = {
        model: chosen.upstream,
        contextWindow: findModel(deps.catalog, chosen.name)?.contextWindow,
        connectTools,
      };
      const from = past.journal.length > 0 ? run.id : past.files;
      const setup = mergeSetups(
        prepared,
        codexSetup(
          settings,
          endpoint,
          writeGuidance({
            capabilities: run.capabilities,
            hasApps: connectTools,
            earlier: describePreviousAttempt(attempt),
            about: prepared.about,
            given: prepared.given,
          }),
        ),
        from === undefined ? {} : { restore: { run: from } },
      );
      const reader = createEventReader({ notes, model: chosen.name, used: () => models.used() });
      const { value: text, artifacts } = await withRunSandbox(
        { client: deps.sandbox, log: deps.log },
        attempt,
        setup,
        (sandbox) =>
          goThrough({ sandbox, installed, run, past, from, model: chosen.name, notes, turns, listen, reader }),
      );
      return presentResult(text, { steps: notes.steps, used: models.used(), artifacts });
    } finally {
      endpoint.close();
      await connect?.close();
    }
  };
}

interface Session {
  readonly sandbox: RunSandbox;
  readonly installed: InstalledCodex;
  readonly run: Run;
  readonly past: Past;
  /** The run whose workspace was to be restored. */
  readonly from: string | undefined;
  readonly model: string;
  readonly notes: RunNotes;
  readonly turns: Turns;
  readonly listen: () => Promise<string[]>;
  readonly reader: EventReader;
}

/** From the first prompt to the answer, with the session that was restored or a new one. */
async function goThrough(session: Session): Promise<string> {
  const { sandbox, installed, run, past, from, model, notes, turns, listen, reader } = session;
  const until = toldUntil(sandbox.restored);
  const goesOn = until !== undefined && from === run.id;
  await notes.began(sandbox, { engine: 'codex', version: CODEX_VERSION, model }, !goesOn);
  turns.open(sandbox);
  const first = goesOn
    ? promptToGoOn(past.journal, until)
    : until === undefined || from !== run.continues
      ? promptWithEarlier(run.objective, past.earlier)
      : run.objective;
  const prompt = [first, ...(await listen())].join('\n\n');
  return turns.through({ prompt, resumes: until !== undefined }, (turn, signal) =>
    work(sandbox, codexCommand(installed, turn.prompt, turn), reader, signal),
  );
}

/** Notes what people have said since, and returns it. */
function listenTo(deps: CodexDeps, run: Run, notes: RunNotes): () => Promise<string[]> {
  return async () => {
    const heard = await deps.listMessages(run, lastHeard(notes.journal));
    for (const message of heard) await notes.heard(message);
    return heard.map(({ text }) => text);
  };
}

/** Runs Codex to the end of one turn and returns its last message. */
async function work(
  sandbox: RunSandbox,
  command: ReturnType<typeof codexCommand>,
  reader: EventReader,
  ended: AbortSignal,
): Promise<string> {
  let rest = '';
  let said = '';
  let cut = false;
  let exit: Extract<ExecEvent, { t: 'exit' }> | undefined;
  reader.begin();
  const events = sandbox.exec(command);
  // What ends a turn from outside ends the command at once, by leaving the loop.
  const stopped = new Promise<'ended'>((resolve) =>
    ended.addEventListener('abort', () => resolve('ended'), { once: true }),
  );
  try {
    for (;;) {
      const next = await Promise.race([events.next(), stopped]);
      if (next === 'ended') throw ended.reason;
      if (next.done) break;
      const event = next.value;
      if (event.t === 'exit') exit = event;
      else if (event.t === 'truncated') cut = true;
      else if (event.t === 'out' && event.fd === 2) said = (said + event.d).slice(-4_000);
      else if (event.t === 'out') {
        const lines = (rest + event.d).split('\n');
        rest = (lines.pop() ?? '').slice(0, LINE_MAX_CHARS);
        for (const line of lines) await reader.take(line);
      }
    }
    await reader.take(rest);
  } finally {
    await events.return(undefined).catch(() => {});
  }
  if (ended.aborted) throw ended.reason;
  if (exit?.code === 0 && (reader.completed || cut)) return reader.text !== '' ? reader.text : readLast(sandbox);
  throw failureOf(exit, reader, said);
}

async function readLast(sandbox: RunSandbox): Promise<string> {
  return sandbox.readFile(LAST_MESSAGE, 1024 * 1024).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
}

function failureOf(exit: Extract<ExecEvent, { t: 'exit' }> | undefined, reader: EventReader, said: string): RunFailure {
  if (exit?.reason === 'timeout') return new RunFailure('run_time_limit', 'The run took too long and was ended.');
  if (reader.failure !== undefined)
    return new RunFailure('codex_turn_failed', `Codex could not finish: ${reader.failure}`);
  if ((exit?.stats.memoryKills ?? 0) > 0)
    return new RunFailure('run_out_of_memory', 'The run exceeded its memory limit.');
  if (exit?.code === 126 || exit?.code === 127)
    return new RunFailure(
      'codex_unavailable',
      'The Codex CLI could not be started in the sandbox. Ask your operator to make the tools directory readable for all users.',
    );
  const last = said.trim().split('\n').at(-1)?.slice(0, 500) ?? '';
  return new RunFailure(
    'codex_failed',
    `Codex ended with ${exit?.code === null || exit === undefined ? (exit?.signal ?? 'no code') : `code ${exit.code}`}${last === '' ? '.' : `: ${storable(last)}`}`,
  );
}
