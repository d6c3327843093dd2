import { type DeploymentAnswer, deploymentSecrets, event, type NewDeployment } from '@moorage/contracts';
import { addSshKey, auditLog, keysWanted, type Deployment } from '@moorage/database';
import {
  ACCESS_MESSAGES,
  basePrice,
  checkDraft,
  clientNames,
  CONSTANTS,
  DomainError,
  envValues,
  hourlyPrice,
  type Instant,
  iso,
  Money,
  nameOfKey,
  ORDER_MESSAGES,
  type PackageConfig,
  refusalToCreate,
  refuse,
  refuseFailedCreations,
  releaseForNew,
  wantedNames,
} from '@moorage/domain';
import { Ledger } from '@moorage/ledger';
import { Outbox } from '@moorage/messaging';
import { Random, Secrets, type Tx, violatedConstraint } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { instanceHourlyOf } from '../catalogue/catalogue.service';
import { Catalogues } from '../catalogue/catalogues.service';
import { PackageManifests } from '../catalogue/packages';
import { ReleaseOffers } from '../catalogue/release-offers.service';
import type { Caller } from '../http/call-input';
import { FieldsInvalid, ListedRefusal } from '../http/field-problems';
import { addressInUse } from '../servers/address-in-use';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { orderNames } from './order-names';
import { PlatformNames } from './platform-names.service';
import { DeploymentAnswers } from './deployment-answers.service';
import { POSTGRES_PASSWORD } from './deployment-view';

export interface Order {
  readonly caller: Caller;
  readonly body: NewDeployment;
  readonly at: Instant;
  /** Release of the data that it gets, if that comes from another deployment. By default the newest. */
  readonly release?: string | null;
  /** Deployment that is ordered again. A `shared` platform name passes to the new one when its records are set. */
  readonly source?: { readonly id: number; readonly shared: boolean };
}

/** Steps common to all orders. */
@Injectable()
export class PlaceOrder {
  constructor(
    private readonly random: Random,
    private readonly outbox: Outbox,
    private readonly ledger: Ledger,
    private readonly secrets: Secrets,
    private readonly packages: PackageManifests,
    private readonly catalogues: Catalogues,
    private readonly settings: ApiSettings,
    private readonly answers: DeploymentAnswers,
    private readonly offers: ReleaseOffers,
    private readonly platformNames: PlatformNames,
  ) {}

  /** Serialises the orders of this account. Throws for a deactivated account. */
  async begin(tx: Tx, userId: number): Promise<void> {
    await this.ledger.lock(tx, userId);
    await refuseDeactivated(tx, userId);
  }

  /** Turns a draft into a row in CREATING and records the first price and the event. Call `begin` first. */
  async place(tx: Tx, { caller, body: ordered, at, release: given, source }: Order): Promise<DeploymentAnswer> {
    const { userId, email } = caller;
    const config = this.packages.find(ordered.package ?? '');
    const { body, name: platformName } =
      config === null
        ? { body: ordered, name: null }
        : await this.platformNames.give(tx, { userId, email, body: ordered, config, source, at });
    const catalogue = await this.catalogues.load(tx, body.cloud_provider ?? '');
    const problems = checkDraft(body, {
      config,
      catalogue,
      allowedCidrs: this.settings.vpsAllowedCidrs,
      names: { ...orderNames(this.settings), platformName },
    });
    if (config === null || problems.length > 0) throw new FieldsInvalid(problems);
    await refuseTooMany(tx, userId);
    refuseFailedCreations(await failedCreations(tx, { userId, at }), at);
    if (body.server_type === 'vps')
      await refuseUncheckedAddress(tx, { userId, address: body.vps_ip_address ?? '', at });
    const instanceHourly = instanceHourlyOf(body, catalogue);
    const serverType = body.server_type === 'vps' ? 'vps' : 'new';
    const baseHourly = basePrice({ serverType, instanceHourly });
    const hourly = hourlyPrice({ baseHourly, supportLevel: body.support_level });
    refuseOtherPrice(hourly, body.expected_hourly_cost);
    const refusal = refusalToCreate(await this.ledger.planCreate(tx, { userId, at }), hourly, {
      creditOnlyMaxHourly: Money.of(this.settings.creditOnlyMaxHourly),
    });
    if (refusal !== null) throw refuse(refusal);

    const { isOffered } = await this.offers.of(tx, config, { userId, ref: null });
    const release = given === undefined ? (releaseForNew(config.releases, isOffered)?.version ?? null) : given;
    const ref = this.random.text(16);
    const id = await insertDeployment(tx, { caller, body, config, release, instanceHourly, ref, at });
    if (platformName !== null) {
      const wanted = wantedNames(config, envValues(body, config).plain);
      const hosts = wanted.filter(({ row: { tls } }) => tls).map(({ host }) => host);
      await this.platformNames.assign(tx, { name: platformName, deploymentId: id, hosts, at });
    }
    await this.ledger.openMeter(tx, {
      userId,
      deploymentId: id,
      supportLevel: body.support_level,
      baseHourly,
      at,
    });
    if (body.user_ssh_key !== null) {
      const line = body.user_ssh_key;
      await addSshKey(tx, { deploymentId: id, name: nameOfKey(line), line, userId, at });
      await keysWanted(tx, id, at);
    }
    const { secret } = envValues(body, config);
    for (const [name, value] of Object.entries(secret)) await this.secrets.put(tx, deploymentSecrets(id), name, value);
    if (body.postgres_password !== null)
      await this.secrets.put(tx, deploymentSecrets(id), POSTGRES_PASSWORD, body.postgres_password);
    await this.outbox.append(
      tx,
      event('deployment.created', id, {
        deployment_id: id,
        user_id: userId,
        package: config.name,
        server_type: serverType,
      }),
    );
    await auditLog.record(tx, {
      actor: userId,
      action: 'deployment.ordered',
      subject: `deployment:${id}`,
      accountId: userId,
      facts: {},
      at,
    });
    return this.answers.read(tx, id, caller);
  }

  /** Maps the violation of the unique index to VPS_IN_USE when two accounts order the same address concurrently. */
  async orAddressInUse<A>(order: Promise<A>): Promise<A> {
    try {
      return await order;
    } catch (error) {
      if (violatedConstraint(error) === 'deployments_one_per_address') throw inUse();
      throw error;
    }
  }
}

/** Throws PRICE_CHANGED if the user was shown a different price from the one that would be charged. */
export function refuseOtherPrice(hourly: Money, expected: number | undefined): void {
  const hourly_cost = hourly.toWire();
  if (expected === undefined || expected === hourly_cost) return;
  const reason = ORDER_MESSAGES.price_changed({ before: String(expected), now: String(hourly_cost) });
  throw new DomainError('PRICE_CHANGED', reason, { expected_hourly_cost: expected, hourly_cost });
}

/**
 * Returns the times of failed creations, including those cancelled before they cost anything. Counts runs, so that a
 * deployment counts even if its owner deletes it afterwards.
 */
async function failedCreations(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<Instant[]> {
  const rows = await tx.query<{ finished_at: Instant }>(
    `select r.finished_at from deployments d join runs r on r.deployment_id = d.id
     where d.user_id = $1 and r.plan = 'create' and r.finished_at > $2
       and (r.state = 'failed' or (r.state = 'cancelled' and d.billable_from is null and d.destroy_reason = 'deleted'))
     order by r.finished_at desc limit ${CONSTANTS.failedCreationsMax + 1}`,
    [userId, iso(at - CONSTANTS.failedCreationsWindowMs)],
  );
  return rows.map(({ finished_at }) => finished_at);
}

/** Rejects orders for accounts that were deactivated in the meantime. */
async function refuseDeactivated(tx: Tx, userId: number): Promise<void> {
  const isActive = await usersRepository.exists(tx, userId, { state: 'active' });
  if (!isActive) throw new DomainError('UNAUTHENTICATED', ACCESS_MESSAGES.session_ended);
}

async function refuseTooMany(tx: Tx, userId: number): Promise<void> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::int as count from deployments where user_id = $1 and status not in ('DESTROYED', 'DELETED')`,
    [userId],
  );
  const most = CONSTANTS.deploymentsPerAccountMax;
  if ((row?.count ?? 0) < most) return;
  throw new DomainError('DEPLOYMENT_LIMIT', ORDER_MESSAGES.deployments_most({ most }));
}

/** Throws unless the latest check of the server passed recently (decisions 26). */
async function refuseUncheckedAddress(
  tx: Tx,
  { userId, address, at }: { userId: number; address: string; at: Instant },
): Promise<void> {
  if (await addressInUse(tx, address)) throw inUse();
  const [last] = await tx.query<{ state: string; answered_at: Instant }>(
    `select state, answered_at from vps_checks where user_id = $1 and address = $2::inet and state <> 'asked' order by id desc limit 1`,
    [userId, address],
  );
  const fresh = last !== undefined && last.state === 'passed' && at - last.answered_at < CONSTANTS.vpsCheckValidMs;
  if (fresh) return;
  const message = ORDER_MESSAGES.check_first;
  throw new ListedRefusal('VPS_CHECK_NEEDED', message, [{ path: 'vps_ip_address', message }]);
}

function inUse(): ListedRefusal {
  const message = ORDER_MESSAGES.address_in_use;
  return new ListedRefusal('VPS_IN_USE', message, [{ path: 'vps_ip_address', message }]);
}

async function insertDeployment(
  tx: Tx,
  order: {
    caller: Caller;
    body: NewDeployment;
    config: PackageConfig;
    release: string | null;
    instanceHourly: Money;
    ref: string;
    at: Instant;
  },
): Promise<number> {
  const { caller, body, config, release, instanceHourly, ref, at } = order;
  const { plain } = envValues(body, config);
  const names = clientNames({ email: caller.email, package: config.name, now: at });
  const own = body.server_type === 'vps';
  const columns = {
    user_id: caller.userId,
    ref,
    client_name: body.client_name ?? names.client_name,
    client_id: body.client_id ?? names.client_id,
    package: config.name,
    release,
    server_type: own ? 'vps' : 'new',
    cloud_provider: own ? null : body.cloud_provider,
    region: own ? null : body.region,
    instance_type: own ? null : body.instance_type,
    support_level: body.support_level,
    instance_hourly_micros: instanceHourly.micros,
    status: 'CREATING',
    vps_ip_address: own ? body.vps_ip_address : null,
    domain: plain.DOMAIN ?? null,
    admin_subdomain: plain.ADMIN_SUBDOMAIN ?? null,
    static_page_subdomain: plain.STATIC_PAGE_SUBDOMAIN ?? null,
    komodo_host_ip: plain.KOMODO_HOST_IP ?? null,
    config: JSON.stringify(plain),
    user_ssh_key: body.user_ssh_key,
    postgres_host: body.postgres_host,
    postgres_user: body.postgres_user,
    github_repo: body.github_repo,
    created_at: iso(at),
    updated_at: iso(at),
  } satisfies Partial<Record<keyof Deployment, unknown>>;
  const places = Object.keys(columns).map((_, index) => `$${index + 1}`);
  const [row] = await tx.query<Pick<Deployment, 'id'>>(
    `insert into deployments (${Object.keys(columns).join(', ')}) values (${places.join(', ')}) returning id`,
    Object.values(columns),
  );
  if (row === undefined) throw new Error('the deployment insert returned no row');
  return row.id;
}
