import { messageTable } from './message';

/** Refusals of conversations with the support. */
export const SUPPORT_MESSAGES = messageTable('support', {
  reply_missing: 'Write a message.',
  conversation_unknown: 'There is no such conversation.',
  conversation_full: 'This conversation has become too long. Write a new message.',
  link_unknown: 'This link leads to no conversation. Copy it whole from our newest mail.',
  link_ended:
    'This link has expired. The conversation was closed, or its last message is more than 90 days old. Please send us a new message.',
  staff_unknown: 'Only an administrator can take a conversation.',
});
