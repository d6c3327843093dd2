import { DAY_MS, type Instant } from '../time';

const LINK_MS = 90 * DAY_MS;

/**
 * Whether a visitor's link still opens its conversation. It ends 90 days after the last message, so that an old mail does
 * not open it for whoever has the mailbox by then, and at once when the support closes the conversation.
 */
export function isVisitorLinkOpen({ isClosed, lastAt }: { isClosed: boolean; lastAt: Instant }, at: Instant): boolean {
  return !isClosed && at - lastAt < LINK_MS;
}
