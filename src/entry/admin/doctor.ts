import { processEnvironment } from '../../base/config.ts';
import { examine } from './doctor/patient.ts';
import { type Diagnosis, runChecks } from './doctor/run-checks.ts';

export interface DoctorRequest {
  /** A secrets bundle to look at as well; what the environment does not set is taken from it. */
  readonly bundle?: string | undefined;
  /** The data directory, when it is not the one that the environment names. */
  readonly dataDirectory?: string | undefined;
  /** Judge as for people outside this machine, whatever the public URL says. */
  readonly production: boolean;
}

export async function diagnose({ bundle, dataDirectory, production }: DoctorRequest): Promise<Diagnosis> {
  const environment = processEnvironment();
  const patient = await examine(
    dataDirectory === undefined ? environment : { ...environment, SERVICE_DATA_DIR: dataDirectory },
    { bundle, production },
  );
  try {
    return await runChecks(patient);
  } finally {
    await patient.close();
  }
}
