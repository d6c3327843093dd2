import {
  type AutomaticUpdates,
  DEFAULT_UPDATE_SETTINGS,
  initialRollout,
  type Instant,
  iso,
  isoOrNull,
  type RebootNeed,
  type Ring,
  type Rollout,
  type RolloutState,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';

/** A row of `release_rollouts`. */
export interface RolloutRow extends Rollout {
  readonly package: string;
  readonly version: string;
  /** Earlier failures do not count. */
  readonly counted_from: Instant;
  readonly changed_at: Instant;
  /** Null if it was stopped by failures. */
  readonly changed_by: number | null;
}

/** Returns what administrators have decided about releases, of one package or of all. */
export function rollouts(tx: Tx, packageName: string | null = null): Promise<RolloutRow[]> {
  return tx.query<RolloutRow>('select * from release_rollouts where $1::text is null or package = $1', [packageName]);
}

/** Returns the rollout of a release. Without a decision, it is that of a release that is new or the first. */
export function rolloutOf(
  rows: readonly Pick<RolloutRow, 'package' | 'version' | 'ring' | 'state'>[],
  release: { readonly package: string; readonly version: string; readonly isFirst: boolean },
): Rollout {
  const row = rows.find((each) => each.package === release.package && each.version === release.version);
  return row ?? initialRollout(release.isFirst);
}

/** Returns the state of the rollout of a version for a deployment. */
export async function rolloutState(
  tx: Tx,
  { deploymentId, version }: { deploymentId: number; version: string },
): Promise<RolloutState> {
  const [row] = await tx.query<{ state: RolloutState }>(
    `select r.state from release_rollouts r join deployments d on d.package = r.package
     where d.id = $1 and r.version = $2`,
    [deploymentId, version],
  );
  return row?.state ?? 'rolling';
}

/** Locks what was decided about a release, and returns its state. Null if nothing was decided yet. */
export async function lockRollout(
  tx: Tx,
  { package: name, version }: { package: string; version: string },
): Promise<Pick<RolloutRow, 'state'> | null> {
  const [row] = await tx.query<Pick<RolloutRow, 'state'>>(
    'select state from release_rollouts where package = $1 and version = $2 for update',
    [name, version],
  );
  return row ?? null;
}

/**
 * Stores a decision about a release. `counted_from` is only set if earlier failures no longer count. Returns false if the
 * rollout was changed at another time than `expected`, which is null if nothing was decided yet.
 */
export async function decideRollout(
  tx: Tx,
  {
    package: name,
    version,
    ring,
    state,
    expected,
    by,
    at,
  }: {
    package: string;
    version: string;
    ring: Ring;
    state: RolloutState;
    expected: Instant | null;
    by: number;
    at: Instant;
  },
): Promise<boolean> {
  const written = await tx.execute(
    `insert into release_rollouts (package, version, ring, state, counted_from, changed_at, changed_by)
     select $1, $2, $3, $4, $5, $5, $6
     where $7::timestamptz is null or exists (select 1 from release_rollouts where package = $1 and version = $2)
     on conflict (package, version) do update
       set ring = $3, state = $4, changed_at = $5, changed_by = $6,
         counted_from = case when release_rollouts.state = 'rolling' then release_rollouts.counted_from else $5 end
       where release_rollouts.changed_at = $7`,
    [name, version, ring, state, iso(at), by, isoOrNull(expected)],
  );
  return written === 1;
}

/** Records the release that a deployment runs from now on. */
export async function writeRelease(tx: Tx, deploymentId: number, release: string | null): Promise<void> {
  await tx.execute('update deployments set release = $2, version = version + 1 where id = $1', [deploymentId, release]);
}

/** Settings for updates that the owner of a deployment has chosen. */
export interface UpdateSettings {
  readonly automatic: AutomaticUpdates;
  /** The version stays, whatever `automatic` says. */
  readonly is_held: boolean;
  /** Days of the week on which the window begins, 0 for Sunday. */
  readonly days: readonly number[];
  /** Hour at which the window begins, in its time zone. */
  readonly hour: number;
  /** Length of the window. */
  readonly hours: number;
  /** IANA name such as `Europe/Berlin`. */
  readonly time_zone: string;
}

/** Returns the choice of the owner, or null if there is none. */
export async function updateSettings(tx: Tx, deploymentId: number): Promise<UpdateSettings | null> {
  const [row] = await tx.query<UpdateSettings>(
    'select automatic, is_held, days, hour, hours, time_zone from update_settings where deployment_id = $1',
    [deploymentId],
  );
  return row ?? null;
}

/**
 * Stores the choice of the owner, and the time of the next window if it includes automatic updates. The window of a
 * planned reboot is determined again.
 */
export async function saveUpdateSettings(
  tx: Tx,
  deploymentId: number,
  { automatic, is_held, days, hour, hours, time_zone }: UpdateSettings,
  { at, dueAt }: { at: Instant; dueAt: Instant | null },
): Promise<void> {
  await tx.execute(
    `insert into update_settings (deployment_id, automatic, is_held, days, hour, hours, time_zone, changed_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (deployment_id) do update set automatic = $2, is_held = $3, days = $4, hour = $5, hours = $6,
       time_zone = $7, changed_at = $8, due_at = $9,
       reboot_due_at = case when update_settings.reboot_due_at is null then null else $8 end`,
    [deploymentId, automatic, is_held, days, hour, hours, time_zone, iso(at), isoOrNull(dueAt)],
  );
}

/** Returns the security updates that wait for a reboot of the server, or null if there are none. */
export async function rebootNeed(tx: Tx, deploymentId: number): Promise<RebootNeed | null> {
  const [row] = await tx.query<{ reboot: RebootNeed | null }>(
    `select host -> 'reboot' as reboot from reachability where deployment_id = $1`,
    [deploymentId],
  );
  return row?.reboot ?? null;
}

/** Returns whether a reboot is planned for the window. */
export async function isRebootPlanned(tx: Tx, deploymentId: number): Promise<boolean> {
  const rows = await tx.query('select 1 from update_settings where deployment_id = $1 and reboot_due_at is not null', [
    deploymentId,
  ]);
  return rows.length > 0;
}

/** Plans a reboot, which is looked at from now on. Owners who have not chosen a window get the usual one. */
export async function planReboot(
  tx: Tx,
  deploymentId: number,
  { requestedBy, at }: { requestedBy: number; at: Instant },
): Promise<void> {
  const { automatic, is_held, days, hour, hours, time_zone } = DEFAULT_UPDATE_SETTINGS;
  await tx.execute(
    `insert into update_settings (deployment_id, automatic, is_held, days, hour, hours, time_zone, changed_at,
       reboot_due_at, reboot_requested_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
     on conflict (deployment_id) do update set reboot_due_at = $8, reboot_requested_by = $9`,
    [deploymentId, automatic, is_held, days, hour, hours, time_zone, iso(at), requestedBy],
  );
}

/** Sets when a planned reboot is looked at again. Null drops the plan. */
export async function lookAtRebootAgain(tx: Tx, deploymentId: number, at: Instant | null): Promise<void> {
  await tx.execute(
    `update update_settings set reboot_due_at = $2,
       reboot_requested_by = case when $2::timestamptz is null then null else reboot_requested_by end
     where deployment_id = $1`,
    [deploymentId, isoOrNull(at)],
  );
}
