import { DAY_MS, type Instant } from '../time';

const TEST_EVERY_MS = 30 * DAY_MS;
/** The first test, and one after a test that failed, come sooner. */
const TEST_SOON_MS = DAY_MS;
const QUOTA_NOTICE_EVERY_MS = 7 * DAY_MS;

/** Is the restore test of a repository due? */
export function restoreTestDue({
  createdAt,
  testedAt,
  failed,
  now,
}: {
  createdAt: Instant;
  /** null: there was none yet. */
  testedAt: Instant | null;
  failed: boolean;
  now: Instant;
}): boolean {
  if (testedAt === null) return now - createdAt >= TEST_SOON_MS;
  return now - testedAt >= (failed ? TEST_SOON_MS : TEST_EVERY_MS);
}

/** May its owner be told again that the copies of a deployment take more than its level includes? */
export const quotaNoticeDue = (toldAt: Instant | null, now: Instant): boolean =>
  toldAt === null || now - toldAt >= QUOTA_NOTICE_EVERY_MS;
