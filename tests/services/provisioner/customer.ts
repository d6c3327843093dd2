import { CHECK_VPS_WORK, event } from '@moorage/contracts';
import {
  addSshKey,
  Deployments,
  type DeploymentRow,
  endUndo,
  findBackup,
  insertMove,
  keysWanted,
  requestBackup,
  requestChange,
  requestRestore,
  writeConfiguration,
  writeRelease,
} from '@moorage/database';
import { BACKED_UP, envValuesOf, HOUR_MS, iso, type MoveKind, nameOfKey } from '@moorage/domain';
import { Outbox, WorkSchedule } from '@moorage/messaging';
import { type Clock, type Db, type Random, seededRandom, type Tx } from '@moorage/server';
import type { FixtureClock } from './fixture-clock';

/** Writes of the api and billing to the rows that the provisioner reads. */
export interface Customer {
  order(order?: Partial<FixtureOrder>): Promise<number>;
  /** Does the same as the api and writes the status change and the event in one transaction. */
  request(id: number, what: 'delete' | 'restart' | 'retry_dns'): Promise<void>;
  /** Does the same as the api if the server is kept after a delete. */
  deleteKept(id: number, hours: number): Promise<void>;
  /** Does the same as the api, which undoes a delete, or throws if that is no longer possible. */
  restoreDeleted(id: number): Promise<void>;
  /** Does the same as the api for a second delete while the server is kept. */
  removeNow(id: number): Promise<void>;
  /** Does the same as the api for a deployment in progress, by marking it and writing the event. */
  cancel(id: number): Promise<void>;
  /** Does the same as the api and writes the columns, the status change if validation had failed, and the event. */
  changeDomain(id: number, domain: string): Promise<void>;
  /** Does the same as billing for a deployment that ran out of money, by moving or marking it. */
  deplete(id: number): Promise<void>;
  /**
   * Does the same as the api and writes the change, the plain values (null removes one), the status change and the
   * event.
   */
  configure(id: number, values: Readonly<Record<string, string | null>>): Promise<void>;
  /**
   * Does the same as the api before an account is deactivated, by moving or marking the deployment and writing the
   * event.
   */
  prepareDeletion(id: number): Promise<void>;
  /** Does the same as the api and writes the status change and the event in one transaction. */
  handOver(id: number): Promise<void>;
  /**
   * Requests a check of a user's own server as the api does, with the row and the work in one transaction. Returns the
   * check's id.
   */
  requestCheck(address: string, user?: string): Promise<number>;
  /**
   * Does the same as the api and writes the row and the work in one transaction. Returns the backup's id, or null while
   * another backup is in progress.
   */
  backUp(id: number): Promise<number | null>;
  /** Does the same as the api and writes the row and the status change in one transaction. */
  restore(id: number, backupId: number): Promise<void>;
  undoRestore(id: number): Promise<void>;
  /** Does the same as the api and writes the change and the status change in one transaction. */
  resize(id: number, instanceType: string): Promise<void>;
  /** Does the same as the api, which writes the change, the status change and the event. */
  update(id: number, version: string): Promise<void>;
  /** Does the same as the api, which writes the change, the status change and the event. */
  reboot(id: number): Promise<void>;
  /** Orders the new deployment of a move or clone as the api does. Returns its id. */
  moveTo(sourceId: number, order?: Partial<FixtureOrder> & { kind?: MoveKind }): Promise<number>;
  /** Does the same as the api and writes the column and the event in one transaction. */
  changeLevel(id: number, level: 1 | 2 | 3): Promise<void>;
  /** Does the same as the api and writes the keys, their state and the event in one transaction. */
  setKeys(id: number, lines: readonly string[]): Promise<void>;
  row(id: number): Promise<DeploymentRow>;
}

export interface FixtureOrder {
  readonly package: string;
  readonly domain: string | null;
  readonly server_type: 'new' | 'vps';
  readonly address: string;
  readonly provider: string;
  readonly region: string;
  readonly instance_type: string;
  readonly user_id: number;
  readonly support_level: 1 | 2 | 3;
}

export const INSTALLATION = 'installation0001';
export const USER = 1;

export function parts(db: Db, clock: Clock, random: Random) {
  const outbox = new Outbox({ clock, random });
  return { db, outbox, work: new WorkSchedule({ clock }), deployments: new Deployments({ outbox }) };
}

export function customer({ owner, clock }: { owner: Db; clock: FixtureClock }): Customer {
  const ownerParts = parts(owner, clock, seededRandom(7));
  let orders = 0;

  async function locked(tx: Tx, id: number): Promise<DeploymentRow> {
    const row = await ownerParts.deployments.lock(tx, id);
    if (row === null) throw new Error(`no deployment ${id}`);
    return row;
  }

  /** Moves the deployment, or marks it if it is in progress. */
  async function end(
    tx: Tx,
    row: DeploymentRow,
    { by, reason }: { by: 'api' | 'billing'; reason: 'depleted' | 'account' | 'handed_over' },
  ): Promise<void> {
    const { deployments } = ownerParts;
    const ending = { at: clock.at, by };
    if (['CREATING', 'PROVISIONING', 'DNS_VALIDATION', 'RESTARTING'].includes(row.status)) {
      await deployments.markDestroyed(tx, row, { ...ending, reason, billable_to: clock.at });
    } else {
      const changes = { desired: 'destroyed', destroy_reason: reason, billable_to: clock.at } as const;
      await deployments.move(tx, row, { ...ending, to: 'DESTROYING', changes });
    }
  }

  async function interrupt(tx: Tx, row: DeploymentRow): Promise<void> {
    const changes = { restart_from: row.status, failure: null };
    await ownerParts.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at: clock.at, changes });
  }

  const customerOf: Customer = {
    async order({
      package: name = 'pangolin',
      domain = 'example.com',
      server_type = 'new',
      address = '203.0.114.9',
      provider = 'hetzner',
      region = 'fsn1',
      instance_type = 'cpx22',
      user_id = USER,
      support_level = 1,
    } = {}) {
      const own = server_type === 'vps';
      const ref = `ref${String(++orders).padStart(13, '0')}`;
      return owner.tx('order', async (tx) => {
        const [row] = await tx.query<{ id: number }>(
          `insert into deployments (user_id, ref, client_name, client_id, package, server_type, cloud_provider, region, instance_type,
             support_level, instance_hourly_micros, status, domain, admin_subdomain, vps_ip_address, config, created_at, updated_at)
           values ($1, $2, 'captain', $2, $3, $4, $5, $6, $7, $13, 35600, 'CREATING', $8, $9, $10, $11, $12, $12) returning id`,
          [
            user_id,
            ref,
            name,
            server_type,
            own ? null : provider,
            own ? null : region,
            own ? null : instance_type,
            domain,
            domain === null ? null : 'admin',
            own ? address : null,
            JSON.stringify(
              domain === null ? {} : { DOMAIN: domain, EMAIL: 'captain@example.com', ADMIN_SUBDOMAIN: 'admin' },
            ),
            iso(clock.at),
            support_level,
          ],
        );
        if (row === undefined) throw new Error('no row');
        await ownerParts.outbox.append(
          tx,
          event('deployment.created', row.id, { deployment_id: row.id, user_id, package: name, server_type }),
        );
        return row.id;
      });
    },

    request: (id, what) =>
      owner.tx('ask', async (tx) => {
        const row = await locked(tx, id);
        const { deployments, outbox } = ownerParts;
        const facts = { deployment_id: id, user_id: row.user_id };
        switch (what) {
          case 'delete':
            await deployments.move(tx, row, {
              to: 'DESTROYING',
              by: 'api',
              at: clock.at,
              changes: {
                desired: 'destroyed',
                destroy_reason: 'deleted',
                billable_to: clock.at,
                ...(BACKED_UP.includes(row.status) ? { deleted_from: row.status } : {}),
              },
            });
            await outbox.append(tx, event('deployment.deletion_requested', id, { ...facts, reason: 'deleted' }));
            return;
          case 'restart':
            await deployments.move(tx, row, {
              to: 'RESTARTING',
              by: 'api',
              at: clock.at,
              changes: { restart_from: row.status, restarted_at: clock.at },
            });
            await outbox.append(tx, event('deployment.restart_requested', id, facts));
            return;
          case 'retry_dns':
            await deployments.move(tx, row, {
              to: 'DNS_VALIDATION',
              by: 'api',
              at: clock.at,
              changes: { dns_retried_at: clock.at },
            });
            await outbox.append(tx, event('deployment.dns_retry_requested', id, facts));
            return;
        }
      }),

    deleteKept: (id, hours) =>
      owner.tx('delete-kept', async (tx) => {
        const row = await locked(tx, id);
        const undo_until = clock.at + hours * HOUR_MS;
        await ownerParts.deployments.move(tx, row, {
          to: 'DESTROYING',
          by: 'api',
          at: clock.at,
          changes: {
            desired: 'destroyed',
            destroy_reason: 'deleted',
            billable_to: clock.at,
            deleted_from: row.status,
            undo_until,
          },
        });
        const data = { deployment_id: id, user_id: row.user_id, reason: 'deleted' } as const;
        await ownerParts.outbox.append(tx, event('deployment.deletion_requested', id, data));
      }),

    restoreDeleted: (id) =>
      owner.tx('restore-deleted', async (tx) => {
        const row = await locked(tx, id);
        const changes = {
          desired: 'running',
          destroy_reason: null,
          undo_until: null,
          restart_from: row.deleted_from,
          restarted_at: clock.at,
        } as const;
        await ownerParts.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at: clock.at, changes });
      }),

    removeNow: (id) =>
      owner.tx('remove-now', async (tx) => {
        const row = await locked(tx, id);
        await endUndo(tx, id, clock.at);
        const data = { deployment_id: id, user_id: row.user_id, reason: 'deleted' } as const;
        await ownerParts.outbox.append(tx, event('deployment.deletion_requested', id, data));
      }),

    cancel: (id) =>
      owner.tx('cancel', async (tx) => {
        const row = await locked(tx, id);
        const mark = { at: clock.at, by: 'api', reason: 'deleted', billable_to: clock.at } as const;
        await ownerParts.deployments.markDestroyed(tx, row, mark);
        const data = { deployment_id: id, user_id: row.user_id, reason: 'deleted' } as const;
        await ownerParts.outbox.append(tx, event('deployment.deletion_requested', id, data));
      }),

    changeDomain: (id, domain) =>
      owner.tx('change-domain', async (tx) => {
        const { deployments, outbox } = ownerParts;
        const row = await locked(tx, id);
        if (row.status === 'DNS_FAILED')
          await deployments.move(tx, row, {
            to: 'DNS_VALIDATION',
            by: 'api',
            at: clock.at,
            changes: { failure: null },
          });
        await tx.execute(
          `update deployments set domain = $2, config = config || jsonb_build_object('DOMAIN', $2::text), domain_changed_at = $3,
             stack_outdated = true, version = version + 1 where id = $1`,
          [id, domain, iso(clock.at)],
        );
        await tx.execute('delete from dns_checks where deployment_id = $1', [id]);
        await outbox.append(tx, event('deployment.domain_changed', id, { deployment_id: id, user_id: row.user_id }));
      }),

    configure: (id, values) =>
      owner.tx('configure', async (tx) => {
        const row = await locked(tx, id);
        const current = envValuesOf(row);
        const before = Object.fromEntries(Object.keys(values).map((name) => [name, current[name] ?? null]));
        const change = { deploymentId: id, before, after: values, requestedBy: USER, at: clock.at };
        await requestChange(tx, { ...change, kind: 'configuration' });
        await interrupt(tx, row);
        await writeConfiguration(tx, id, values);
      }),

    setKeys: (id, lines) =>
      owner.tx('set-keys', async (tx) => {
        const { user_id: userId } = await locked(tx, id);
        await tx.execute('delete from deployment_ssh_keys where deployment_id = $1', [id]);
        for (const line of lines)
          await addSshKey(tx, { deploymentId: id, name: nameOfKey(line), line, userId, at: clock.at });
        await keysWanted(tx, id, clock.at);
        const data = { deployment_id: id, user_id: userId };
        await ownerParts.outbox.append(tx, event('deployment.ssh_keys_changed', id, data));
      }),

    deplete: (id) =>
      owner.tx('deplete', async (tx) => {
        const row = await locked(tx, id);
        await end(tx, row, { by: 'billing', reason: 'depleted' });
        await ownerParts.outbox.append(
          tx,
          event('balance.depleted', USER, {
            deployment_id: id,
            user_id: USER,
            client_name: row.client_name,
            day: iso(clock.at).slice(0, 10),
            due_at: iso(clock.at),
            amount_micros: '1',
            locked_micros: '0',
          }),
        );
      }),

    prepareDeletion: (id) =>
      owner.tx('prepare-deletion', async (tx) => {
        await end(tx, await locked(tx, id), { by: 'api', reason: 'account' });
        const data = { deployment_id: id, user_id: USER, reason: 'account' } as const;
        await ownerParts.outbox.append(tx, event('deployment.deletion_requested', id, data));
      }),

    handOver: (id) =>
      owner.tx('hand-over', async (tx) => {
        const row = await locked(tx, id);
        await end(tx, row, { by: 'api', reason: 'handed_over' });
        const data = { deployment_id: id, user_id: row.user_id };
        await ownerParts.outbox.append(tx, event('deployment.hand_over_requested', id, data));
      }),

    requestCheck: (address, user = 'root') =>
      owner.tx('ask-check', async (tx) => {
        const [requested] = await tx.query<{ id: number }>(
          'insert into vps_checks (user_id, address, ssh_user, asked_at) values ($1, $2, $3, $4) returning id',
          [USER, address, user, iso(clock.at)],
        );
        if (requested === undefined) throw new Error('no row');
        await ownerParts.work.schedule(tx, { kind: CHECK_VPS_WORK, key: String(requested.id), due_at: clock.at });
        return requested.id;
      }),

    backUp: (id) =>
      owner.tx('back-up', (tx) =>
        requestBackup(tx, ownerParts.work, { deploymentId: id, kind: 'on_request', at: clock.at }),
      ),

    restore: (id, backupId) =>
      owner.tx('restore', async (tx) => {
        const row = await locked(tx, id);
        const backup = await findBackup(tx, backupId);
        if (backup === null) throw new Error(`no backup ${backupId}`);
        await requestRestore(tx, { deploymentId: id, backup, kind: 'in_place', at: clock.at });
        await interrupt(tx, row);
      }),

    resize: (id, instance_type) =>
      owner.tx('resize', async (tx) => {
        const row = await locked(tx, id);
        await requestChange(tx, {
          deploymentId: id,
          kind: 'resize',
          before: { instance_type: row.instance_type, disk_gb: 80, address: row.instance_ip },
          after: { instance_type, disk_gb: 80, grow_disk: false, hourly_micros: '61200' },
          requestedBy: row.user_id,
          at: clock.at,
        });
        await interrupt(tx, row);
      }),

    update: (id, version) =>
      owner.tx('update', async (tx) => {
        const row = await locked(tx, id);
        await requestChange(tx, {
          deploymentId: id,
          kind: 'update',
          before: { release: row.release, version: row.release ?? '1.24.0' },
          after: { release: version },
          requestedBy: row.user_id,
          at: clock.at,
        });
        await interrupt(tx, row);
      }),

    reboot: (id) =>
      owner.tx('reboot', async (tx) => {
        const row = await locked(tx, id);
        const { user_id: requestedBy } = row;
        await requestChange(tx, { deploymentId: id, kind: 'reboot', before: {}, after: {}, requestedBy, at: clock.at });
        await interrupt(tx, row);
      }),

    undoRestore: (id) =>
      owner.tx('undo-restore', async (tx) => {
        const row = await locked(tx, id);
        const [undone] = await tx.query<{ release_before: string | null }>(
          `update restores set state = 'undoing' where deployment_id = $1 and undo_until > $2 returning release_before`,
          [id, iso(clock.at)],
        );
        await interrupt(tx, row);
        if (undone !== undefined) await writeRelease(tx, id, undone.release_before);
      }),

    async moveTo(sourceId, { kind = 'move', ...order } = {}) {
      const { package: name, domain, support_level, user_id } = await customerOf.row(sourceId);
      const targetId = await customerOf.order({
        package: name,
        domain,
        support_level,
        user_id,
        region: 'nbg1',
        ...order,
      });
      await owner.tx('move', (tx) => insertMove(tx, { sourceId, targetId, kind, by: user_id, at: clock.at }));
      return targetId;
    },

    changeLevel: (id, level) =>
      owner.tx('change-level', async (tx) => {
        const row = await locked(tx, id);
        await tx.execute('update deployments set support_level = $2, version = version + 1 where id = $1', [id, level]);
        const data = { deployment_id: id, user_id: row.user_id, from_level: row.support_level, to_level: level };
        await ownerParts.outbox.append(tx, event('deployment.support_level_changed', id, data));
      }),

    row: (id) => owner.tx('row', (tx) => locked(tx, id)),
  };
  return customerOf;
}
