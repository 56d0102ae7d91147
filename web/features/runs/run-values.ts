// What the forms that start a run hold, now or later, and how it becomes what is sent.
import type { NewRun, RunKind } from './queries.ts';

/** Kinds that anything but a person at that moment may start. */
export type StandingKind = Exclude<RunKind, 'control'>;

export type RunValues<Kind extends RunKind = StandingKind> = {
  objective: string;
  kind: Kind;
  workspace: string;
  model: string;
  capabilities: string[];
  fundingWorkspace: string;
  environment: string;
  deliver: NonNullable<NewRun['deliver']> | '';
};

interface RunLike<Kind> {
  readonly objective: string;
  readonly kind?: Kind | undefined;
  readonly workspace?: string | undefined;
  readonly model?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly fundingWorkspace?: string | undefined;
  readonly environment?: string | undefined;
  readonly deliver?: NewRun['deliver'];
}

export function toRunValues<Kind extends RunKind>(
  run: RunLike<Kind> | undefined,
  workspace: string | undefined,
): RunValues<Kind | 'chat'> {
  return {
    objective: run?.objective ?? '',
    kind: run?.kind ?? 'chat',
    workspace: workspace ?? '',
    model: run?.model ?? '',
    capabilities: [...(run?.capabilities ?? [])],
    fundingWorkspace: run?.fundingWorkspace ?? '',
    environment: run?.environment ?? '',
    deliver: run?.deliver ?? '',
  };
}

/** The server fills in empty fields. */
export function toRun<Kind extends RunKind>(values: RunValues<Kind>) {
  const { objective, kind, workspace, model, capabilities, fundingWorkspace, environment, deliver } = values;
  return {
    objective,
    kind,
    ...(workspace === '' ? {} : { workspace }),
    ...(model === '' ? {} : { model }),
    ...(capabilities.length === 0 ? {} : { capabilities }),
    ...(fundingWorkspace === '' ? {} : { fundingWorkspace }),
    ...(environment === '' ? {} : { environment }),
    ...(deliver === '' ? {} : { deliver }),
  };
}
