// Every route of the printed contract, called as everybody there is: what is answered with 2xx is in the table with its
// reason, nothing is answered with 5xx, nobody outside of a workspace is shown what is in it, and every answer in JSON
// is as the contract prints it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerCheck, createAnswerCheck } from '../../test/support/answer-faults.ts';
import { type Document, operationsOf } from '../../test/support/openapi-faults.ts';
import { ROUTE_TABLE, type Sent } from '../../test/support/route-table.ts';
import { type CallerName, MARK, openRouteWorld, type World } from '../../test/support/route-world.ts';
import { openApiDocument } from '../http/openapi.ts';

/** Neither in Lab nor managing the organization that it belongs to. */
const OUTSIDE = /^(?:nobody|stranger|removed|invitee|outsider|operator|owner token)/;
const LIVE = 'GET /runtime/factory/live';

let world: World;
let document: Document;
let findFaults: AnswerCheck;
beforeAll(async () => {
  world = await openRouteWorld();
  document = JSON.parse(JSON.stringify(await openApiDocument('http://localhost:4000'))) as Document;
  findFaults = createAnswerCheck(document);
});
afterAll(() => world?.close());

async function ask(name: string, caller: CallerName): Promise<{ status: number; text: string }> {
  const [method = '', path = ''] = name.split(' ');
  const sent: Sent = (await ROUTE_TABLE[name]?.send?.(world, caller)) ?? {};
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, parameter: string) =>
    encodeURIComponent(sent.params?.[parameter] ?? 'x'),
  );
  const query = sent.query ? `?${new URLSearchParams(sent.query)}` : '';
  const bearer = sent.caller ?? world.callers[caller];
  if (name === LIVE)
    return { status: (await world.opens(`${filled}?token=${encodeURIComponent(bearer ?? '')}`)) ? 200 : 401, text: '' };
  return world.call(method, filled + query, bearer, {
    body: sent.body,
    ...(sent.form ? { form: sent.form } : {}),
    ...(sent.headers ? { headers: sent.headers } : {}),
  });
}

it('has a row for every route, and no row for one that is not there', () => {
  expect(Object.keys(ROUTE_TABLE).toSorted()).toEqual(
    operationsOf(document)
      .map(({ name }) => name)
      .toSorted(),
  );
});

describe('every caller', () => {
  it.each(Object.keys(ROUTE_TABLE))('%s', async (name) => {
    const { allowed = [], open } = ROUTE_TABLE[name] ?? {};
    const taken: string[] = [];
    const failed: string[] = [];
    const shown: string[] = [];
    const unprinted: string[] = [];
    for (const caller of (open ? ['nobody'] : Object.keys(world.callers)) as CallerName[]) {
      const { status, text } = await ask(name, caller);
      if (status >= 200 && status < 300) taken.push(caller);
      if (status >= 500) failed.push(`${caller}: ${status} ${text}`);
      if (name !== LIVE) unprinted.push(...findFaults(name, status, text));
      if (OUTSIDE.test(caller) && text.includes(MARK)) shown.push(`${caller}: ${text}`);
    }
    expect({ failed, shown, unprinted: [...new Set(unprinted)], taken: taken.toSorted() }).toEqual({
      failed: [],
      shown: [],
      unprinted: [],
      taken: [...allowed].toSorted(),
    });
  });
});
