import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import type { Run } from '../../runs/record/run.ts';
import { quiet } from '../../../test/support/database.ts';
import { type Checkout, checkOut, type CheckoutTools, findCheckout } from './check-out.ts';

const EARLIER: Checkout = {
  connection: 'con_1',
  repository: 'acme/app',
  directory: '/workspace/app',
  base: 'a'.repeat(40),
};
let artifacts: string;
beforeEach(async () => {
  artifacts = await mkdtemp(join(tmpdir(), 'service-check-out-'));
  await mkdir(join(artifacts, 'job_1', 'run-log'), { recursive: true });
  await writeFile(join(artifacts, 'job_1', 'run-log', 'checkout.json'), JSON.stringify(EARLIER));
});
afterEach(() => rm(artifacts, { recursive: true, force: true }));

const attempt: Pick<RunAttempt, 'run' | 'artifacts' | 'progress'> = {
  run: { id: 'job_2' } as Run,
  artifacts: async () => join(artifacts, 'job_2'),
  progress: async () => undefined,
};
const asked = (): never => {
  throw new Error('the sandbox was asked');
};
const never: CheckoutTools = { exec: asked, read: asked, write: asked, log: quiet };

it('leaves the files of a restored run as they are, and knows what they began from', async () => {
  expect(await checkOut(never, attempt, { plan: undefined, restoredFrom: 'job_1' })).toEqual(EARLIER);
  expect(await findCheckout(join(artifacts, 'job_2'))).toEqual(EARLIER);
  await rm(join(artifacts, 'job_1'), { recursive: true });
  expect(await checkOut(never, attempt, { plan: undefined, restoredFrom: 'job_2' })).toEqual(EARLIER);
});

it('asks nothing of the sandbox of a run without a repository', async () => {
  expect(await checkOut(never, attempt, { plan: undefined, restoredFrom: undefined })).toBeUndefined();
});

it('checks out where what was restored had no checkout', async () => {
  const plan = {
    connection: 'con_1',
    repository: 'acme/app',
    ref: undefined,
    remote: 'https://github.com/acme/app.git',
    address: 'http://github.broker/acme/app.git',
    directory: '/workspace/app',
  };
  await expect(checkOut(never, attempt, { plan, restoredFrom: 'job_none' })).rejects.toThrow('the sandbox was asked');
});
