/** The directory of the clients' configuration in a run's sandbox. */
export const CONFIG_ROOT = '/workspace/.service';

interface ConfigFile {
  readonly path: string;
  readonly content: string;
}

/** The files of one client, and the variables through which it finds them. */
export interface ClientConfig {
  readonly files: readonly ConfigFile[];
  readonly env: Readonly<Record<string, string>>;
}

/** For clients that insist on a credential; the broker replaces it with the real one. */
export const PLACEHOLDER = 'kept-outside-by-the-broker';
