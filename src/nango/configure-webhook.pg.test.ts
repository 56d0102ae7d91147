import type pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProviderTables, type ProviderTables } from '../../test/support/models/provider-tables.ts';
import { applyWebhook, checkWebhook, type WebhookSetting } from './configure-webhook.ts';

const wanted = { url: 'https://service.example.test/connect/integrations/webhook', secret: 'the shared secret' };
let tables: ProviderTables;
let provider: pg.Client;
let url: string;
beforeEach(async () => {
  tables = await openProviderTables();
  ({ client: provider, url } = tables);
});
afterEach(() => tables.close());

const differing = (settings: readonly WebhookSetting[]): string[] =>
  settings.filter(({ ok }) => !ok).map(({ setting }) => setting);
const stored = async (): Promise<unknown[]> =>
  (
    await provider.query(
      "select 'w', to_jsonb(w) from _nango_external_webhooks w union all select 'k', to_jsonb(k) from customer_keys k union all select 'r', to_jsonb(r) from customer_keys_relations r",
    )
  ).rows;

it('checking says what differs and changes nothing', async () => {
  const before = await stored();
  const settings = await checkWebhook(url, wanted);
  expect(differing(settings)).toEqual([
    'primary_url',
    'secondary_url',
    'on_auth_creation',
    'on_auth_refresh_error',
    'on_sync_completion_always',
    'signing key',
  ]);
  expect(await stored()).toEqual(before);
});

it('applying sets all of it for prod alone, and again without a difference', async () => {
  for (let time = 0; time < 2; time++) expect(differing(await applyWebhook(url, wanted))).toEqual([]);
  expect(differing(await checkWebhook(url, wanted))).toEqual([]);
  const { rows } = await provider.query('select * from _nango_external_webhooks');
  expect(rows).toEqual([
    expect.objectContaining({
      environment_id: 2,
      primary_url: wanted.url,
      secondary_url: null,
      on_auth_creation: true,
      on_auth_refresh_error: true,
      on_sync_completion_always: false,
      on_sync_error: false,
    }),
  ]);
  const keys = await provider.query(
    'select k.*, r.entity_type, r.entity_id from customer_keys k join customer_keys_relations r on r.customer_key_id = k.id',
  );
  expect(keys.rows).toEqual([
    expect.objectContaining({
      key_type: 'webhook_signing',
      account_id: 1,
      secret: wanted.secret,
      iv: '',
      tag: '',
      entity_type: 'environment',
      entity_id: 2,
    }),
  ]);
});

it('replaces a key that the provider made and encrypted, and makes the settings where there are none', async () => {
  await provider.query(
    "insert into customer_keys (account_id, key_type, display_name, secret, iv, tag, hashed) values (1, 'webhook_signing', 'x', 'cipher', 'iv', 'tag', 'h'); insert into customer_keys_relations values (1, 'environment', 2); delete from _nango_external_webhooks",
  );
  expect((await checkWebhook(url, wanted)).at(-1)).toMatchObject({
    setting: 'signing key',
    ok: false,
    found: expect.stringContaining('encrypted'),
  });
  expect(differing(await applyWebhook(url, wanted))).toEqual([]);
  expect((await provider.query('select secret, iv, tag from customer_keys')).rows).toEqual([
    { secret: wanted.secret, iv: '', tag: '' },
  ]);
});

it('a failure in the middle rolls everything back', async () => {
  await provider.query(
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no relation today'; end $$; create trigger t before insert on customer_keys_relations for each row execute function refuse()",
  );
  const before = await stored();
  await expect(applyWebhook(url, wanted)).rejects.toThrow('no relation today');
  expect(await stored()).toEqual(before);
});

it('turns HMAC on where the environment carries the switch and the key', async () => {
  await provider.query(
    'alter table _nango_environments add hmac_enabled boolean default false, add hmac_key text; drop table customer_keys_relations, customer_keys',
  );
  expect(differing(await checkWebhook(url, wanted))).toContain('hmac_enabled');
  expect(differing(await applyWebhook(url, wanted))).toEqual([]);
  expect(
    (await provider.query('select name, hmac_enabled, hmac_key from _nango_environments order by id')).rows,
  ).toEqual([
    { name: 'dev', hmac_enabled: false, hmac_key: null },
    { name: 'prod', hmac_enabled: true, hmac_key: wanted.secret },
  ]);
});

it('sets what newer versions add', async () => {
  await provider.query('alter table _nango_external_webhooks add on_auth_override boolean default false');
  expect(differing(await applyWebhook(url, wanted))).toEqual([]);
  expect((await provider.query('select on_auth_override from _nango_external_webhooks')).rows).toEqual([
    { on_auth_override: true },
  ]);
});

it('refuses what it does not understand, and names it', async () => {
  await provider.query("insert into _nango_environments (name, account_id) values ('prod', 2)");
  await expect(applyWebhook(url, wanted)).rejects.toThrow(
    'several environments named prod; choose one with --environment: 2, 3',
  );
  expect(differing(await applyWebhook(url, { ...wanted, environmentId: 3 }))).toEqual([]);
  await provider.query('update _nango_environments set deleted = true');
  await expect(checkWebhook(url, wanted)).rejects.toThrow('no environment named prod');
  await provider.query(
    'alter table _nango_external_webhooks drop column on_auth_creation; update _nango_environments set deleted = false where id = 2',
  );
  await expect(applyWebhook(url, wanted)).rejects.toThrow('on_auth_creation');
});

it('never shows a secret', async () => {
  await provider.query(
    "insert into customer_keys (account_id, key_type, display_name, secret, iv, tag, hashed) values (1, 'webhook_signing', 'x', 'old secret', '', '', 'h'); insert into customer_keys_relations values (1, 'environment', 2)",
  );
  const shown = JSON.stringify([await checkWebhook(url, wanted), await applyWebhook(url, wanted)]);
  expect(shown).not.toContain('old secret');
  expect(shown).not.toContain(wanted.secret);
});
