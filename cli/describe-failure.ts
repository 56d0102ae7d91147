import type { Failure } from './failure.ts';

/** A failure for people: what happened, which fields, what to do next. */
export function describeFailure(failure: Failure): string {
  const lines = [
    `servicectl: ${failure.message}`,
    ...detailLines(failure.details),
    ...(failure.next === undefined ? [] : [`  → ${failure.next}`]),
  ];
  return lines.join('\n');
}

export function failureJson({ message, exit, next, error, details }: Failure): Record<string, unknown> {
  return {
    ok: false,
    error: error ?? message,
    message,
    exit,
    ...(next === undefined ? {} : { next }),
    ...(details === undefined ? {} : { details }),
  };
}

function detailLines(details: unknown): string[] {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return [];
  return Object.entries(details)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `  ${name}: ${String(value)}`);
}
