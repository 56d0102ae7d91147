import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../base/config.ts';
import { schemaName } from './schema-name.ts';

const derived = (path: string): string =>
  `service_data_${createHash('sha256').update(resolve(path)).digest('hex').slice(0, 24)}`;

describe('storage rule 3: the data directory is a tenant key', () => {
  it.each([
    [{ SERVICE_DATA_DIR: '/srv/a' }, derived('/srv/a')],
    [{ DATA_DIR: '/srv/b' }, derived('/srv/b')],
    [{ SERVICE_DATA_DIR: '/srv/a', DATA_DIR: '/srv/b' }, derived('/srv/a')],
    [{ SERVICE_DATA_DIR: '/srv/x/../a/' }, derived('/srv/a')],
    [{ SERVICE_DATA_DIR: 'relative/dir' }, derived('relative/dir')],
    [{ SERVICE_DATA_DIR: '', DATA_DIR: '/srv/b' }, derived('/srv/b')],
    [{}, derived('.data')],
    [{ SERVICE_DATA_DIR: '/srv/a', SERVICE_DB_SCHEMA: 'public' }, 'public'],
  ])('%j names the schema', (environment, expected) => {
    expect(schemaName(readConfig(environment))).toBe(expected);
  });

  it('is service_data_ and 24 hexadecimal characters', () => {
    expect(schemaName(readConfig({ SERVICE_DATA_DIR: '/srv/a' }))).toMatch(/^service_data_[0-9a-f]{24}$/);
  });
});
