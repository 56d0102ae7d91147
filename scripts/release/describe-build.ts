// How the files of a release came to be, as an in-toto statement with SLSA's predicate. It is content, not proof: the
// signature of the checksums covers it. It names no machine and no time of its own, so that it can be made again.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Artefacts, PLATFORM, type ReleaseInput } from './release-part.ts';

const BUILD_TYPE = 'agent-platform/npm-run-release/v1';

export function describeBuild(
  { root, build, mirrors }: ReleaseInput,
  parts: readonly string[],
  made: Artefacts,
): Buffer {
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(made).map(([name, bytes]) => ({ name, digest: { sha256: sha256(bytes) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { command: 'npm run release', parts, mirrors },
        internalParameters: { version: build.version, build: build.id, platform: PLATFORM, node: process.version },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: build.commit }, annotations: { changed: build.changed } },
          { name: 'package-lock.json', digest: { sha256: sha256(readFileSync(join(root, 'package-lock.json'))) } },
        ],
      },
      runDetails: { builder: { id: BUILD_TYPE }, metadata: { invocationId: build.id } },
    },
  };
  return Buffer.from(`${JSON.stringify(statement, undefined, 2)}\n`);
}

/** As `sha256sum` writes them, and `sha256sum --check` reads them. */
export function listChecksums(made: Artefacts): string {
  return Object.keys(made)
    .toSorted()
    .map((name) => `${sha256(made[name] ?? Buffer.alloc(0))}  ${name}\n`)
    .join('');
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
