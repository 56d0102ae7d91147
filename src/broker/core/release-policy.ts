// A worker that lacks a function releases its task at once and would be given it again at once. So a task that is
// released in a row without getting any further waits longer each time, and in the end is halted, where an operator
// sees it; `task.continue` lets it go on.

/** Pause before it is sent out again, by the number of releases. One release more than there are pauses halts it. */
export type ReleasePolicy = readonly number[];

export const RELEASE_POLICY: ReleasePolicy = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000];
