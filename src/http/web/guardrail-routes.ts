import {
  listGuardrails,
  listGuardrailVersions,
  showGuardrail,
  testGuardrail,
} from '../../enforcement/guardrails/read-guardrails.ts';
import { createGuardrail, createGuardrailVersion } from '../../enforcement/guardrails/write-guardrail.ts';
import type { Database } from '../../store/database.ts';
import { member } from './implement-web.ts';

export function guardrailRoutes({ db }: { db: Database }) {
  return {
    guardrails: {
      list: member.guardrails.list.handler(({ context: { membership }, input }) =>
        listGuardrails(db, membership, input),
      ),
      create: member.guardrails.create.handler(async ({ context: { membership }, input }) => ({
        group: await createGuardrail(db, membership, input),
      })),
      show: member.guardrails.show.handler(async ({ context: { membership }, input }) => ({
        group: await showGuardrail(db, membership, input.guardrail, input.version),
      })),
      versions: {
        list: member.guardrails.versions.list.handler(({ context: { membership }, input }) =>
          listGuardrailVersions(db, membership, input.guardrail, input),
        ),
        create: member.guardrails.versions.create.handler(async ({ context: { membership }, input }) => ({
          group: await createGuardrailVersion(db, membership, input.guardrail, input),
        })),
      },
      test: member.guardrails.test.handler(async ({ context: { membership }, input }) => ({
        matches: await testGuardrail(db, membership, input.guardrail, input),
      })),
    },
  };
}
