import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { type Account, findAccount, requireSession } from '../account.ts';
import { inWorkspace } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { listAll } from '../list-all.ts';
import { organizationOf } from '../organization-of.ts';
import type { ProjectFile, ProjectSharing } from '../../src/contract/projects.ts';

interface ListOptions extends Common {
  readonly workspace?: string;
  readonly name?: string;
}

interface CreateOptions extends Common {
  readonly workspace?: string;
  readonly description?: string;
  readonly instructions?: string;
  readonly model?: string;
  readonly share?: Role;
}

/** What members of the workspace may do with a shared project. */
const ROLES = ['use', 'edit'] as const satisfies readonly ProjectSharing[];
type Role = (typeof ROLES)[number];

type Confirmed = Common & { readonly yes?: boolean };

const UPLOAD_TIMEOUT_MS = 5 * 60_000;

export function addProjects(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'projects',
    summary:
      'Projects: instructions and files that chats share, for you or your workspace: list (the default), create, show, share, unshare, take-over, files, delete',
    example: 'servicectl projects create Atlas --instructions instructions.md',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List your projects and those shared with you, latest first',
    example: 'servicectl projects list --workspace research',
    isDefault: true,
  })
    .option('--workspace <workspace>', 'only projects of this workspace, by ID or slug')
    .option('--name <text>', 'only projects whose name contains this')
    .action((options: ListOptions) => list(cli, options));
  defineCommand(group, {
    name: 'create <name>',
    summary: 'Create a project',
    example: 'servicectl projects create Atlas --workspace research',
  })
    .option('--workspace <workspace>', 'its workspace, by ID or slug (default: Default)')
    .option('--description <text>', 'one line about it')
    .option('--instructions <file>', 'a file with its instructions; - is standard input')
    .option('--model <model>', 'the model that new chats start with')
    .addOption(
      new Option('--share <role>', 'share it: members of the workspace may use it, or also change it').choices(ROLES),
    )
    .action((name: string, options: CreateOptions) => create(cli, name, options));
  defineCommand(group, {
    name: 'show <project>',
    summary: 'Show a project, its instructions and its files',
    example: 'servicectl projects show prj_01k…',
  }).action((project: string, options: Common) => show(cli, project, options));
  defineCommand(group, {
    name: 'delete <project>',
    summary: 'Delete a project with its files; its chats stay',
    example: 'servicectl projects delete prj_01k… --yes',
  })
    .option('--yes', 'do not ask for confirmation')
    .action((project: string, options: Confirmed) => remove(cli, project, options));
  addSharing(group, cli);
  addFiles(group, cli);
}

function addSharing(group: Command, cli: Cli): void {
  defineCommand(group, {
    name: 'share <project>',
    summary: 'Share a project with its workspace: its instructions, files and model, never its chats',
    example: 'servicectl projects share prj_01k… --role edit',
  })
    .addOption(new Option('--role <role>', 'what members of the workspace may do').choices(ROLES).default('use'))
    .action((project: string, { role, ...options }: Common & { role: Role }) => share(cli, project, role, options));
  defineCommand(group, {
    name: 'unshare <project>',
    summary: 'Stop sharing a project; others keep the chats that they have in it',
    example: 'servicectl projects unshare prj_01k…',
  }).action((project: string, options: Common) => share(cli, project, 'private', options));
  defineCommand(group, {
    name: 'take-over <project>',
    summary: 'Manage a project whose manager has left its workspace',
    example: 'servicectl projects take-over prj_01k…',
  }).action((project: string, options: Common) => takeOver(cli, project, options));
}

function addFiles(group: Command, cli: Cli): void {
  const files = defineGroup(group, {
    name: 'files',
    summary: 'Files of a project: add, delete',
    example: 'servicectl projects files add prj_01k… handbook.md',
  });
  defineCommand(files, {
    name: 'add <project> <file...>',
    summary: 'Add files to a project; they are searched once their text has been read',
    example: 'servicectl projects files add prj_01k… handbook.md prices.csv',
  }).action((project: string, paths: string[], options: Common) => addAll(cli, project, paths, options));
  defineCommand(files, {
    name: 'delete <project> <file>',
    summary: 'Delete a file of a project, by its ID',
    example: 'servicectl projects files delete prj_01k… pfl_01k… --yes',
  })
    .option('--yes', 'do not ask for confirmation')
    .action((project: string, file: string, options: Confirmed) => removeFile(cli, project, file, options));
}

async function open({ host }: Cli, options: Common) {
  const account: Account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  return { account, projects: webClient(account).projects };
}

async function list(cli: Cli, { workspace, name, ...options }: ListOptions): Promise<void> {
  const { account, projects } = await open(cli, options);
  const organization = organizationOf(account);
  const found = await listAll(
    (cursor) =>
      projects.list({
        organization,
        ...inWorkspace(workspace),
        ...(name === undefined ? {} : { search: name }),
        ...cursor,
      }),
    (page) => page.projects,
  );
  if (options.json) return cli.output.json({ projects: found });
  if (found.length === 0) cli.output.say('No projects match.');
  cli.output.table(
    ['PROJECT', 'WORKSPACE', 'SHARED', 'MANAGED BY', 'FILES', 'MODEL', 'NAME'],
    found.map(({ id, workspace: place, sharing, managedBy, files, model, name: called }) => [
      id,
      place,
      describeSharing(sharing),
      managedBy.name,
      String(files),
      model ?? '-',
      called,
    ]),
  );
}

async function create(
  cli: Cli,
  name: string,
  { workspace, description, instructions: file, model, share: role, ...options }: CreateOptions,
): Promise<void> {
  const { account, projects } = await open(cli, options);
  const instructions =
    file === undefined ? undefined : await (await import('../read-input.ts')).readNamed(cli.host, file);
  const { project } = await projects.create({
    organization: organizationOf(account),
    ...inWorkspace(workspace),
    name,
    ...(description === undefined ? {} : { description }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(model === undefined ? {} : { model }),
    ...(role === undefined ? {} : { sharing: role }),
  });
  if (options.json) return cli.output.json({ project });
  cli.output.line(project.id);
  cli.output.say(`Created “${project.name}”. To add files: servicectl projects files add ${project.id} <file>`);
}

const describeSharing = (sharing: ProjectSharing): string => (sharing === 'private' ? '-' : sharing);

async function share(cli: Cli, id: string, sharing: ProjectSharing, options: Common): Promise<void> {
  const { projects } = await open(cli, options);
  const { project } = await projects.share({ project: id, sharing });
  if (options.json) return cli.output.json({ project });
  cli.output.say(
    sharing === 'private'
      ? `“${project.name}” is no longer shared.`
      : `Members of the workspace may now use “${project.name}”${sharing === 'edit' ? ' and change it' : ''}. Their chats in it stay their own.`,
  );
}

async function takeOver(cli: Cli, id: string, options: Common): Promise<void> {
  const { projects } = await open(cli, options);
  const { project } = await projects.takeOver({ project: id });
  if (options.json) return cli.output.json({ project });
  cli.output.say(`You manage “${project.name}” now.`);
}

async function show(cli: Cli, id: string, options: Common): Promise<void> {
  const { projects } = await open(cli, options);
  const { project } = await projects.show({ project: id });
  const files = await listAll(
    (cursor) => projects.files.list({ project: id, ...cursor }),
    (page) => page.files,
  );
  if (options.json) return cli.output.json({ project, files });
  const { line } = cli.output;
  line(project.name);
  if (project.description !== '') line(project.description);
  line(`workspace: ${project.workspace}`);
  line(`shared: ${describeSharing(project.sharing)}`);
  line(`managed by: ${project.managedBy.name}${project.managedBy.left ? ' (has left the workspace)' : ''}`);
  line(`you may: ${project.rights.join(', ') || 'see it'}`);
  line(`model: ${project.model ?? '-'}`);
  line(`instructions: ${project.instructions === '' ? '-' : `\n\n${project.instructions}\n`}`);
  cli.output.table(
    ['FILE', 'STATE', 'BYTES', 'ADDED BY', 'NAME'],
    files.map((file) => [file.id, describeState(file), String(file.size), file.addedBy, file.name]),
  );
}

const describeState = ({ state, reason }: ProjectFile): string =>
  reason === undefined ? state : `${state} (${reason})`;

async function addAll(cli: Cli, project: string, paths: readonly string[], options: Common): Promise<void> {
  const { account } = await open(cli, options);
  const added: ProjectFile[] = [];
  for (const path of paths) {
    const file = await upload(account, project, path);
    added.push(file);
    if (!options.json) cli.output.say(`Added ${file.name} (${file.id}).`);
  }
  if (options.json) cli.output.json({ files: added });
}

async function upload(account: Account, project: string, path: string): Promise<ProjectFile> {
  const content = await readFile(path).catch((error: unknown) => {
    throw new Failure(`cannot read ${path}: ${(error as Error).message}`, { next: 'Check the path.' });
  });
  const form = new FormData();
  form.set('file', new File([content], basename(path)));
  const { sendForJson } = await import('../api/send.ts');
  const { file } = await sendForJson<{ file: ProjectFile }>(
    account.url,
    `/api/projects/${encodeURIComponent(project)}/files`,
    { bearer: requireSession(account), form, timeoutMs: UPLOAD_TIMEOUT_MS },
  );
  return file;
}

async function remove(cli: Cli, id: string, options: Confirmed): Promise<void> {
  const { projects } = await open(cli, options);
  const { project } = await projects.show({ project: id });
  await confirm(cli, `Delete “${project.name}” and its files for everyone? Its chats stay. (y/N) `, options);
  await projects.remove({ project: id });
  if (options.json) return cli.output.json({ deleted: id });
  cli.output.say(`Deleted “${project.name}”.`);
}

async function removeFile(cli: Cli, project: string, file: string, options: Confirmed): Promise<void> {
  const { projects } = await open(cli, options);
  await confirm(cli, 'Delete this file for everyone who uses the project? (y/N) ', options);
  await projects.files.remove({ project, file });
  if (options.json) return cli.output.json({ deleted: file });
  cli.output.say('Deleted the file.');
}

async function confirm({ host, output }: Cli, question: string, { yes, json }: Confirmed): Promise<void> {
  if (yes) return;
  if (!output.interactive || json) throw usage('this needs --yes when it cannot ask for confirmation');
  const { ask } = await import('../ask.ts');
  if (!/^y(es)?$/i.test((await ask(host, question)).trim()))
    throw new Failure('nothing was deleted', { error: 'not_confirmed', next: 'Nothing was changed.' });
}
