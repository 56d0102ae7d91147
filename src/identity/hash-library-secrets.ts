// Sits between the identity library and its tables. The library writes and queries secrets in plain text; the table
// below lists the fields that hold one, and only their digests are stored. Secrets that a call itself contained are put
// back into its result, because the library continues with them; all others stay digests.
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/adapters';
import { digestSecret, digestShortSecret } from './secret-digests.ts';

type Fields = Record<string, unknown>;
type Digest = (secret: string) => string;

function secretFields(authSecret: string): Readonly<Record<string, Readonly<Record<string, Digest>>>> {
  return {
    session: { token: digestSecret },
    deviceCode: { deviceCode: digestSecret, userCode: (code) => digestShortSecret(code, authSecret) },
  };
}

type Wrapped = Omit<DBTransactionAdapter, 'options'>;

export interface HashingOptions {
  readonly authSecret: string;
  /** Runs the library's work in a transaction of its own. */
  readonly within: <T>(work: () => Promise<T>) => Promise<T>;
}

export function hashLibrarySecrets(adapter: DBAdapter, { authSecret, within }: HashingOptions): DBAdapter {
  const secrets = secretFields(authSecret);
  return {
    ...adapter,
    ...hashing(adapter, secrets),
    transaction: (work) => adapter.transaction((trx) => within(() => work({ ...trx, ...hashing(trx, secrets) }))),
  };
}

function hashing(inner: Wrapped, secrets: ReturnType<typeof secretFields>): Wrapped {
  /** Replaces the secrets of one call with digests, and remembers them for its result. */
  const open = (model: string) => {
    const fields = secrets[model] ?? {};
    const seen = new Map<string, string>();
    const hide = (field: string, value: unknown): unknown => {
      const digest = fields[field];
      if (digest === undefined) return value;
      if (Array.isArray(value)) return value.map((one) => hide(field, one));
      if (typeof value !== 'string') return value;
      const hidden = digest(value);
      seen.set(hidden, value);
      return hidden;
    };
    return {
      data: <T extends Fields>(data: T): T =>
        Object.fromEntries(Object.entries(data).map(([field, value]) => [field, hide(field, value)])) as T,
      where: (where: readonly Where[]): Where[] =>
        where.map((condition) => ({ ...condition, value: hide(condition.field, condition.value) as Where['value'] })),
      row: <T>(row: T): T => {
        if (typeof row !== 'object' || row === null) return row;
        const shown = Object.keys(fields).flatMap((field) => {
          const plain = seen.get(String((row as Fields)[field]));
          return plain === undefined ? [] : [[field, plain]];
        });
        return { ...row, ...(Object.fromEntries(shown) as Fields) };
      },
    };
  };
  return {
    id: inner.id,
    async create(call) {
      const { data, row } = open(call.model);
      return row(await inner.create({ ...call, data: data(call.data) }));
    },
    async findOne(call) {
      const { where, row } = open(call.model);
      return row(await inner.findOne({ ...call, where: where(call.where) }));
    },
    async findMany(call) {
      const { where, row } = open(call.model);
      return (await inner.findMany({ ...call, ...(call.where ? { where: where(call.where) } : {}) })).map((found) =>
        row(found),
      ) as never;
    },
    count: (call) => inner.count({ ...call, ...(call.where ? { where: open(call.model).where(call.where) } : {}) }),
    async update(call) {
      const { where, data, row } = open(call.model);
      return row(await inner.update({ ...call, where: where(call.where), update: data(call.update) }));
    },
    updateMany(call) {
      const { where, data } = open(call.model);
      return inner.updateMany({ ...call, where: where(call.where), update: data(call.update) });
    },
    delete: (call) => inner.delete({ ...call, where: open(call.model).where(call.where) }),
    deleteMany: (call) => inner.deleteMany({ ...call, where: open(call.model).where(call.where) }),
    async consumeOne(call) {
      const { where, row } = open(call.model);
      return row(await inner.consumeOne({ ...call, where: where(call.where) }));
    },
    async incrementOne(call) {
      const { where, data, row } = open(call.model);
      return row(
        await inner.incrementOne({ ...call, where: where(call.where), ...(call.set ? { set: data(call.set) } : {}) }),
      );
    },
  };
}
