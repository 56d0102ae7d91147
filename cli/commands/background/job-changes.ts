import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../../account.ts';
import { PATCH_TYPE } from '../../../src/contract/patches/patch-type.ts';
import type { Changes } from '../../../src/contract/patches/run-changes.ts';
import { send } from '../../api/send.ts';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';
import { Failure } from '../../failure.ts';
import { printable } from '../../output.ts';
import { openRuns, runPath } from '../../runs/runs-api.ts';

interface ChangesOptions extends Common {
  readonly patch?: boolean;
}

interface ApplyOptions extends Common {
  readonly directory?: string;
}

/** What was found in the job's repository, and applying it: below `servicectl job`. */
export function addJobChanges(job: Command, cli: Cli): void {
  defineCommand(job, {
    name: 'changes <job>',
    summary: 'Show what a run changed in its repository',
    example: 'servicectl job changes job_01k… --patch > job.patch',
  })
    .option('--patch', 'print the patch')
    .action((id: string, options: ChangesOptions) => showChanges(cli, id, options));
  defineCommand(job, {
    name: 'apply <job>',
    summary: 'Apply what a run changed to a working copy of its repository',
    example: 'servicectl job apply job_01k…',
  })
    .option('-C, --directory <directory>', 'the working copy (default: the current directory)')
    .action((id: string, options: ApplyOptions) => applyChanges(cli, id, options));
}

async function showChanges({ host, output }: Cli, id: string, options: ChangesOptions): Promise<void> {
  const account = await findAccount(host, options);
  if (options.patch) {
    const patch = await readPatchOf(account, id);
    if (options.json) return output.json({ patch });
    // On a terminal nothing in it may control the terminal.
    if (output.watched) return patch.split('\n').forEach((line) => output.line(printable(line)));
    return output.write(patch);
  }
  const changes = await readChanges(account, id);
  if (options.json) return output.json(changes);
  const { files, total, patch, repository, base } = changes;
  output.table(
    ['CHANGE', 'ADDED', 'DELETED', 'PATH'],
    files.map(({ status, additions, deletions, binary, path, from }) => [
      status,
      binary ? 'binary' : `+${additions}`,
      binary ? '' : `-${deletions}`,
      JSON.stringify(from === undefined ? path : `${from} → ${path}`).slice(1, -1),
    ]),
  );
  output.say(
    `${total.files} ${total.files === 1 ? 'file' : 'files'}, +${total.additions} -${total.deletions}, on ${repository} at ${base.slice(0, 12)}.`,
  );
  if (files.length < total.files) output.say(`Only the first ${files.length} files are listed.`);
  if (patch === undefined) output.say('The patch was not kept.');
  else if (patch.cut) output.say('The patch has only the first files: all of them are too large.');
}

async function applyChanges(
  { host, output }: Cli,
  id: string,
  { directory = '.', ...options }: ApplyOptions,
): Promise<void> {
  const account = await findAccount(host, options);
  const changes = await readChanges(account, id);
  if (changes.total.files === 0) return output.say('The run changed nothing.');
  if (changes.patch === undefined || changes.patch.cut)
    throw new Failure('the patch of this run is not whole, so it is not applied', {
      error: 'patch_cut',
      next: `See what there is with: servicectl job changes ${id} --patch`,
    });
  const [patch, { applyPatch }] = await Promise.all([readPatchOf(account, id), import('../../runs/apply-patch.ts')]);
  const { files } = await applyPatch(directory, { patch, changes });
  if (options.json) return output.json({ applied: files });
  output.say(
    `Applied ${files.length} ${files.length === 1 ? 'file' : 'files'}, in the index too. Look at them with: git diff --cached`,
  );
}

async function readChanges(account: Account, id: string): Promise<Changes> {
  return (await openRuns(account)).changes({ id }).catch(withoutChanges);
}

async function readPatchOf(account: Account, id: string): Promise<string> {
  const response = await send(account.url, runPath(id, '/changes'), {
    bearer: requireToken(account),
    accept: PATCH_TYPE,
  }).catch(withoutChanges);
  return response.text();
}

function withoutChanges(error: unknown): never {
  throw error instanceof Failure && error.error === 'not_found'
    ? new Failure('there is no such run, or it has no changes: it had no repository, or it has not ended', {
        error: 'not_found',
        next: 'List your runs with: servicectl jobs',
      })
    : error;
}
