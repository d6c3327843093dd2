import {
  type DeploymentAnswer,
  type DeploymentSizesAnswer,
  event,
  RESIZE_CALLS,
  type ResizeQuoteAnswer,
} from '@moorage/contracts';
import { type DeploymentRow, Deployments, requestChange, type Server } from '@moorage/database';
import {
  CONSTANTS,
  dailyPrice,
  DomainError,
  effectOfSize,
  hourlyPrice,
  type InstanceType,
  isoOrNull,
  type Message,
  Money,
  ORDER_MESSAGES,
  refusalToResize,
  RESIZE_MESSAGES,
  resizeRules,
  type SizeChangeEffect,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { Catalogues } from '../catalogue/catalogues.service';
import { PackageManifests } from '../catalogue/packages';
import { FieldsInvalid } from '../http/field-problems';
import { Idempotency } from '../http/idempotency.service';
import { DeploymentActs } from './deployment-acts.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { notFound, ownerOf, viewDeployment, type Viewer } from './deployment-view';
import { refuseOtherPrice } from './place-order.use-case';
import { refuseAction } from './refuse-action';
import { UsualDurations } from './usual-durations.service';

type Resized = Pick<
  DeploymentRow,
  | 'id'
  | 'package'
  | 'server_type'
  | 'cloud_provider'
  | 'region'
  | 'instance_type'
  | 'support_level'
  | 'status'
  | 'deleted_at'
>;

/** A size of the server's region, with its price and the reason why the server can't get it. */
interface Candidate {
  readonly type: InstanceType;
  readonly hourly: Money;
  readonly refusal: Message | null;
}

/** Facts about a server that may get another size. */
interface Sizes {
  readonly provider: string;
  readonly current: string;
  readonly diskGb: number | null;
  readonly candidates: readonly Candidate[];
  readonly effectOf: (to: InstanceType, growDisk: boolean) => SizeChangeEffect;
}

interface Wanted {
  readonly viewer: Viewer;
  readonly id: number;
  readonly instanceType: string;
  readonly growDisk: boolean;
}

/** Changes the size of a running deployment's server (decisions 52). The provisioner carries it out. */
@Injectable()
export class ResizeDeployment {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly acts: DeploymentActs,
    private readonly outbox: Outbox,
    private readonly ledger: Ledger,
    private readonly deployments: Deployments,
    private readonly idempotency: Idempotency,
    private readonly packages: PackageManifests,
    private readonly catalogues: Catalogues,
    private readonly promises: BackupPromises,
    private readonly durations: UsualDurations,
    private readonly answers: DeploymentAnswers,
  ) {}

  list({ viewer, id }: Pick<Wanted, 'viewer' | 'id'>): Promise<DeploymentSizesAnswer> {
    return this.db.tx('deployments.list-sizes', async (tx) => {
      const { provider, current, diskGb, candidates } = await this.sizesOf(tx, await viewDeployment(tx, id, viewer));
      return {
        instance_type: current,
        disk_gb: diskGb,
        disk: resizeRules(provider)?.disk ?? 'separate',
        sizes: candidates.map(({ type, hourly, refusal }) => ({
          name: type.name,
          display_name: type.displayName,
          cpu: type.cpu,
          memory: type.memoryGb,
          disk_gb: type.diskGb ?? null,
          hourly_cost: hourly.toWire(),
          daily_cost: dailyPrice(hourly).toWire(),
          refusal,
        })),
      };
    });
  }

  quote({ viewer, id, instanceType, growDisk }: Wanted): Promise<ResizeQuoteAnswer> {
    return this.db.tx('deployments.quote-resize', async (tx) => {
      const at = await this.clock.now(tx);
      const row = await viewDeployment(tx, id, viewer);
      const sizes = await this.sizesOf(tx, row);
      const { type } = wantedOf(sizes, instanceType);
      const effect = sizes.effectOf(type, growDisk);
      const { hourly, daily, today, needed, available, runsUntil } = await this.ledger.quoteRate(tx, {
        userId: row.user_id,
        deploymentId: id,
        baseHourly: type.hourlyCost,
        at,
      });
      const usual = await this.durations.of(tx, { plan: 'resize', provider: sizes.provider, name: 'resize-server' });
      return {
        instance_type: type.name,
        hourly_cost: hourly.toWire(),
        daily_cost: daily.toWire(),
        today: today.toWire(),
        needed: needed.toWire(),
        available: available.toWire(),
        runs_until: { now: isoOrNull(runsUntil.now), then: isoOrNull(runsUntil.then) },
        backs_up: this.promises.areOn(row),
        unreachable_s: Math.ceil((usual?.median ?? CONSTANTS.resizeUsualMs) / 1_000),
        address_may_change: effect.addressMayChange,
        disk_gb: effect.diskGb,
        way_back: effect.wayBack,
      };
    });
  }

  /** Checks the balance and starts the resize. The price changes only when the provider has confirmed the size. */
  resize({
    viewer,
    id,
    instanceType,
    growDisk,
    expectedHourly,
    reason,
    key,
  }: Wanted & {
    expectedHourly: number;
    reason?: string | null | undefined;
    key: string | null;
  }): Promise<DeploymentAnswer> {
    const call = RESIZE_CALLS.resize;
    const what = [call.method, call.path, { id, instanceType, growDisk, expectedHourly }];
    const request = this.idempotency.keyed({ userId: viewer.userId, key, call, what });
    return this.idempotency.tx('deployments.resize', request, async (tx, at) => {
      const userId = await ownerOf(tx, id, viewer);
      // Settled first, because an amount due by now may end this deployment.
      await this.ledger.settleAccount(tx, { userId, at });
      const row = await this.deployments.lock(tx, id);
      if (row === null) throw notFound();
      const sizes = await this.sizesOf(tx, row);
      const { type, hourly } = wantedOf(sizes, instanceType);
      refuseOtherPrice(hourly, expectedHourly);
      await this.ledger.admitSize(tx, { userId, deploymentId: id, baseHourly: type.hourlyCost, at });
      // The proof of the ledger compares the price with this record.
      const facts = { instance_type: type.name, hourly_micros: type.hourlyCost.micros.toString() };
      await this.acts.begin(tx, { id, viewer, action: 'deployment.resized', facts, reason });
      await requestChange(tx, {
        deploymentId: id,
        kind: 'resize',
        before: { instance_type: sizes.current, disk_gb: sizes.diskGb, address: row.instance_ip },
        after: { ...facts, disk_gb: sizes.effectOf(type, growDisk).diskGb, grow_disk: growDisk },
        requestedBy: viewer.userId,
        at,
      });
      const changes = { restart_from: row.status, failure: null };
      await this.deployments.move(tx, row, { to: 'RESTARTING', by: 'api', at, changes });
      const data = { deployment_id: id, user_id: userId, kind: 'resize' } as const;
      await this.outbox.append(tx, event('deployment.change_requested', id, data));
      return this.answers.read(tx, id, viewer);
    });
  }

  /** Throws DEPLOYMENT_STATE unless the deployment may get another size in its status. */
  private async sizesOf(tx: Tx, row: Resized): Promise<Sizes> {
    const { cloud_provider: provider, region, instance_type: current } = row;
    if (row.server_type === 'vps' || provider === null || region === null || current === null)
      throw new DomainError('DEPLOYMENT_STATE', RESIZE_MESSAGES.own_server);
    await refuseAction(tx, row, 'resize');
    const config = this.packages.find(row.package);
    if (config === null) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.package_unknown);
    const types = (await this.catalogues.load(tx, provider)).instanceTypes(provider, region) ?? [];
    const from = types.find(({ name }) => name === current) ?? null;
    const [server] = await tx.query<Pick<Server, 'disk_gb'>>('select disk_gb from servers where deployment_id = $1', [
      row.id,
    ]);
    const facts = {
      provider,
      diskGb: server?.disk_gb ?? from?.diskGb ?? null,
      package: { name: config.display_name, needs: config.requires },
    };
    const known = from ?? { name: current, cpu: 0, memoryGb: 0 };
    return {
      ...facts,
      current,
      candidates: types.map((type) => ({
        type,
        hourly: hourlyPrice({ baseHourly: type.hourlyCost, supportLevel: row.support_level }),
        refusal: refusalToResize({ ...facts, from: known, to: type }),
      })),
      effectOf: (to, growDisk) => effectOfSize({ ...facts, from, to, growDisk }),
    };
  }
}

/** Returns the wanted size. Throws FIELDS_INVALID if the server can't get it. */
function wantedOf({ candidates }: Sizes, instanceType: string): Candidate {
  const wanted = candidates.find(({ type }) => type.name === instanceType);
  const message = wanted === undefined ? ORDER_MESSAGES.size_unknown : wanted.refusal;
  if (wanted === undefined || message !== null)
    throw new FieldsInvalid([{ path: 'instance_type', message: message ?? ORDER_MESSAGES.size_unknown }]);
  return wanted;
}
