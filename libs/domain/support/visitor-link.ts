import { DAY_MS, type Instant } from '../time';

const LINK_MS = 90 * DAY_MS;

/**
 * Returns whether a visitor's link still opens its conversation. It expires 90 days after the last message, so that an
 * old email does not give access to a later owner of the mailbox, and as soon as support closes the conversation.
 */
export function isVisitorLinkOpen({ isClosed, lastAt }: { isClosed: boolean; lastAt: Instant }, at: Instant): boolean {
  return !isClosed && at - lastAt < LINK_MS;
}
