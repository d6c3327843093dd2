import { DAY_MS, type Instant } from '../time';

const TEST_EVERY_MS = 30 * DAY_MS;
/** Delay before the first restore test, and before the next test after a failure. */
const TEST_SOON_MS = DAY_MS;
const QUOTA_NOTICE_EVERY_MS = 7 * DAY_MS;

/** Returns whether the restore test of a repository is due. */
export function restoreTestDue({
  createdAt,
  testedAt,
  failed,
  now,
}: {
  createdAt: Instant;
  /** Time of the last test, or null if there was none. */
  testedAt: Instant | null;
  failed: boolean;
  now: Instant;
}): boolean {
  if (testedAt === null) return now - createdAt >= TEST_SOON_MS;
  return now - testedAt >= (failed ? TEST_SOON_MS : TEST_EVERY_MS);
}

/** Returns whether the owner may be notified again that the backups exceed the quota of the support level. */
export const quotaNoticeDue = (reportedAt: Instant | null, now: Instant): boolean =>
  reportedAt === null || now - reportedAt >= QUOTA_NOTICE_EVERY_MS;
