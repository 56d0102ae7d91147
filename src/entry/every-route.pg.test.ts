// Every route of the printed contract, called as everybody there is: what is answered with 2xx is in the table with its
// reason, nothing is answered with 5xx, nobody outside of a workspace is shown what is in it, and every answer in JSON
// is as the contract prints it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnswerCheck, createAnswerCheck } from '../../test/support/models/answer-faults.ts';
import { type Document, operationsOf } from '../../test/support/http/openapi-faults.ts';
import { ROUTE_TABLE, type Sent } from '../../test/support/http/route-table.ts';
import { type CallerName, MARK, openRouteWorld, type World } from '../../test/support/http/route-world.ts';
import { openApiDocument } from '../http/openapi.ts';

/** Neither in Lab nor managing the organization that it belongs to. */
const OUTSIDE = /^(?:nobody|stranger|removed|invitee|outsider|operator|owner token)/;
const LIVE = 'GET /runtime/factory/live';

/** Written as they are, not encoded again. */
const NOT_TEXT = ['%00', '%ED%A0%80'];
const encode = (value: string): string => (NOT_TEXT.includes(value) ? value : encodeURIComponent(value));

let world: World;
let document: Document;
let findFaults: AnswerCheck;
beforeAll(async () => {
  world = await openRouteWorld();
  document = JSON.parse(JSON.stringify(await openApiDocument('http://localhost:4000'))) as Document;
  findFaults = createAnswerCheck(document);
});
afterAll(() => world?.close());

async function sentTo(name: string, caller: CallerName): Promise<Sent> {
  return (await ROUTE_TABLE[name]?.send?.(world, caller)) ?? {};
}

async function ask(name: string, caller: CallerName, sent: Sent): Promise<{ status: number; text: string }> {
  const [method = '', path = ''] = name.split(' ');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, parameter: string) => encode(sent.params?.[parameter] ?? 'x'));
  const pairs = Object.entries(sent.query ?? {}).map(([key, value]) => `${key}=${encode(value)}`);
  const query = pairs.length > 0 ? `?${pairs.join('&')}` : '';
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

describe('text with a zero character or half a surrogate pair is refused', () => {
  /** Somebody whose text is read. */
  const readerOf = (name: string): CallerName =>
    ROUTE_TABLE[name]?.open
      ? 'nobody'
      : (ROUTE_TABLE[name]?.allowed[0] ?? (name.includes(' /v1/') ? 'owner chat' : 'owner'));
  /** Other answers than 400. */
  const OTHERS: Readonly<Record<string, readonly number[]>> = {
    // OAuth reports it on the way back to the client, if it is one.
    'GET /api/oauth/authorize': [302, 401],
    // These names are compared with those in memory, and none is like it.
    'GET /v1/models/{model}': [404],
    'GET /v1/responses/{response}': [404],
    'DELETE /v1/responses/{response}': [404],
    'GET /v1/responses/{response}/input_items': [404],
    // The signature comes first.
    'POST /connect/integrations/webhook': [401],
    'POST /hooks/{id}': [401],
  };

  it('in every parameter of every route', async () => {
    const wrong: string[] = [];
    for (const { name, operation } of operationsOf(document)) {
      if (name === LIVE) continue;
      const sent = await sentTo(name, readerOf(name));
      for (const { name: parameter, in: place } of operation.parameters ?? []) {
        if (place !== 'path' && place !== 'query') continue;
        for (const value of NOT_TEXT) {
          const part = place === 'path' ? 'params' : 'query';
          const changed = { ...sent, [part]: { ...sent[part], [parameter]: value } };
          const { status, text } = await ask(name, readerOf(name), changed);
          if (status !== 400 && !OTHERS[name]?.includes(status))
            wrong.push(`${name} ${parameter}=${value}: ${status} ${text}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('in every body and every form', async () => {
    const wrong: string[] = [];
    for (const name of Object.keys(ROUTE_TABLE)) {
      const sent = await sentTo(name, readerOf(name));
      const body = JSON.stringify(sent.body)?.replaceAll('":"', '":"\\u0000');
      if (!sent.form && !body?.includes('\\u0000')) continue;
      const changed = sent.form ? { form: withZero(sent.form) } : { body: JSON.parse(body ?? '') as unknown };
      const { status, text } = await ask(name, readerOf(name), { ...sent, ...changed });
      if (status !== 400 && !OTHERS[name]?.includes(status)) wrong.push(`${name}: ${status} ${text}`);
    }
    expect(wrong).toEqual([]);
  });
});

function withZero(form: FormData | URLSearchParams): FormData | URLSearchParams {
  if (form instanceof URLSearchParams)
    return new URLSearchParams([...form].map(([name, value]): [string, string] => [name, `${value}\0`]));
  const changed = new FormData();
  for (const [name, value] of form)
    if (typeof value === 'string') changed.append(name, `${value}\0`);
    else changed.append(name, value, `${value.name}\0`);
  return changed;
}

describe('every caller', () => {
  it.each(Object.keys(ROUTE_TABLE))('%s', async (name) => {
    const { allowed = [], open } = ROUTE_TABLE[name] ?? {};
    const taken: string[] = [];
    const failed: string[] = [];
    const shown: string[] = [];
    const unprinted: string[] = [];
    for (const caller of (open ? ['nobody'] : Object.keys(world.callers)) as CallerName[]) {
      const { status, text } = await ask(name, caller, await sentTo(name, caller));
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
