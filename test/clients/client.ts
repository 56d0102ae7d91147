// A client under test and the case that it is put through.
import type { BrainRequest } from './brain/start-brain.ts';
import type { InstalledClients } from './install-clients.ts';
import type { Credential, Provider, World } from './open-world.ts';
import type { Place } from './run-program.ts';

export interface Case {
  readonly provider: Provider;
  readonly credential: Credential;
  readonly model: string;
  readonly origin: string;
  readonly token: string;
  /** Occurs nowhere else: the note and the answers carry it. */
  readonly word: string;
  readonly world: World;
  readonly installed: InstalledClients;
  readonly place: Place;
  /** Those that have arrived at the stand-in since the case began. */
  arrived(): readonly BrainRequest[];
}

export interface Outcome {
  readonly step: string;
  /** Absent when the step was held. */
  readonly fault?: string;
}

export interface ClientUnderTest {
  readonly name: string;
  /** Undefined for what the machine has. */
  readonly package: string | undefined;
  /** The one row that it has; without a model for one that is not there for the models. */
  readonly only?: { readonly provider: Provider; readonly credential: Credential; readonly model?: string };
  readonly run: (at: Case) => Promise<readonly Outcome[]>;
}
