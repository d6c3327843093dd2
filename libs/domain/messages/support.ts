import { messageTable } from './message';

/** Refusals of conversations with the support. */
export const SUPPORT_MESSAGES = messageTable('support', {
  reply_missing: 'Write a message.',
  conversation_unknown: 'There is no such conversation.',
  conversation_full: 'This conversation has become too long. Write a new message.',
  link_unknown: 'This link leads to no conversation. Copy it whole from our newest mail.',
  staff_unknown: 'Only an administrator can take a conversation.',
});
