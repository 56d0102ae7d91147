// The built-in engine for chat and control runs: a model, a shell in a sandbox, and the workspace's tools. The loop runs
// here, in the worker; only the commands run in the sandbox.
import { streamText, stepCountIs, type ToolSet } from 'ai';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ModelCatalog } from '../../catalog/model-catalog.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { type Engine, type RunAttempt, RunFailure } from '../../runs/delivery/engine.ts';
import type { Run } from '../../runs/record/run.ts';
import { presentResult } from '../present-result.ts';
import type { OpenRunModels, RunModels } from '../run-models.ts';
import { type RunSandbox, type SandboxSetup, withRunSandbox } from '../run-sandbox.ts';
import { describePreviousAttempt } from '../describe-previous-attempt.ts';
import { createBashTool } from './bash-tool.ts';
import { chooseRunModel } from './choose-model.ts';
import { appsUnreachable, type ConnectAccess, type ConnectTools, openConnectTools } from './connect-tools.ts';
import { writeInstructions } from './instructions.ts';
import { createRunLanguageModel } from './model-provider.ts';
import { createRunNotes, type RunNotes } from './run-notes.ts';

export interface AgentDeps {
  readonly sandbox: SandboxClient;
  readonly catalog: ModelCatalog;
  readonly openModels: OpenRunModels;
  /** Access to the workspace's tools with the run's token; undefined when such tokens cannot be issued or the run may not have one. */
  readonly openConnect: ((run: Run) => (ConnectAccess & { close(): Promise<void> }) | undefined) | undefined;
  /** What the run's connections add to its sandbox, such as the configuration of command-line clients. */
  readonly prepareSandbox?: (attempt: RunAttempt) => Promise<SandboxSetup>;
  readonly maxSteps: number;
  readonly log: Log;
}

/** When the provider's stream breaks off, the answer is requested again. */
const STREAM_RETRIES = 2;

export function createAgentEngine(deps: AgentDeps): Engine {
  return async (attempt) => {
    const { createdBy: userId, organizationId, workspaceId, fundingWorkspaceId, projectId, authority } = attempt.run;
    if (userId === undefined || organizationId === undefined) throw new AppError('workspace_membership_required');
    const models = deps.openModels({
      userId,
      organizationId,
      fundingWorkspaceId,
      workspaceId,
      projectId,
      tokenId: authority.tokenId,
    });
    const notes = createRunNotes(attempt);
    const setup = (await deps.prepareSandbox?.(attempt)) ?? {};
    const { value: text, artifacts } = await withRunSandbox(
      { client: deps.sandbox, log: deps.log },
      attempt,
      setup,
      (sandbox) => work(deps, { run: attempt, sandbox, models, notes }),
    );
    return presentResult(text, { steps: notes.steps, used: models.used(), artifacts });
  };
}

interface Attempt {
  readonly run: RunAttempt;
  readonly sandbox: RunSandbox;
  readonly models: RunModels;
  readonly notes: RunNotes;
}

async function work(deps: AgentDeps, attempt: Attempt): Promise<string> {
  const { run, sandbox, notes } = attempt;
  const connect = deps.openConnect?.(run.run);
  let apps: ConnectTools | undefined;
  try {
    apps =
      connect &&
      (await openConnectTools(connect, run.run.capabilities, notes, sandbox.signal).catch((error: unknown) =>
        withoutApps(deps.log, run.run, error),
      ));
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
  { run: attempt, sandbox, models, notes }: Attempt,
  apps: ToolSet,
): Promise<string> {
  const { run } = attempt;
  const chosen = chooseRunModel(deps.catalog, run.model);
  const { model, refusal, fault } = createRunLanguageModel(models, chosen);
  const stop = new AbortController();
  const tools = failing(
    { bash: createBashTool({ sandbox, notes, runDirectory: attempt.artifacts, log: deps.log }), ...apps },
    stop,
  );
  await notes.began(sandbox, { model: chosen.name, tools: Object.keys(tools).length });

  let before = models.used();
  const result = streamText({
    model,
    instructions: writeInstructions({
      capabilities: run.capabilities,
      hasApps: Object.keys(apps).length > 0,
      now: new Date(),
      earlier: describePreviousAttempt(attempt),
      about: sandbox.about,
      given: sandbox.given,
    }),
    prompt: run.objective,
    tools,
    toolCallConcurrency: 1,
    streamRetries: STREAM_RETRIES,
    stopWhen: stepCountIs(deps.maxSteps),
    abortSignal: AbortSignal.any([sandbox.signal, stop.signal]),
    // The provider stores nothing of a run.
    providerOptions: { openai: { store: false } },
    onLanguageModelCallStart: () => notes.modelStarted(chosen.name),
    async onLanguageModelCallEnd({ content }) {
      const used = models.used();
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      await notes.modelAnswered({
        model: chosen.name,
        served: used.served,
        credential: used.credential,
        inputTokens: used.inputTokens - before.inputTokens,
        outputTokens: used.outputTokens - before.outputTokens,
        costMicros: used.costMicros - before.costMicros,
        text,
      });
      before = used;
    },
    onError: () => {},
  });

  for await (const part of result.fullStream) {
    if (part.type === 'error')
      throw stop.signal.aborted ? stop.signal.reason : (refusal() ?? fault() ?? asFailure(part.error));
    if (part.type === 'abort') throw stop.signal.aborted ? stop.signal.reason : sandbox.signal.reason;
  }
  const last = (await result.steps).at(-1);
  if (last?.finishReason === 'tool-calls')
    throw new RunFailure(
      'run_step_limit',
      `The run called the model ${deps.maxSteps} times without finishing. Split the objective, or ask your operator to raise SERVICE_RUN_MAX_STEPS.`,
    );
  return last?.text ?? '';
}

/** For errors of the model client: an answer that broke off or cannot be parsed. */
function asFailure(error: unknown): unknown {
  return error instanceof AppError || error instanceof RunFailure
    ? error
    : new AppError('provider_unavailable', {}, { cause: error });
}

/** A tool that throws ends the run without asking the model: the sandbox or the run itself is gone. */
function failing(tools: ToolSet, stop: AbortController): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, found]) => {
      const execute = found.execute as ((input: unknown, options: unknown) => Promise<unknown>) | undefined;
      const guarded = async (input: unknown, options: unknown): Promise<unknown> => {
        try {
          return await execute?.(input, options);
        } catch (error) {
          stop.abort(error);
          throw error;
        }
      };
      return [name, { ...found, execute: guarded } as ToolSet[string]];
    }),
  );
}
