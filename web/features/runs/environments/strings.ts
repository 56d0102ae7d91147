import { inLanguage } from '../../../language/language.ts';

export const environmentSelectStrings = inLanguage('environmentSelectStrings', {
  label: 'Environment',
  hint: 'Variables, secrets and hosts that the run has.',
  none: 'None',
});

export const environmentStrings = inLanguage('environmentStrings', {
  title: 'Environments',
  description: (workspace: string): string =>
    `What runs of ${workspace} work in: a script that prepares it, variables, secrets, and the hosts that they reach.`,
  descriptionAnywhere:
    'What runs work in: a script that prepares it, variables, secrets, and the hosts that they reach.',
  list: 'Environments',
  create: 'New environment',
  failed: 'The environments could not be loaded',
  empty: 'No environments yet',
  emptyText: 'Make one to give runs variables, secrets and access to hosts such as package registries.',
  emptyForMembers: 'Owners and admins of the workspace make environments. Its members start runs in them.',
  setup: 'Setup',
  edit: 'Edit',
  show: 'Show',
  delete: 'Delete',
  deleteTitle: (name: string): string => `Delete the environment ${name}?`,
  deleteText:
    'Its secrets are deleted with it. Schedules, triggers and recipes that name it start nothing until it is there again or they are changed.',
  deleted: 'Environment deleted.',
  variables: (names: string): string => `Variables: ${names}`,
  secrets: (names: string): string => `Secrets: ${names}`,
  hosts: (names: string): string => `Hosts: ${names}`,
  repository: (name: string): string => `Repository: ${name}`,
  nothing: 'Nothing is set.',
});

export const environmentFormStrings = inLanguage('environmentFormStrings', {
  createTitle: 'New environment',
  editTitle: (name: string): string => `Environment ${name}`,
  name: 'Name',
  nameHint: 'Lower-case letters, digits and hyphens.',
  nameInvalid: 'Use lower-case letters, digits and hyphens, at most 63; not a hyphen first.',
  nameTaken: 'There is an environment of this name already. Edit it instead.',
  setup: 'Setup script',
  setupHint: 'Runs once with bash in /workspace; every run begins with what it left there.',
  variables: 'Variables',
  variablesHint: 'One per line: NAME=value. Everyone in the workspace can read them.',
  variablesInvalid: (line: string): string => `This is not NAME=value: ${line}`,
  secrets: 'New secrets',
  secretsHint:
    'One per line: NAME=value. They are stored encrypted and not shown again. A name that is there already gets the new value.',
  secretsInvalid: 'Each line has the form NAME=value.',
  keptSecrets: 'Secrets',
  keptSecretsHint: 'Those that you clear are removed.',
  secretVariables: 'Secrets that commands may see',
  secretVariablesHint:
    'Names, separated by spaces. Of all other secrets a command has only a placeholder, which becomes the secret on its way to a host below.',
  hosts: 'Hosts to read from',
  hostsHint: 'One exact name per line, such as api.example.com. Reached by https, with GET and HEAD only.',
  packages: 'Package registries',
  packagesHint: 'npm, PyPI, crates.io, Go, RubyGems, Maven, NuGet, Packagist, Debian. Secrets are not sent there.',
  writableHosts: 'Hosts to write to',
  writableHostsHint: 'One exact name per line. Requests of every method reach them.',
  repository: 'Repository',
  repositoryHint: 'Checked out before a run begins: owner/name.',
  connection: 'Connection',
  connectionHint: 'A code host connected in this workspace, such as github or github:work.',
  connectionRequired: 'Name the connection that the repository is read with.',
  repositoryRequired: 'Name the repository, or clear the connection.',
  ref: 'Branch, tag or commit',
  refHint: 'Empty for the default branch.',
  minutes: 'Minutes at most',
  minutesHint: 'Empty for the 30 that every run has.',
  memory: 'Memory in MiB',
  memoryHint: 'Empty for the 2,048 that every run has.',
  number: (least: number, most: number): string => `A whole number from ${least} to ${most}, or empty.`,
  submit: 'Create environment',
  save: 'Save changes',
  close: 'Close',
  saved: 'Environment saved.',
});

export const setupStrings = inLanguage('setupStrings', {
  title: (name: string): string => `Setup of ${name}`,
  text: 'What the setup script printed. It runs when a run first needs it, and again when it or the variables change.',
  failed: 'The setup could not be loaded',
  empty: 'The script has not run yet',
  emptyText: 'The next run in this environment runs it.',
  list: 'Builds',
  states: { building: 'Running', ready: 'Ready', failed: 'Failed' },
  printed: 'Output',
  nothingPrinted: 'It printed nothing.',
  rebuild: 'Run it again',
  rebuilt: 'The next run in this environment runs the script again.',
});
