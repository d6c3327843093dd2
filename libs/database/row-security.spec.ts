import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENTS, type EventName, PRODUCERS, WORK_NAMES, WORK_OF } from '@moorage/contracts';
import type { Db } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { GRANTS, roleOf, type Service, SERVICES } from './grants';
import { POLICIES, rowSecuritySql } from './row-security';
import { migrate } from './migrate';

const NOTHING_OF_OTHERS = /permission denied|row-level security/;
const AT = `'2026-12-01T00:00:00Z'`;

describe('access of each service to shared rows', () => {
  let database: TestDatabase;
  const of = {} as Record<Service, Db>;
  beforeAll(async () => {
    database = await testDatabase();
    for (const service of SERVICES) of[service] = await database.open({ service });
    await database.sql(`insert into users (id, username, email, email_normalised, password_hash, referral_code, created_at)
      values (1, 'ada', 'ada@example.com', 'ada@example.com', '$argon2', 'code', ${AT})`);
    await database.sql(`insert into deployments (id, user_id, ref, client_name, client_id, package, server_type, support_level,
        instance_hourly_micros, status, created_at, updated_at)
      values (1, 1, 'r', 'shop', 'shop', 'pangolin', 'new', 1, 35600, 'READY', ${AT}, ${AT})`);
    await database.sql(`insert into secrets (owner, name, key_id, nonce, ciphertext, created_at)
      select owner, 'n', 'k', '', '', ${AT} from unnest('{deployment:1,user:1,two_factor:1}'::text[]) owner`);
    await database.sql(outboxRow('payment.received', 1));
    await database.sql(outboxRow('deployment.created', 2));
    await database.sql(inboxRow('api', 'payment.received', 1));
    await database.sql(inboxRow('billing', 'deployment.created', 2));
    await database.sql(`insert into work (kind, key, due_at, created_at)
      select kind, '1', ${AT}, ${AT} from unnest('{run,send-mail}'::text[]) kind`);
    await database.sql(
      `insert into event_sequences values ('deployment', '1', 1), ('account', '1', 1), ('payment', '1', 1)`,
    );
  });
  afterAll(() => database.drop());

  /** Runs a statement of a service and rolls it back. Returns the number of rows affected, or the error. */
  async function tried(service: Service, statement: string): Promise<number | string> {
    let rows = 0;
    return of[service]
      .tx('test.tried', async (tx) => {
        rows = await tx.execute(statement);
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (error instanceof Undone) return rows;
        return error instanceof Error ? error.message : String(error);
      });
  }

  it.each<[string, Service, string]>([
    ['read the password hashes', 'provisioner', 'select password_hash from users'],
    ['read email addresses of users', 'provisioner', 'select email from users'],
    ['read the password hashes', 'billing', 'select password_hash from users'],
    ['read from where users signed up', 'billing', 'select signup_ip from users'],
    ['read referral codes', 'billing', 'select referral_code from users'],
    ['transfer a deployment to another account', 'provisioner', 'update deployments set user_id = 2'],
    ['transfer a deployment to another account', 'billing', 'update deployments set user_id = 2'],
    ['change an hourly price', 'provisioner', 'update deployments set instance_hourly_micros = 0'],
    ['change the contents of a deployment', 'billing', `update deployments set config = '{}'`],
    ['store a second factor', 'provisioner', secretRow('two_factor:2')],
    ['replace the SSH key of a user', 'provisioner', secretRow('user:1')],
    ['report an incoming payment', 'provisioner', outboxRow('payment.received', 9)],
    ['report an incoming payment', 'billing', outboxRow('payment.received', 9)],
    ['order a deployment', 'provisioner', outboxRow('deployment.created', 9)],
    ['order a deployment', 'billing', outboxRow('deployment.created', 9)],
    ['report a changed balance', 'provisioner', outboxRow('balance.changed', 9)],
    ['report a completed step', 'api', outboxRow('deployment.step_progressed', 9)],
    [
      'send an event in the stream of another service',
      'provisioner',
      outboxRow('deployment.step_progressed', 9, 'payment'),
    ],
    ['rewrite an event', 'api', `update outbox set data = '{}'`],
    ['rewrite an event', 'billing', `update outbox set data = '{}'`],
    ['mark events as sent', 'provisioner', `update outbox set sent_at = ${AT}`],
    ['remove events', 'provisioner', 'delete from outbox'],
    ['count the events of an account', 'provisioner', `insert into event_sequences values ('payment', '1', 9)`],
    ['deliver to the api', 'provisioner', inboxRow('api', 'deployment.created', 2)],
    ['deliver an event that was never sent', 'api', inboxRow('provisioner', 'deployment.created', 9)],
    ['deliver an event that was never sent', 'billing', inboxRow('provisioner', 'deployment.created', 9)],
    [
      'deliver a real event under another name',
      'billing',
      inboxRow('provisioner', 'deployment.created', 2, { event_name: 'deployment.deletion_requested' }),
    ],
    [
      'deliver a real event to another aggregate',
      'billing',
      inboxRow('provisioner', 'deployment.created', 2, { aggregate_id: '7' }),
    ],
    [
      'deliver a real event at another position',
      'api',
      inboxRow('provisioner', 'deployment.created', 2, { sequence: 2 }),
    ],
    [
      'deliver a real event in another stream',
      'api',
      inboxRow('provisioner', 'deployment.created', 2, { stream: 'payment' }),
    ],
    ['rewrite a delivery', 'billing', `update inbox set envelope = '{}'`],
    ['remove deliveries', 'provisioner', 'delete from inbox'],
    [
      'move the position of another service',
      'provisioner',
      `insert into inbox_positions values ('api', 'payment', '1', 9)`,
    ],
    ['queue an email', 'provisioner', workRow('send-mail')],
    ['start a run', 'api', workRow('run')],
    ['schedule work', 'billing', workRow('run')],
    ['audit an action of a user', 'provisioner', auditRow('server.loss_confirmed', '1')],
    ['audit an action as an administrator', 'provisioner', auditRow('server.loss_confirmed', 'null', { reason: 'x' })],
    ['write to the activity of another user', 'provisioner', auditRow('server.loss_confirmed', 'null', { account: 1 })],
    ['consume account numbers', 'provisioner', `select nextval('users_id_seq')`],
    ['consume account numbers', 'billing', `select nextval('users_id_seq')`],
    ['audit an action of another service', 'provisioner', auditRow('balance.adjusted', 'null')],
    ['audit an action', 'billing', auditRow('balance.adjusted', 'null')],
  ])('%s: denied to the %s', async (_, service, statement) => {
    expect(await tried(service, statement)).toMatch(NOTHING_OF_OTHERS);
  });

  it.each<[string, Service, string, number]>([
    ['sees no second factor', 'provisioner', 'select 1 from secrets', 2],
    ['sees events of the streams it reads', 'provisioner', 'select 1 from outbox', 1],
    ['sees its own deliveries', 'provisioner', 'select 1 from inbox', 0],
    ['sees its own work', 'provisioner', 'select 1 from work', 1],
    ['sees how many events it has sent', 'provisioner', 'select 1 from event_sequences', 1],
    ['audits the numbers of all events', 'billing', 'select 1 from event_sequences', 3],
    ['ends its own work', 'provisioner', 'delete from work', 1],
    ['ends its own work', 'api', 'delete from work', 1],
    ['removes secrets of deployments', 'provisioner', 'delete from secrets', 1],
    ['removes no unsent event', 'api', 'delete from outbox', 0],
    ['removes no unsent event', 'billing', 'delete from outbox', 0],
  ])('%s: the %s', async (_, service, statement, rows) => {
    expect(await tried(service, statement)).toBe(rows);
  });

  it.each<[string, Service, string]>([
    ['lock a deployment', 'provisioner', 'select 1 from deployments for update'],
    ['lock a deployment', 'billing', 'select 1 from deployments for update'],
    ['store a secret of a deployment', 'provisioner', secretRow('deployment:1')],
    ['store a second factor', 'api', secretRow('two_factor:2')],
    ['report a step', 'provisioner', outboxRow('deployment.step_progressed', 9)],
    ['report a changed status', 'billing', outboxRow('deployment.status_changed', 9)],
    ['process a delivery', 'provisioner', inboxRow('provisioner', 'deployment.created', 2)],
    ['redeliver a missed event to another service', 'api', inboxRow('provisioner', 'deployment.created', 2)],
    ['redeliver a missed event to another service', 'billing', inboxRow('provisioner', 'deployment.created', 2)],
    ['publish', 'billing', `update outbox set sent_at = ${AT} where aggregate_id = '1'`],
    ['request a server check', 'api', workRow('check-vps')],
    ['schedule a run', 'provisioner', workRow('run')],
    ['audit its findings', 'provisioner', auditRow('server.without_owner', 'null')],
    [
      'audit the result for a server',
      'provisioner',
      auditRow('server.reappeared', 'null', { subject: 'deployment:1', account: 1 }),
    ],
  ])('%s: the %s can', async (_, service, statement) => {
    expect(await tried(service, statement)).toBe(1);
  });

  it('matches the table of policies, also after it is applied again', async () => {
    const policies = `select c.oid::int as table, p.oid::int as policy, polname as name from pg_policy p join pg_class c on c.oid = polrelid order by p.oid`;
    const before = await database.sql<{ policy: number; name: string }>(policies);
    expect(before.map(({ name }) => name).sort()).toEqual(
      POLICIES.map(({ role, command }) => `${role}_${command}`).sort(),
    );
    await database.sql(rowSecuritySql());
    expect(await database.sql(policies)).toEqual(before);
    await database.sql(`comment on table secrets is null`);
    await migrate(database.url);
    expect(await database.sql(`select count(*)::int as count from pg_policy`)).toEqual([{ count: POLICIES.length }]);
  });
});

describe('tables of producers and workers', () => {
  it('name a producer for each event', () => {
    const written = SERVICES.flatMap((service) =>
      Object.entries<readonly string[]>(PRODUCERS[service]).flatMap(([stream, names]) =>
        names.map((name) => `${stream} ${name}`),
      ),
    );
    const events = Object.entries(EVENTS).map(([name, { stream }]) => `${stream} ${name}`);
    expect([...new Set(written)].sort()).toEqual(events.sort());
  });

  it('name exactly one service for each kind of work', () => {
    expect(SERVICES.flatMap((service) => [...WORK_OF[service]]).sort()).toEqual([...WORK_NAMES].sort());
  });

  it('restrict no role without a grant, and leave no granted role without a policy', () => {
    for (const { table, role } of POLICIES) {
      const service = SERVICES.find((name) => roleOf(name) === role);
      expect(service === undefined ? undefined : GRANTS[table]?.[service]).toBeTruthy();
    }
  });
});

class Undone extends Error {}

function idOf(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

function outboxRow(name: EventName, n: number, stream: string = EVENTS[name].stream): string {
  return `insert into outbox (event_id, stream, event_name, version, aggregate_id, sequence, shard, correlation_id, occurred_at, data)
    values ('${idOf(n)}', '${stream}', '${name}', 1, '${n}', 1, 0, 'c', ${AT}, '{}')`;
}

function inboxRow(consumer: string, name: EventName, n: number, reported: object = {}): string {
  const { stream, version } = EVENTS[name];
  const envelope = {
    event_id: idOf(n),
    stream,
    event_name: name,
    version,
    aggregate_id: String(n),
    sequence: 1,
    data: {},
    ...reported,
  };
  return `insert into inbox (consumer, event_id, stream, event_name, aggregate_id, sequence, envelope, arrived_at, due_at)
    values ('${consumer}', '${idOf(n)}', '${EVENTS[name].stream}', '${name}', '${n}', 1, '${JSON.stringify(envelope)}', ${AT}, ${AT})`;
}

function workRow(kind: string): string {
  return `insert into work (kind, key, due_at, created_at) values ('${kind}', 'new', ${AT}, ${AT})`;
}

function auditRow(
  action: string,
  actor: string,
  { subject = 's', reason, account }: { subject?: string; reason?: string; account?: number } = {},
): string {
  return `insert into audit_records (actor_user_id, action, subject, facts, at, reason, account_id)
    values (${actor}, '${action}', '${subject}', '{}', ${AT}, ${reason === undefined ? 'null' : `'${reason}'`}, ${account ?? 'null'})`;
}

function secretRow(owner: string): string {
  return `insert into secrets (owner, name, key_id, nonce, ciphertext, created_at) values ('${owner}', 'n', 'k', '', '', ${AT})
    on conflict (owner, name) do update set key_id = 'k2'`;
}
