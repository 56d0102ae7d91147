// With SERVICE_BENCH_PROFILE the process under measurement writes a V8 processor profile into that directory when it
// ends. Peers are left out then: they would only take time.

const directory = process.env.SERVICE_BENCH_PROFILE || undefined;

export const isProfiling = directory !== undefined;

/** Arguments for Node. */
export const PROFILING: readonly string[] =
  directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];

const only = process.env.SERVICE_BENCH_ONLY ?? '';

/** SERVICE_BENCH_ONLY leaves out the kinds of work whose title does not contain it. */
export const isWanted = (title: string): boolean => title.includes(only);
