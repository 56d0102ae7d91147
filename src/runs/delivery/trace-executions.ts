import type { Context } from '@resonatehq/sdk';
import { span } from '../../base/telemetry.ts';
import type { Executions } from './serve-executions.ts';

/** An attempt at a run as a span, in the trace of the request that began the run. */
export function traceExecutions(
  role: string,
  execute: Executions['execute'],
): (
  context: Context,
  argument: { readonly job: string; readonly trace?: string },
) => ReturnType<Executions['execute']> {
  return (context, argument) =>
    span(
      'run',
      { 'service.run.id': argument.job, 'service.role': role },
      () => execute(context, argument),
      (name) => (name === 'traceparent' ? argument.trace : undefined),
    );
}
