import type { SandboxSetup } from './run-sandbox.ts';

/** One sandbox for what several parts of a run need of it. What comes later wins where two name the same variable. */
export function mergeSetups(...setups: readonly SandboxSetup[]): SandboxSetup {
  const allow = [...new Set(setups.flatMap(({ network }) => network?.allow ?? []))];
  const brokers = setups.flatMap(({ network }) => network?.brokers ?? []);
  const about = setups.flatMap((setup) => setup.about ?? []).join('\n');
  const timeLimitMs = setups.findLast((setup) => setup.timeLimitMs !== undefined)?.timeLimitMs;
  return {
    ...(allow.length + brokers.length > 0 ? { network: { allow, brokers } } : {}),
    env: Object.assign({}, ...setups.map(({ env }) => env ?? {})) as Record<string, string>,
    files: setups.flatMap(({ files }) => files ?? []),
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    ...(about === '' ? {} : { about }),
  };
}
