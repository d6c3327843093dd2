import { DAY_MS, type Day, daysBetween } from '../time';
import {
  type AutomaticUpdates,
  newerReleases,
  nextRelease,
  type Release,
  type ReleaseDecisions,
  RELEASE_KINDS,
  type ReleaseKind,
  runningRelease,
} from './releases';

/** Minimum interval between two emails to an owner about available versions. */
export const ANNOUNCED_EVERY_MS = 7 * DAY_MS;

/** State that decides whether a version is announced to the owner of a deployment. */
export interface Announceable<R extends Release> extends ReleaseDecisions<R> {
  /** All releases of the package, the oldest first. */
  readonly releases: readonly R[];
  readonly running: string | null;
  readonly isHeld: boolean;
  readonly automatic: AutomaticUpdates;
  /** Version that was announced last: the security update if there was one, otherwise the next version. */
  readonly announced: string | null;
  /** Version of the latest update if it has failed. */
  readonly failed: string | null;
}

/**
 * Returns the version to announce, or null if there is none. The owner of a held version does not want it, an automatic
 * update needs no action, and a failed update was reported by its own email.
 */
export function announcement<R extends Release>({
  releases,
  running,
  isOffered,
  isWithdrawn,
  isHeld,
  automatic,
  announced,
  failed,
}: Announceable<R>): R | null {
  const next = nextRelease(releases, running, { isOffered, isWithdrawn });
  if (next === null || isHeld || next.version === failed) return null;
  if (nextRelease(releases, running, { isOffered, isWithdrawn, automatic }) === next) return null;
  const position = releases.findIndex(({ version }) => version === announced);
  const latest = securityUpdate(releases, running, { isOffered, isWithdrawn }) ?? next;
  return releases.indexOf(latest) > position ? next : null;
}

/** Returns the most urgent kind that an update to this release brings, including the releases that it skips. */
export function urgencyOf<R extends Release>(releases: readonly R[], version: string | null, to: R): ReleaseKind {
  const newer = newerReleases(releases, version);
  const kinds = newer.slice(0, newer.indexOf(to) + 1).map(({ kind }) => kind);
  return RELEASE_KINDS.find((kind) => kinds.includes(kind)) ?? to.kind;
}

/**
 * Returns the release of the first update that brings security fixes, if updates lead to them one after the other. Null
 * if they bring none.
 */
export function securityUpdate<R extends Release>(
  releases: readonly R[],
  version: string | null,
  decisions: ReleaseDecisions<R>,
): R | null {
  const next = nextRelease(releases, version, decisions);
  if (next === null || urgencyOf(releases, version, next) === 'security') return next;
  return securityUpdate(releases, next.version, decisions);
}

/** Days left at which owners are notified that support ends. -1 is the day after the last one. */
export const SUPPORT_NOTICES = [60, 14, -1] as const;
export type SupportNotice = (typeof SUPPORT_NOTICES)[number];

/** End of support about which an owner was notified. */
export interface SupportNotified {
  readonly version: string;
  readonly until: Day;
  readonly notice: number;
}

/**
 * Returns the notice that is due about the release that runs, or null if there is none. Earlier notices that were missed
 * are skipped. A different version or date starts over.
 */
export function dueSupportNotice(
  releases: readonly Release[],
  running: string | null,
  { today, notified }: { today: Day; notified: SupportNotified | null },
): { readonly version: string; readonly until: Day; readonly notice: SupportNotice } | null {
  const release = runningRelease(releases, running);
  const until = release?.supported_until ?? null;
  if (release === null || until === null) return null;
  const { version } = release;
  const left = daysBetween(today, until);
  const notice = SUPPORT_NOTICES.findLast((days) => left <= days);
  const isSame = notified?.version === version && notified.until === until;
  return notice === undefined || (isSame && notified.notice <= notice) ? null : { version, until, notice };
}
