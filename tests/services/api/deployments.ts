import { expect } from '@jest/globals';
import type { DeploymentAnswer } from '@moorage/contracts';
import { Deployments, type MoveChanges } from '@moorage/database';
import { type DeploymentStatus, STEP_MESSAGES } from '@moorage/domain';
import type { NewEvent } from '@moorage/messaging';
import type { Db } from '@moorage/server';
import type { ApiHarness, TestAccount } from './api-harness';
import { ORDER } from './order';

export { ORDER };

/** The same order for the user's own server, without a provider and region. */
export const OWN_SERVER = {
  ...ORDER,
  server_type: 'vps',
  cloud_provider: null,
  region: null,
  instance_type: null,
  vps_ip_address: '5.9.0.1',
} as const;

/** End of an order with a sold-out size. */
export const SOLD_OUT: readonly ['FAILED', MoveChanges] = [
  'FAILED',
  { failure: STEP_MESSAGES.cloud_capacity, destroy_reason: 'failed' },
];

/** Actions of the other services, for tests of the api. */
export interface Neighbours {
  /** Moves a deployment along these statuses, as the provisioner would. */
  moveTo(id: number, ...to: readonly (DeploymentStatus | readonly [DeploymentStatus, MoveChanges])[]): Promise<void>;
  /** Appends events of the provisioner. */
  append(...events: NewEvent[]): Promise<void>;
  /** Records a passed (or refused) check of a user's own server. */
  checked(account: TestAccount, address: string, state?: 'passed' | 'refused'): Promise<void>;
}

export async function neighbours(harness: ApiHarness): Promise<Neighbours> {
  const { clock, outbox } = harness.deps;
  const db: Db = await harness.database.open({ service: 'provisioner' });
  const deployments = new Deployments({ outbox });
  return {
    async moveTo(id, ...to) {
      for (const step of to) {
        const [status, changes] = typeof step === 'string' ? [step, {}] : step;
        await db.tx('test.bring', async (tx) => {
          const row = await deployments.lock(tx, id);
          if (row === null) throw new Error('no such deployment');
          await deployments.move(tx, row, { to: status, by: 'provisioner', at: await clock.now(tx), changes });
        });
      }
    },
    append: (...events) => db.tx('test.append', (tx) => outbox.appendMany(tx, events)),
    async checked(account, address, state = 'passed') {
      await db.tx('test.now', async (tx) => {
        const at = new Date(await clock.now(tx)).toISOString();
        await harness.database.sql(
          `insert into vps_checks (user_id, address, state, host_key_sha256, message, asked_at, answered_at) values ($1, $2, $3, 'SHA256:x', 'Looked at.', $4, $4)`,
          [account.id, address, state, at],
        );
      });
    },
  };
}

export async function ordered(
  harness: ApiHarness,
  account: TestAccount,
  change: object = {},
): Promise<DeploymentAnswer> {
  const { status, body, text } = await harness.http
    .post('/api/deployments/')
    .set(account.auth)
    .send({ ...ORDER, ...change });
  if (status !== 201) throw new Error(`order: ${text}`);
  return body as DeploymentAnswer;
}

/** Everything that a refused request must leave unchanged. */
export async function everythingStored(harness: ApiHarness): Promise<Record<string, string>> {
  const [row] = await harness.database.sql<Record<string, string>>(
    `select ${WATCHED.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')},
       (select string_agg(id || ':' || version || ':' || status || ':' || support_level, ',' order by id) from deployments) as rows,
       (select sum(regular_micros) from wallets) as money`,
  );
  return row ?? {};
}

/** Asserts that the request gets this response and changes nothing. Returns its headers. */
export async function refused(
  harness: ApiHarness,
  request: () => PromiseLike<{ status: number; body: unknown; headers: Record<string, string> }>,
  status: number,
  body: object,
): Promise<Record<string, string>> {
  const before = await everythingStored(harness);
  const answer = await request();
  expect([answer.status, answer.body]).toEqual([status, expect.objectContaining(body)]);
  expect(await everythingStored(harness)).toEqual(before);
  return answer.headers;
}

/** Returns the names of a deployment's events in order. */
export async function eventsOf(harness: ApiHarness, id: number): Promise<string[]> {
  const rows = await harness.database.sql<{ event_name: string }>(
    `select event_name from outbox where stream = 'deployment' and aggregate_id = $1 order by sequence`,
    [String(id)],
  );
  return rows.map(({ event_name }) => event_name);
}

const WATCHED = [
  'users',
  'deployments',
  'deployment_rates',
  'meters',
  'secrets',
  'outbox',
  'work',
  'vps_checks',
  'idempotency_keys',
  'ledger_transactions',
  'audit_records',
  'mails',
];
