/** Where the configuration of a run's clients lies in its sandbox. */
export const CONFIG_ROOT = '/workspace/.service';

export interface ConfigFile {
  readonly path: string;
  readonly content: string;
}

/** What one client needs: its files, and the variables by which it finds them. */
export interface ClientConfig {
  readonly files: readonly ConfigFile[];
  readonly env: Readonly<Record<string, string>>;
}

/** Stands where a client insists on a credential; the broker puts the real one in its place. */
export const PLACEHOLDER = 'kept-outside-by-the-broker';
