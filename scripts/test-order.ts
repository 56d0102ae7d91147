// The files that take longest run first, so that no core waits for one of them at the end. A file that is not in the
// list comes after those that are, in vitest's own order; the report of a run names the slowest files.
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first, as measured on two cores. */
const SLOWEST: readonly string[] = [
  'test/flows/cli.test.ts',
  'test/flows/orderly-restarts.test.ts',
  'test/flows/stack-supervision.test.ts',
  'test/flows/doctor.test.ts',
  'test/flows/runs-waiting.test.ts',
  'test/flows/install-guide.test.ts',
  'test/flows/model-silence.test.ts',
  'test/flows/web-server.test.ts',
  'test/flows/orderly-stops.test.ts',
  'test/flows/waiting-senders.test.ts',
  'test/flows/readme-walk.test.ts',
  'test/flows/broker-faults.test.ts',
  'test/flows/runtime-roles.test.ts',
  'test/flows/cli-runs.test.ts',
  'test/flows/runs-silent-workers.test.ts',
  'test/flows/stack.test.ts',
  'test/flows/receipts.test.ts',
  'test/flows/chat-threads.test.ts',
  'test/flows/deploy.test.ts',
  'test/flows/operator-guides.test.ts',
  'test/flows/runs-replicas.test.ts',
  'test/flows/chat-processes.test.ts',
  'test/browser/find-and-share.test.ts',
  'test/browser/chat.test.ts',
  'test/browser/integrations.test.ts',
  'test/browser/settings.test.ts',
  'test/browser/runs.test.ts',
  'test/browser/accessibility.test.ts',
  'test/browser/prompts.test.ts',
  'test/browser/people.test.ts',
  'test/browser/every-page.test.ts',
  'test/browser/languages.test.ts',
  'test/browser/mcp-gateway.test.ts',
  'test/browser/refusals.test.ts',
  'test/browser/projects.test.ts',
  'test/browser/firefox.test.ts',
  'test/browser/receipts.test.ts',
  'src/postgres/launch.pg.test.ts',
  'src/broker/create-broker.pg.test.ts',
  'src/entry/streams.pg.test.ts',
  'src/entry/every-route.pg.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = SLOWEST.indexOf(relative(this.ctx.config.root, moduleId));
      return at === -1 ? SLOWEST.length : at;
    };
    return (await super.sort(files)).sort(
      (a, b) => a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder || rank(a) - rank(b),
    );
  }
}
