// npm run release: everything that is published of a version, into release/<version>. The parts are made in memory,
// written to a directory beside it and moved there at the end, so that a release is whole or not there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeBuild, listChecksums } from './describe-build.ts';
import { findMissingTools, type Tool, TOOLS } from './find-tools.ts';
import { identifyBuild } from './identify-build.ts';
import { makeComposeBundle, makeManifests, makePackage, makeServer } from './make-archives.ts';
import { makeChart } from './make-chart.ts';
import { makeImages } from './make-images.ts';
import type { Artefacts, ReleaseInput } from './release-part.ts';

const PARTS = {
  package: { tools: [], make: makePackage },
  server: { tools: [], make: makeServer },
  bundle: { tools: [], make: makeComposeBundle },
  chart: { tools: [], make: (input) => ({ ...makeManifests(input), ...makeChart(input) }) },
  images: { tools: ['mmdebstrap'], make: makeImages },
} as const satisfies Record<
  string,
  { readonly tools: readonly Tool[]; readonly make: (input: ReleaseInput) => Artefacts }
>;
type PartName = keyof typeof PARTS;

const NAMESPACE = 'agent-platform-release';
const EXIT_USAGE = 2;
const HELP = `npm run release -- [options]

  --only <parts>     some of: ${Object.keys(PARTS).join(',')}
  --sign <key>       sign SHA256SUMS with this SSH key
  --mirror <url>     take Debian packages from here (may be repeated), such as one day of snapshot.debian.org
  --output <dir>     write there instead of release/<version>
  --allow-changes    also from files that are not committed; the provenance says so
`;

const root = join(import.meta.dirname, '..', '..');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

try {
  process.exitCode = await main();
} catch (error) {
  say(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'number') return options;
  const { parts, key, mirrors, output, allowChanges } = options;
  const missing = findMissingTools([
    'git',
    ...parts.flatMap((part) => PARTS[part].tools),
    ...(key === undefined ? [] : (['ssh-keygen'] as const)),
  ]);
  if (missing.length > 0)
    throw new Error(
      `${missing.join(', ')} not found: on Debian, apt-get install ${missing.map((tool) => TOOLS[tool]).join(' ')}`,
    );
  if (key !== undefined && !existsSync(key)) throw new Error(`there is no key ${key}`);
  const build = await identifyBuild(root);
  if (build.changed && !allowChanges)
    throw new Error('there are changes that are not committed: commit them, or release with --allow-changes');
  const target = resolve(output ?? join(root, 'release', build.version));
  const scratch = mkdtempSync(join(tmpdir(), 'release-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const made = makeParts(parts, { root, dist: realpathSync(join(root, 'dist')), build, mirrors, scratch });
  write(target, made, key);
  say(`${target}: version ${build.version}, build ${build.id}, ${Object.keys(made).length} files`);
  return 0;
}

function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        only: { type: 'string' },
        sign: { type: 'string' },
        mirror: { type: 'string', multiple: true },
        output: { type: 'string' },
        'allow-changes': { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }));
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return EXIT_USAGE;
  }
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const names = values.only?.split(',') ?? Object.keys(PARTS);
  const unknown = names.filter((name) => !isPart(name));
  if (unknown.length > 0) {
    say(`there is no part ${unknown.join(', ')}\n\n${HELP}`);
    return EXIT_USAGE;
  }
  return {
    parts: names.filter(isPart),
    key: values.sign,
    mirrors: values.mirror ?? [],
    output: values.output,
    allowChanges: values['allow-changes'] === true,
  };
}

function isPart(name: string): name is PartName {
  return Object.hasOwn(PARTS, name);
}

function makeParts(parts: readonly PartName[], input: ReleaseInput): Artefacts {
  const made = Object.assign(
    {},
    ...parts.map((part) => {
      const from = Date.now();
      const artefacts = PARTS[part].make(input);
      say(`${part}: ${((Date.now() - from) / 1_000).toFixed(1)} s`);
      return artefacts;
    }),
  ) as Artefacts;
  return {
    ...made,
    [`agent-platform-${input.build.version}.provenance.json`]: describeBuild(input, parts, made),
  };
}

function write(target: string, made: Artefacts, key: string | undefined): void {
  const making = `${target}.${process.pid}`;
  const remove = (): void => rmSync(making, { recursive: true, force: true });
  process.once('exit', remove);
  mkdirSync(making, { recursive: true });
  for (const [name, bytes] of Object.entries(made)) writeFileSync(join(making, name), bytes);
  writeFileSync(join(making, 'SHA256SUMS'), listChecksums(made));
  if (key !== undefined) sign(join(making, 'SHA256SUMS'), key);
  rmSync(target, { recursive: true, force: true });
  renameSync(making, target);
}

/** Asks on the terminal for the passphrase of a key that has one; an agent may hold the key. */
function sign(file: string, key: string): void {
  const { status } = spawnSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', NAMESPACE, file], {
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('ssh-keygen did not sign; nothing is released');
}
