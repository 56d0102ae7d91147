import type { ClientAccount, Client } from './accounts.ts';

const CLIENTS = {
  aws: (profiles) => `aws, with the profiles ${profiles}; name a region with --region.`,
  databricks: (profiles) => `databricks, with the profiles ${profiles}.`,
  gcloud: (profiles) => `gcloud, with the configurations ${profiles}.`,
  git: (profiles) =>
    `git and, for GitHub, gh, to read repositories of the connected code hosts (${profiles}); a named account is https://service-<name>@host/owner/repository. Nothing can be pushed.`,
} as const satisfies Record<Client, (profiles: string) => string>;

/** A description of the clients for the model. */
export function describeClients(accounts: readonly ClientAccount[]): { readonly about?: string } {
  if (accounts.length === 0) return {};
  const lines = Object.entries(CLIENTS).flatMap(([client, say]) => {
    const profiles = accounts
      .filter((account) => account.client === client)
      .map(
        ({ connection, profile, isDefault }) =>
          `${client === 'git' ? `${connection.provider}: ` : ''}${profile}${isDefault ? ', the default' : ''}`,
      );
    return profiles.length === 0 ? [] : [`- ${say(profiles.join('; '))}`];
  });
  return {
    about: [
      'These command-line clients, if installed, are configured with the accounts of the person. Changes they make there are real: make only those that the objective asks for.',
      ...lines,
    ].join('\n'),
  };
}
