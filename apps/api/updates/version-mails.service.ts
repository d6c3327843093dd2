import type { ReleaseFacts } from '@moorage/contracts';
import {
  claimVersionCheck,
  endVersionNotices,
  noteAnnounced,
  noteSupportNotice,
  ownersToCheck,
  type User,
  type VersionedDeployment,
  versionedDeployments,
} from '@moorage/database';
import {
  actionsOf,
  ANNOUNCED_EVERY_MS,
  announcement,
  dayOf,
  dueSupportNotice,
  HOUR_MS,
  type Instant,
  isMailed,
  iso,
  type Language,
  LANGUAGES,
  nextRelease,
  RELEASE_KINDS,
  type ReleaseKind,
  runningRelease,
  securityUpdate,
  type Texts,
  urgencyOf,
} from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import type { VersionOffer } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { type Offers, ReleaseOffers } from '../catalogue/release-offers.service';
import { Mails } from '../mail/mails.service';
import { usersRepository } from '../users-store/users.repository';

/** Owners that one pass checks. The others follow in the next one. */
const OWNERS_PER_PASS = 100;
const CHECKED_EVERY_MS = 4 * HOUR_MS;
/** Deployments that an email about available versions names. The others are counted. */
const NAMED_MAX = 20;
const NO_TEXTS = Object.fromEntries(LANGUAGES.map((language) => [language, ''])) as Texts;

type Owner = Pick<User, 'id' | 'email' | 'language' | 'muted_mails'>;

/** A deployment with the releases of its package. */
interface Versioned {
  readonly row: VersionedDeployment;
  readonly packageName: string;
  readonly releases: readonly ReleaseFacts[];
  readonly running: ReleaseFacts;
  readonly offers: Offers;
}

/** Emails owners which versions are available, and when the version that runs loses its support. */
@Injectable()
export class VersionMails {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly packages: PackageManifests,
    private readonly offers: ReleaseOffers,
    private readonly mails: Mails,
    private readonly log: Log,
  ) {}

  async pass(): Promise<void> {
    const owners = await this.db.tx('version-mails.due', async (tx) => {
      await endVersionNotices(tx);
      const before = (await this.clock.now(tx)) - CHECKED_EVERY_MS;
      return ownersToCheck(tx, { before, limit: OWNERS_PER_PASS });
    });
    for (const userId of owners) {
      try {
        await this.db.tx('version-mails.owner', (tx) => this.owner(tx, userId));
      } catch (error) {
        this.log.error('an owner could not be emailed about versions', {
          user_id: userId,
          reason: error instanceof Error ? error.message : String(error),
        });
        // Otherwise owners whose check fails would fill each pass.
        await this.db.tx('version-mails.postpone', (tx) => this.claim(tx, userId));
      }
    }
  }

  private async claim(tx: Tx, userId: number): Promise<{ at: Instant; announcedAt: Instant | null } | null> {
    const at = await this.clock.now(tx);
    const claimed = await claimVersionCheck(tx, userId, { at, before: at - CHECKED_EVERY_MS });
    return claimed === null ? null : { at, announcedAt: claimed.announced_at };
  }

  private async owner(tx: Tx, userId: number): Promise<void> {
    const check = await this.claim(tx, userId);
    const columns = ['id', 'email', 'language', 'muted_mails'] as const;
    const owner = await usersRepository.find(tx, userId, columns, { state: 'active' });
    // Nothing is recorded, so that owners who turn these emails on again are told about the versions offered then.
    if (check === null || owner === null || !isMailed('deployment_updates', owner.muted_mails)) return;
    const { at, announcedAt } = check;
    const deployments = await this.deploymentsOf(tx, userId);
    for (const deployment of deployments) await this.notifyOfSupport(tx, { owner, deployment, at });
    if (announcedAt === null || announcedAt <= at - ANNOUNCED_EVERY_MS)
      await this.announce(tx, { owner, deployments, at });
  }

  private async deploymentsOf(tx: Tx, userId: number): Promise<Versioned[]> {
    const offersByPackage = new Map<string, (ref: string) => Offers>();
    const found: Versioned[] = [];
    for (const row of await versionedDeployments(tx, userId)) {
      const facts = this.packages.find(row.package);
      const running = facts === null ? null : runningRelease(facts.releases, row.release);
      if (facts === null || running === null) continue;
      const { releases, display_name: packageName } = facts;
      const offersOf = offersByPackage.get(row.package) ?? (await this.offers.ofOwner(tx, facts, userId));
      offersByPackage.set(row.package, offersOf);
      found.push({ row, packageName, releases, running, offers: offersOf(row.ref) });
    }
    return found;
  }

  private async announce(
    tx: Tx,
    { owner, deployments, at }: { owner: Owner; deployments: readonly Versioned[]; at: Instant },
  ): Promise<void> {
    const found: VersionOffer[] = [];
    for (const { row, packageName, releases, running, offers } of deployments) {
      if (!actionsOf(row.status).includes('update')) continue;
      const { id, release, client_name, is_held: isHeld, automatic, announced, failed } = row;
      const to = announcement({ ...offers, releases, running: release, isHeld, automatic, announced, failed });
      if (to === null) continue;
      const [change = NO_TEXTS] = to.changes;
      const { version } = to;
      const security = securityUpdate(releases, release, offers);
      await noteAnnounced(tx, id, security?.version ?? version);
      found.push({
        deployment_id: id,
        client_name,
        package_name: packageName,
        from: running.version,
        to: version,
        kind: urgencyOf(releases, release, to),
        security_in: security?.version ?? null,
        change,
      });
    }
    if (found.length === 0) return;
    const named = found
      .sort((a, b) => RELEASE_KINDS.indexOf(mostUrgent(a)) - RELEASE_KINDS.indexOf(mostUrgent(b)))
      .slice(0, NAMED_MAX);
    const security = found.filter(({ security_in }) => security_in !== null).length;
    await tx.execute('update version_checks set announced_at = $2 where user_id = $1', [owner.id, iso(at)]);
    await this.mails.post(tx, {
      ...addressed(owner),
      cause: `versions_available:${owner.id}:${iso(at)}`,
      template: 'versions_available',
      facts: { count: found.length, security, offers: named },
    });
  }

  private async notifyOfSupport(
    tx: Tx,
    { owner, deployment, at }: { owner: Owner; deployment: Versioned; at: Instant },
  ): Promise<void> {
    const { row, packageName, releases, offers } = deployment;
    const { id, release, client_name, notified } = row;
    const due = dueSupportNotice(releases, release, { today: dayOf(at), notified });
    if (due === null) return;
    const { version, until, notice } = due;
    await noteSupportNotice(tx, id, due);
    await this.mails.post(tx, {
      ...addressed(owner),
      cause: `support_ends:${id}:${version}:${until}:${notice}:${iso(at)}`,
      template: 'version_support_ends',
      facts: {
        deployment_id: id,
        client_name,
        package_name: packageName,
        version,
        until,
        has_ended: notice < 0,
        next: nextRelease(releases, release, offers)?.version ?? null,
      },
    });
  }
}

const mostUrgent = ({ kind, security_in }: VersionOffer): ReleaseKind => (security_in === null ? kind : 'security');

const addressed = ({ id, email, language }: Owner): { recipient: string; userId: number; language: Language } => ({
  recipient: email,
  userId: id,
  language,
});
