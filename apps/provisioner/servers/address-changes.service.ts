import { event } from '@moorage/contracts';
import { appliedDomains, auditLog, type DeploymentRow, Deployments, type Server } from '@moorage/database';
import { type DeploymentStatus, HOUR_MS, type Instant, iso } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { Clock, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { StackService } from '../stacks/stack.service';
import { LOSABLE } from './lost-servers';
import { noteServer } from '../server-store/server-store';

/** Minimum time between two address changes that are followed. Owners do not change records twice an hour. */
const AGAIN_MS = HOUR_MS;

/** Statuses in which the records point to the previous address, or did at the last check. */
const RECORDS_ARE_SET: readonly DeploymentStatus[] = ['READY', 'DNS_FAILED'];

interface KnownServer extends Pick<Server, 'provider' | 'moved_to' | 'address_changed_at'> {
  readonly address: string;
}

/** Detects running servers whose provider reports another public address than the stored address. */
@Injectable()
export class AddressChanges {
  constructor(
    private readonly clock: Clock,
    private readonly deployments: Deployments,
    private readonly outbox: Outbox,
    private readonly stacks: StackService,
    private readonly log: Log,
  ) {}

  /**
   * Records the address at which a running server was reported. A different address is followed if it is reported twice
   * in a row, at most once an hour. The host key stays pinned, so another server at the address gets no session. With a
   * domain, the records are validated again. Charges continue.
   */
  async seen(tx: Tx, deploymentId: number, address: string): Promise<void> {
    const row = await this.deployments.lock(tx, deploymentId);
    if (row === null || !(LOSABLE.includes(row.status) || row.status === 'RESTARTING')) return;
    const server = await lockServer(tx, deploymentId);
    if (server === undefined) return;
    if (address === server.address) return noteMove(tx, deploymentId, null);
    if (address !== server.moved_to) return noteMove(tx, deploymentId, address);
    const now = await this.clock.now(tx);
    if (server.address_changed_at !== null && now < server.address_changed_at + AGAIN_MS) return;
    await this.change(tx, row, server, { to: address, at: now });
    if (row.domain === null || !RECORDS_ARE_SET.includes(row.status))
      return noteServer(tx, deploymentId, { instance_ip: address });
    await this.deployments.move(tx, row, {
      to: 'DNS_VALIDATION',
      by: 'provisioner',
      at: now,
      changes: { instance_ip: address, failure: null },
    });
  }

  /**
   * Records the address that the provider returned for a change of ours, which needs no second report. The run of the
   * change validates the records.
   */
  async follow(tx: Tx, row: DeploymentRow, address: string): Promise<void> {
    const server = await lockServer(tx, row.id);
    if (server === undefined || server.address === address) return;
    await this.change(tx, row, server, { to: address, at: await this.clock.now(tx) });
    await noteServer(tx, row.id, { instance_ip: address });
  }

  private async change(
    tx: Tx,
    row: DeploymentRow,
    server: KnownServer,
    { to: address, at: now }: { to: string; at: Instant },
  ): Promise<void> {
    const { id: deploymentId } = row;
    await tx.execute(
      'update servers set address = $3::inet, moved_to = null, address_changed_at = $2 where deployment_id = $1',
      [deploymentId, iso(now), address],
    );
    const change = { provider: server.provider, from: server.address, to: address };
    this.log.warn('server address changed', { deployment_id: deploymentId, ...change });
    await auditLog.record(tx, {
      action: 'server.address_changed',
      subject: `deployment:${deploymentId}`,
      facts: change,
      at: now,
    });
    const further = await appliedDomains(tx, deploymentId);
    const hosts = row.domain === null ? [] : [...this.stacks.hosts(row).map(({ host }) => host), ...further];
    await this.outbox.append(
      tx,
      event('deployment.address_changed', deploymentId, {
        deployment_id: deploymentId,
        user_id: row.user_id,
        client_name: row.client_name,
        from: server.address,
        to: address,
        hosts,
      }),
    );
  }
}

async function lockServer(tx: Tx, deploymentId: number): Promise<KnownServer | undefined> {
  const [server] = await tx.query<KnownServer>(
    `select provider, host(address) as address, host(moved_to) as moved_to, address_changed_at
     from servers where deployment_id = $1 and state = 'exists' and address is not null for update`,
    [deploymentId],
  );
  return server;
}

/** Updates the row only if the address differs. */
async function noteMove(tx: Tx, deploymentId: number, movedTo: string | null): Promise<void> {
  await tx.execute(
    'update servers set moved_to = $2::inet where deployment_id = $1 and moved_to is distinct from $2::inet',
    [deploymentId, movedTo],
  );
}
