import type { SandboxSetup } from './run-sandbox.ts';

/** Merges what several parts of a run need from its sandbox. When two set the same variable, the later one wins. */
export function mergeSetups(...setups: readonly SandboxSetup[]): SandboxSetup {
  const allow = [...new Set(setups.flatMap(({ network }) => network?.allow ?? []))];
  const brokers = setups.flatMap(({ network }) => network?.brokers ?? []);
  const placed = setups.flatMap(({ network }) => network?.secrets ?? []);
  const secrets = setups.flatMap((setup) => setup.secrets ?? []);
  const memoryBytes = setups.findLast((setup) => setup.memoryBytes !== undefined)?.memoryBytes;
  const about = setups.flatMap((setup) => setup.about ?? []).join('\n');
  const given = setups.flatMap((setup) => setup.given ?? []).join('\n');
  const base = setups.findLast((setup) => setup.base !== undefined)?.base;
  const restore = setups.findLast((setup) => setup.restore !== undefined)?.restore;
  const timeLimitMs = setups.findLast((setup) => setup.timeLimitMs !== undefined)?.timeLimitMs;
  const checkout = setups.findLast((setup) => setup.checkout !== undefined)?.checkout;
  return {
    ...(allow.length + brokers.length > 0 ? { network: { allow, brokers, secrets: placed } } : {}),
    env: Object.assign({}, ...setups.map(({ env }) => env ?? {})) as Record<string, string>,
    files: setups.flatMap(({ files }) => files ?? []),
    ...(secrets.length > 0 ? { secrets } : {}),
    ...(base === undefined ? {} : { base }),
    ...(restore === undefined ? {} : { restore }),
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    ...(checkout === undefined ? {} : { checkout }),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    ...(about === '' ? {} : { about }),
    ...(given === '' ? {} : { given }),
  };
}
