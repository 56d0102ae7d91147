// The built-in engine for chat and control runs: a model, a shell in a sandbox, and the workspace's tools. The loop runs
// here, in the worker; only the commands run in the sandbox.
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ModelCatalog } from '../../catalog/model-catalog.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { type Engine, type RunAttempt, RunFailure } from '../../runs/delivery/engine.ts';
import type { RunMessage } from '../../runs/record/messages.ts';
import type { Run } from '../../runs/record/run.ts';
import { RETRIES } from '../../timing/retry-policies.ts';
import { retry } from '../../timing/retry.ts';
import { mergeSetups } from '../merge-setups.ts';
import { presentResult } from '../present-result.ts';
import type { OpenRunModels, RunModels } from '../run-models.ts';
import { type RunSandbox, type SandboxSetup, withRunSandbox } from '../run-sandbox.ts';
import { describePreviousAttempt } from '../describe-previous-attempt.ts';
import type { AgentTools } from './agent-tool.ts';
import { createAsk } from './ask-model.ts';
import { createBashTool } from './bash-tool.ts';
import { chooseRunModel } from './choose-model.ts';
import { appsUnreachable, type ConnectAccess, type ConnectTools, openConnectTools } from './connect-tools.ts';
import { writeInstructions } from './instructions.ts';
import { UNKNOWN } from './next-move.ts';
import { describeFiles, filesFrom, goesOn, lastHeard, type Past, sumUse } from './past.ts';
import { createRunNotes, type RunNotes } from './run-notes.ts';
import { workThrough } from './work-through.ts';

export interface AgentDeps {
  readonly sandbox: SandboxClient;
  readonly catalog: ModelCatalog;
  readonly openModels: OpenRunModels;
  /** Access to the workspace's tools with the run's token; undefined when such tokens cannot be issued or the run may not have one. */
  readonly openConnect: ((run: Run) => (ConnectAccess & { close(): Promise<void> }) | undefined) | undefined;
  /** What the run's connections add to its sandbox, such as the configuration of command-line clients. */
  readonly prepareSandbox?: (attempt: RunAttempt) => Promise<SandboxSetup>;
  /** What the run did before this attempt, and the conversation that it continues. */
  readonly readPast: (attempt: RunAttempt) => Promise<Past>;
  /** What was said to the run after this message. */
  readonly listMessages: (run: Run, after: number) => Promise<readonly RunMessage[]>;
  readonly maxSteps: number;
  readonly log: Log;
}

export function createAgentEngine(deps: AgentDeps): Engine {
  return async (attempt) => {
    const { run } = attempt;
    const { createdBy: userId, organizationId, workspaceId, fundingWorkspaceId, projectId, authority } = run;
    if (userId === undefined || organizationId === undefined) throw new AppError('workspace_membership_required');
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
    const notes = createRunNotes(attempt, past.journal);
    const setup = mergeSetups((await deps.prepareSandbox?.(attempt)) ?? {}, filesFrom(run, past));
    const { value: text, artifacts } = await withRunSandbox(
      { client: deps.sandbox, log: deps.log },
      attempt,
      setup,
      (sandbox) => work(deps, { run: attempt, sandbox, models, notes, past }),
    );
    return presentResult(text, { steps: notes.steps, used: models.used(), artifacts });
  };
}

interface Attempt {
  readonly run: RunAttempt;
  readonly sandbox: RunSandbox;
  readonly models: RunModels;
  readonly notes: RunNotes;
  readonly past: Past;
}

async function work(deps: AgentDeps, attempt: Attempt): Promise<string> {
  const { run, sandbox, notes } = attempt;
  const connect = deps.openConnect?.(run.run);
  let apps: ConnectTools | undefined;
  try {
    apps =
      connect &&
      (await retry(RETRIES.appsOpen, () => openConnectTools(connect, run.run.capabilities, notes, sandbox.signal), {
        signal: sandbox.signal,
      }).catch((error: unknown) => withoutApps(deps.log, run.run, error)));
    return await loop(deps, attempt, apps?.tools ?? {});
  } finally {
    await apps?.close().catch(() => {});
    await connect?.close();
  }
}

function withoutApps(log: Log, run: Run, error: unknown): undefined {
  log.warn({ job: run.id, err: error }, 'could not load connected tools');
  if (error instanceof AppError) throw error;
  if (run.capabilities.length > 0) throw appsUnreachable();
  return undefined;
}

async function loop(
  deps: AgentDeps,
  { run: attempt, sandbox, models, notes, past }: Attempt,
  apps: AgentTools,
): Promise<string> {
  const { run } = attempt;
  const chosen = chooseRunModel(deps.catalog, run.model);
  const tools: AgentTools = {
    bash: createBashTool({ sandbox, notes, runDirectory: attempt.artifacts, log: deps.log }),
    ...apps,
  };
  const over = !goesOn(past.journal, sandbox.restored);
  await notes.began(sandbox, { model: chosen.name, tools: Object.keys(tools).length }, over);
  const ask = createAsk({
    models,
    chosen,
    notes,
    tools,
    signal: sandbox.signal,
    instructions: writeInstructions({
      capabilities: run.capabilities,
      hasApps: Object.keys(apps).length > 0,
      now: new Date(),
      earlier: [
        ...(over ? describePreviousAttempt(attempt) : []),
        ...(run.continues === undefined ? [] : [describeFiles(sandbox.restored)]),
      ],
      about: sandbox.about,
      given: sandbox.given,
    }),
  });
  return workThrough({
    told: { objective: run.objective, earlier: past.earlier },
    journal: () => notes.journal,
    async listen() {
      const heard = await deps.listMessages(run, lastHeard(notes.journal));
      for (const message of heard) await notes.heard(message);
      return heard.length > 0;
    },
    async ask(messages) {
      if (notes.steps >= deps.maxSteps)
        throw new RunFailure(
          'run_step_limit',
          `The run called the model ${deps.maxSteps} times without finishing. Split the objective, or ask your operator to raise SERVICE_RUN_MAX_STEPS.`,
        );
      await ask(messages);
    },
    async call(call) {
      sandbox.signal.throwIfAborted();
      const tool = Object.hasOwn(tools, call.tool) ? tools[call.tool] : undefined;
      await (tool ? tool.run(call) : notes.toolEnded(call.tool, call.call, { ok: false }, { result: NO_SUCH_TOOL }));
    },
    tellUnknown: ({ tool, call }) => notes.toolEnded(tool, call, { ok: false, unknown: true }, { result: UNKNOWN }),
  });
}

const NO_SUCH_TOOL = 'There is no such tool.';
