import type { DeploymentUpdatesAnswer, PackageFacts, ReleaseAnswer, ReleaseFacts } from '@moorage/contracts';
import {
  type ChangeRow,
  type DeploymentRow,
  failureOf,
  isRebootPlanned,
  lastChange,
  rebootNeed,
  undoableRestore,
  updateSettings,
} from '@moorage/database';
import {
  DEFAULT_UPDATE_SETTINGS,
  DomainError,
  iso,
  isoOrNull,
  isUndoOpen,
  MINUTE_MS,
  newerReleases,
  nextRelease,
  ORDER_MESSAGES,
  runningRelease,
  SECOND_MS,
  waitsForOwner,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { BackupPromises } from '../backup-policy/backup-promises.policy';
import { PackageManifests } from '../catalogue/packages';
import { oneDeployment, type Viewer } from '../deployments/deployment-view';
import { UsualDurations } from '../deployments/usual-durations.service';
import { ReleaseOffers } from '../catalogue/release-offers.service';
import { updateWindow } from './update-window';

type Updated = Pick<
  DeploymentRow,
  'id' | 'ref' | 'user_id' | 'package' | 'release' | 'server_type' | 'cloud_provider' | 'support_level'
>;

const READ = `select d.id, d.ref, d.user_id, d.package, d.release, d.server_type, d.cloud_provider, d.support_level
  from deployments d`;

/** Steps of an update during which the deployment does not respond. */
const UNREACHABLE = ['keep-data', 'start-stack', 'check-health', 'issue-certificate'] as const;
/** Their duration until there have been enough updates to know. */
const USUAL_MS = 2 * MINUTE_MS;

@Injectable()
export class ReadUpdates {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly packages: PackageManifests,
    private readonly offers: ReleaseOffers,
    private readonly promises: BackupPromises,
    private readonly durations: UsualDurations,
  ) {}

  read({ viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentUpdatesAnswer> {
    return this.db.tx('deployments.read-updates', (tx) => this.answer(tx, { viewer, id }));
  }

  async answer(tx: Tx, { viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentUpdatesAnswer> {
    const at = await this.clock.now(tx);
    const row = await oneDeployment<Updated>(tx, READ, { id, viewer });
    const facts = this.packages.find(row.package);
    if (facts === null) throw new DomainError('DEPLOYMENT_STATE', ORDER_MESSAGES.package_unknown);
    const { releases } = facts;
    const offers = await this.offers.of(tx, facts, { userId: row.user_id, ref: row.ref });
    const running = runningRelease(releases, row.release);
    const settings = (await updateSettings(tx, id)) ?? { ...DEFAULT_UPDATE_SETTINGS };
    const { from, to } = updateWindow(settings, at);
    const last = await lastChange(tx, id, 'update');
    const need = await rebootNeed(tx, id);
    return {
      running: running === null ? null : releaseAnswer(running),
      is_withdrawn: running !== null && offers.isWithdrawn(running),
      newer: newerReleases(releases, row.release).filter(offers.isOffered).map(releaseAnswer),
      next: nextRelease(releases, row.release, offers)?.version ?? null,
      ends_undo: isUndoOpen(await undoableRestore(tx, id), at),
      waits_for_owner:
        !settings.is_held && waitsForOwner(releases, row.release, { ...offers, automatic: settings.automatic }),
      backs_up: this.promises.areOn(row),
      unreachable_s: Math.ceil((await this.usual(tx, row, facts)) / SECOND_MS),
      settings: { ...settings, days: [...settings.days] },
      window: { from: iso(from), to: iso(to) },
      reboot:
        need === null
          ? null
          : { since: need.since, packages: [...need.packages], is_planned: await isRebootPlanned(tx, id) },
      last: last === null ? null : lastUpdate(last),
    };
  }

  private async usual(tx: Tx, row: Updated, facts: PackageFacts): Promise<number> {
    const provider = row.cloud_provider ?? 'own';
    const steps = UNREACHABLE.filter((step) => step !== 'issue-certificate' || facts.default_admin_subdomain !== null);
    const medians: number[] = [];
    for (const name of steps) {
      const known = await this.durations.of(tx, { plan: 'update', provider, name });
      if (known === null) return USUAL_MS;
      medians.push(known.median);
    }
    return medians.reduce((sum, median) => sum + median, 0);
  }
}

export const releaseAnswer = ({
  version,
  kind,
  released_on,
  changes,
  migrates,
  supported_until,
}: ReleaseFacts): ReleaseAnswer => ({ version, kind, released_on, changes, migrates, supported_until });

function lastUpdate(change: ChangeRow): DeploymentUpdatesAnswer['last'] {
  const { state, before, after, requested_by, requested_at, finished_at, taken_back_at } = change;
  return {
    state,
    from: String(before.version),
    to: String(after.release),
    is_automatic: requested_by === null,
    requested_at: iso(requested_at),
    finished_at: isoOrNull(finished_at),
    was_undone: taken_back_at !== null,
    failure: failureOf(change),
  };
}
