import type { NewDeployment } from '@moorage/contracts';
import { Alerts } from '@moorage/database';
import {
  againIn,
  asciiDomain,
  CERTIFICATE_WINDOW_MS,
  certificateRoom,
  clientNames,
  configurableEnv,
  DomainError,
  type Instant,
  iso,
  isPlatformNameFree,
  joined,
  type NameContext,
  offersPlatformName,
  ORDER_MESSAGES,
  PLATFORM_SUFFIX_LENGTH,
  type PackageConfig,
  platformLabel,
  platformLabelWith,
  SAME_CERTIFICATES_MAX,
  SECOND_MS,
} from '@moorage/domain';
import { Random, type Reads, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { orderNames } from './order-names';

interface NamedOrder {
  readonly userId: number;
  readonly email: string;
  readonly body: NewDeployment;
  readonly config: PackageConfig;
  /** Deployment that is ordered again, whose name the new one may get. */
  readonly source?: { readonly id: number; readonly shared: boolean } | undefined;
  readonly at: Instant;
}

/** Names tried with a random suffix. Their number only limits a broken random generator. */
const SUFFIXES = 5;

/** Gives names below the platform domain to deployments that are ordered without a domain. */
@Injectable()
export class PlatformNames {
  constructor(
    private readonly random: Random,
    private readonly settings: ApiSettings,
    private readonly alerts: Alerts,
  ) {}

  /** Returns the names that may be entered for a deployment. Of the platform's, this is only its own. */
  async allowedFor(tx: Reads, deploymentId: number): Promise<NameContext> {
    return { ...orderNames(this.settings), platformName: await this.nameOf(tx, deploymentId) };
  }

  /** Returns the name that a deployment has from the platform, or null. */
  async nameOf(tx: Reads, deploymentId: number): Promise<string | null> {
    const [row] = await tx.query<{ name: string }>(
      'select name from platform_names where deployment_id = $1 and released_at is null order by given_at desc limit 1',
      [deploymentId],
    );
    return row?.name ?? null;
  }

  /**
   * Returns the order with its domain, and the platform's name if it has one. A move shares the name of its source. Any
   * other repeated order gets a name of its own, the previous one if it is free again. Call `assign` once the
   * deployment exists.
   */
  async give(tx: Tx, order: NamedOrder): Promise<{ readonly body: NewDeployment; readonly name: string | null }> {
    const { body, config, source } = order;
    const { platform } = this.settings;
    const requested = configurableEnv(config).some(({ name }) => name === 'DOMAIN');
    if (platform === null || !requested) return { body, name: null };
    const domain = asciiDomain(body.domain ?? '');
    const before = source === undefined || domain === '' ? null : await this.lastNameOf(tx, source.id);
    if (domain !== '' && domain !== before) return { body, name: null };
    if (before !== null && source?.shared === true) return { body, name: before };
    if (!offersPlatformName(platform, body.server_type)) return { body: { ...body, domain: null }, name: null };
    const name = await this.claim(tx, order, before);
    return { body: { ...body, domain: name }, name };
  }

  /**
   * Records the deployment that has the name, and the certificates that it will request. In a move, the name passes to it
   * when its records are set. Throws PLATFORM_DOMAIN_FULL if the authority's limit leaves no room.
   */
  async assign(tx: Tx, named: { name: string; deploymentId: number; hosts: readonly string[]; at: Instant }) {
    const { name, deploymentId, hosts, at } = named;
    await this.refuseWithoutRoom(tx, hosts.length, at);
    await tx.execute('update platform_names set deployment_id = $2 where name = $1 and deployment_id is null', [
      name,
      deploymentId,
    ]);
    await tx.execute(
      'insert into platform_certificates (host, requested_at) select host, $2 from unnest($1::text[]) host',
      [hosts, iso(at)],
    );
  }

  /** Serialises the orders, so that they count each other's certificates. */
  private async refuseWithoutRoom(tx: Tx, needed: number, at: Instant): Promise<void> {
    const { domain: zone = '', certificatesPerWeek: limit = 0 } = this.settings.platform ?? {};
    if (limit === 0) return;
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('moorage.platform-certificates', 0))`);
    const rows = await tx.query<{ requested_at: Instant }>(
      'select requested_at from platform_certificates where requested_at > $1 order by requested_at desc limit $2',
      [iso(at - CERTIFICATE_WINDOW_MS), limit],
    );
    const requested = rows.map(({ requested_at }) => requested_at);
    const { possibleAt, scarce } = certificateRoom({ limit, requested, needed, now: at });
    const kind = 'platform_certificates';
    if (scarce) await this.alerts.raise(tx, { kind, facts: { used: requested.length + needed, limit } });
    else await this.alerts.resolve(tx, { kind });
    if (possibleAt === null) return;
    const again = againIn(Math.ceil((possibleAt - at) / SECOND_MS));
    throw new DomainError('PLATFORM_DOMAIN_FULL', joined([ORDER_MESSAGES.platform_domain_full({ zone }), again]), {
      possible_at: iso(possibleAt),
    });
  }

  private async lastNameOf(tx: Tx, deploymentId: number): Promise<string | null> {
    const [row] = await tx.query<{ name: string }>(
      `select n.name from platform_names n join deployments d on d.id = n.deployment_id and d.domain = n.name where d.id = $1`,
      [deploymentId],
    );
    return row?.name ?? null;
  }

  private async claim(tx: Tx, { userId, email, body, config, at }: NamedOrder, before: string | null): Promise<string> {
    const clientName = body.client_name ?? clientNames({ email, package: config.name, now: at }).client_name;
    const domain = this.settings.platform?.domain ?? '';
    const label = platformLabel(clientName);
    const names = [before, label === null ? null : `${label}.${domain}`].filter((name) => name !== null);
    for (const name of names) if (await this.take(tx, { name, userId, at })) return name;
    for (let tries = 0; tries < SUFFIXES; tries++) {
      const name = `${platformLabelWith(clientName, this.random.text(PLATFORM_SUFFIX_LENGTH))}.${domain}`;
      if (await this.take(tx, { name, userId, at })) return name;
    }
    throw new Error('no free platform name was found');
  }

  private async take(tx: Tx, { name, userId, at }: { name: string; userId: number; at: Instant }): Promise<boolean> {
    // Deployments that are older than the setting may have such a name as their own domain.
    const used = await tx.query(
      `select 1 from deployments where domain = $1 and status not in ('DESTROYED', 'DELETED')
         and not exists (select from platform_names n where n.name = $1)
       union all select 1 from deployment_domains where host = $1 limit 1`,
      [name],
    );
    if (used.length > 0) return false;
    // The authority issues the same certificate only a few times.
    const [same] = await tx.query(
      `select host from platform_certificates where (host = $1 or right(host, length($1) + 1) = '.' || $1)
         and requested_at > $2 group by host having count(*) >= ${SAME_CERTIFICATES_MAX} limit 1`,
      [name, iso(at - CERTIFICATE_WINDOW_MS)],
    );
    if (same !== undefined) return false;
    const inserted = await tx.execute(
      'insert into platform_names (name, account_id, given_at) values ($1, $2, $3) on conflict (name) do nothing',
      [name, userId, iso(at)],
    );
    if (inserted > 0) return true;
    const [row] = await tx.query<{ account_id: number; released_at: Instant | null }>(
      'select account_id, released_at from platform_names where name = $1 for update',
      [name],
    );
    const given = row === undefined ? null : { accountId: row.account_id, releasedAt: row.released_at };
    if (given === null || !isPlatformNameFree(given, { to: userId, at })) return false;
    await tx.execute(
      `update platform_names set account_id = $2, deployment_id = null, given_at = $3, released_at = null where name = $1`,
      [name, userId, iso(at)],
    );
    return true;
  }
}
