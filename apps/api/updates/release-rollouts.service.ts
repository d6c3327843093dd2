import type { PackageFacts, ReleaseFacts, ReleaseImageAnswer, ReleaseRolloutAnswer } from '@moorage/contracts';
import {
  Alerts,
  auditLog,
  decideRollout,
  imageChecks,
  type ImageRow,
  lockRollout,
  type RolloutRow,
  rollouts,
} from '@moorage/database';
import {
  canDecide,
  DomainError,
  initialRollout,
  instant,
  type Instant,
  isMovedImage,
  isoOrNull,
  isWithdrawnImage,
  type Ring,
  type RolloutState,
  UPDATE_MESSAGES,
} from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { FieldsInvalid } from '../http/field-problems';
import { imagesOf } from '../images/pinned-images';
import { usersRepository } from '../users-store/users.repository';
import { releaseAnswer } from './read-updates.use-case';

interface Counts {
  readonly package: string;
  readonly version: string;
  readonly deployments: number;
  readonly running: number;
  readonly done: number;
  readonly undone: number;
}

type Decided = RolloutRow & { readonly by: string | null };

/** Rollouts, counts and images of all releases at one time. */
interface Known {
  readonly rows: readonly Decided[];
  readonly counts: readonly Counts[];
  readonly images: ReadonlyMap<string, ImageRow>;
  readonly at: Instant;
}

/** Lists and changes the rollouts of releases. */
@Injectable()
export class ReleaseRollouts {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly packages: PackageManifests,
    private readonly alerts: Alerts,
  ) {}

  list(): Promise<ReleaseRolloutAnswer[]> {
    return this.db.tx('releases.list', async (tx) => {
      const known = await this.known(tx);
      return this.packages
        .listed()
        .flatMap((facts) => facts.releases.map((release) => answerOf(facts, release, known)).reverse());
    });
  }

  /**
   * Changes which deployments are offered a release. Failures from before do not count once it rolls again. Throws
   * RELEASE_CHANGED if the administrator has not seen the latest change.
   */
  decide({
    adminId,
    package: name,
    version,
    ring,
    state,
    expected_changed_at: expected,
  }: {
    adminId: number;
    package: string;
    version: string;
    ring: Ring;
    state: RolloutState;
    expected_changed_at: string | null;
  }): Promise<ReleaseRolloutAnswer> {
    return this.db.tx('releases.decide', async (tx) => {
      const facts = this.packages.find(name);
      const release = facts?.releases.find((each) => each.version === version);
      if (facts === null || release === undefined) throw new DomainError('NOT_FOUND', UPDATE_MESSAGES.release_unknown);
      if (release === facts.releases[0] && (state !== 'rolling' || ring !== 'all'))
        throw new FieldsInvalid([{ path: 'state', message: UPDATE_MESSAGES.first_stays }]);
      const at = await this.clock.now(tx);
      const before = await lockRollout(tx, { package: name, version });
      if (before !== null && !canDecide(before.state, state))
        throw new FieldsInvalid([{ path: 'state', message: UPDATE_MESSAGES.stays_withdrawn }]);
      const decision = { package: name, version, ring, state, by: adminId, at };
      if (!(await decideRollout(tx, { ...decision, expected: expected === null ? null : instant(expected) })))
        throw new DomainError('RELEASE_CHANGED', UPDATE_MESSAGES.rollout_changed);
      await this.alerts.resolve(tx, { kind: 'release_stopped', subject: `${name} ${version}` });
      await auditLog.record(tx, {
        actor: adminId,
        action: 'release.decided',
        subject: `release:${name} ${version}`,
        accountId: null,
        facts: { package: facts.display_name, version, ring, state },
        at,
      });
      return answerOf(facts, release, await this.known(tx));
    });
  }

  private async known(tx: Tx): Promise<Known> {
    return {
      rows: await decided(tx),
      counts: await counted(tx),
      images: new Map((await imageChecks(tx)).map((row) => [row.image, row])),
      at: await this.clock.now(tx),
    };
  }
}

async function decided(tx: Tx): Promise<Decided[]> {
  const rows = await rollouts(tx);
  const ids = rows.flatMap(({ changed_by }) => changed_by ?? []);
  const names = await usersRepository.usernames(tx, ids);
  return rows.map((row) => ({ ...row, by: row.changed_by === null ? null : (names.get(row.changed_by) ?? null) }));
}

/** Counts living deployments by release, and their updates since the last decision to roll. */
function counted(tx: Tx): Promise<Counts[]> {
  return tx.query<Counts>(
    `select package, version, sum(deployments)::int as deployments, sum(running)::int as running, sum(done)::int as done,
       sum(undone)::int as undone
     from (
       select package, coalesce(release, '') as version, count(*) as deployments, 0 as running, 0 as done, 0 as undone
       from deployments where status not in ('DESTROYED', 'DELETED') group by 1, 2
       union all
       select d.package, c.after ->> 'release', 0, count(*) filter (where c.state in ('running', 'undoing')),
         count(*) filter (where c.state = 'done'), count(*) filter (where c.taken_back_at >= r.counted_from)
       from deployment_changes c join deployments d on d.id = c.deployment_id
       left join release_rollouts r on r.package = d.package and r.version = c.after ->> 'release'
       where c.kind = 'update' group by 1, 2
     ) counts group by 1, 2`,
  );
}

function answerOf(
  facts: PackageFacts,
  release: ReleaseFacts,
  { rows, counts, images, at }: Known,
): ReleaseRolloutAnswer {
  const { name, display_name, releases } = facts;
  const { version } = release;
  const isFirst = release === releases[0];
  const row = rows.find((each) => each.package === name && each.version === version);
  const { ring, state } = row ?? initialRollout(isFirst);
  const own = counts.filter(
    (count) => count.package === name && (count.version === version || (isFirst && count.version === '')),
  );
  const sum = (of: (count: Counts) => number): number => own.reduce((total, count) => total + of(count), 0);
  return {
    ...releaseAnswer(release),
    package: name,
    package_name: display_name,
    ring,
    state,
    is_first: isFirst,
    changed_at: isoOrNull(row?.changed_at ?? null),
    changed_by: row?.by ?? null,
    deployments: sum(({ deployments }) => deployments),
    running: sum(({ running }) => running),
    done: sum(({ done }) => done),
    undone: sum(({ undone }) => undone),
    images: imagesOf(facts, version).flatMap(({ image }) => {
      const known = images.get(image);
      return known === undefined ? [] : [imageAnswer(known, { isNewest: release === releases.at(-1), at })];
    }),
  };
}

function imageAnswer(row: ImageRow, { isNewest, at }: { isNewest: boolean; at: Instant }): ReleaseImageAnswer {
  const { image, newest, is_unreachable, checked_at } = row;
  return {
    image,
    newest: isNewest ? newest : null,
    is_withdrawn: isWithdrawnImage(row),
    was_moved: isMovedImage(row, at),
    is_unreachable,
    checked_at: isoOrNull(checked_at),
  };
}
