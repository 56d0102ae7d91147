import { processEnvironment } from '../../base/config.ts';
import { openDeployment } from './doctor/deployment.ts';
import { type Diagnosis, runChecks } from './doctor/run-checks.ts';

export interface DoctorRequest {
  /** A secrets bundle to check as well; variables that the environment does not set are taken from it. */
  readonly bundle?: string | undefined;
  /** The data directory, if it is not the one in the environment. */
  readonly dataDirectory?: string | undefined;
  /** Judge as if people outside this machine could connect, whatever the public URL says. */
  readonly production: boolean;
}

export async function diagnose({ bundle, dataDirectory, production }: DoctorRequest): Promise<Diagnosis> {
  const environment = processEnvironment();
  const deployment = await openDeployment(
    dataDirectory === undefined ? environment : { ...environment, SERVICE_DATA_DIR: dataDirectory },
    { bundle, production },
  );
  try {
    return await runChecks(deployment);
  } finally {
    await deployment.close();
  }
}
