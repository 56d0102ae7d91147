import { listGuardrails, listGuardrailVersions, showGuardrail } from '../../enforcement/guardrails/list-guardrails.ts';
import { testGuardrail } from '../../enforcement/guardrails/test-guardrail.ts';
import { createGuardrail, createGuardrailVersion } from '../../enforcement/guardrails/write-guardrail.ts';
import type { Database } from '../../store/database.ts';
import { web } from './implement-web.ts';

export function guardrailRoutes({ db }: { db: Database }) {
  const place = (user: { id: string }, org: string): { userId: string; organizationId: string } => ({
    userId: user.id,
    organizationId: org,
  });

  return {
    guardrails: {
      list: web.guardrails.list.handler(({ context, input }) =>
        listGuardrails(db, place(context.user, input.org), input),
      ),
      create: web.guardrails.create.handler(async ({ context, input }) => ({
        group: await createGuardrail(db, place(context.user, input.org), input),
      })),
      show: web.guardrails.show.handler(async ({ context, input }) => ({
        group: await showGuardrail(db, place(context.user, input.org), input.guardrail, input.version),
      })),
      versions: {
        list: web.guardrails.versions.list.handler(({ context, input }) =>
          listGuardrailVersions(db, place(context.user, input.org), input.guardrail, input),
        ),
        create: web.guardrails.versions.create.handler(async ({ context, input }) => ({
          group: await createGuardrailVersion(db, place(context.user, input.org), input.guardrail, input),
        })),
      },
      test: web.guardrails.test.handler(async ({ context, input }) => ({
        matches: await testGuardrail(db, place(context.user, input.org), input.guardrail, input),
      })),
    },
  };
}
