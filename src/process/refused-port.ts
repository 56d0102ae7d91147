// A port that the configuration makes impossible: it stays so however often the process is started again. A port that
// another process has is not one of them.
import type { Config } from '../base/config.ts';
import { ENVIRONMENT, type VariableName } from '../base/environment.ts';

/** One sentence about the variable; undefined for any other error. */
export function describeRefusedPort(error: unknown, config: Config, ownMetricsPort?: number): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall !== 'listen' || port === undefined) return undefined;
  const variable = variableOf(port, config);
  if (code === 'EACCES')
    return `${variable} takes a port that this user may open: ${port} is not, as ports below 1024 need root or CAP_NET_BIND_SERVICE.`;
  if (code === 'EADDRINUSE' && port === ownMetricsPort)
    return `${variable} and SERVICE_METRICS_PORT give this process the same port, ${port}: change one of them.`;
  return undefined;
}

function variableOf(port: number, config: Config): string {
  const names = (Object.keys(ENVIRONMENT) as VariableName[]).filter(
    (name) => ENVIRONMENT[name].kind === 'port' && config[name] === port,
  );
  return names.join(' or ') || 'SERVICE_METRICS_PORT';
}
