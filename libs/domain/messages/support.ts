import { messageTable } from './message';

/** Errors of support conversations. */
export const SUPPORT_MESSAGES = messageTable('support', {
  reply_missing: 'Write a message.',
  conversation_unknown: 'There is no such conversation.',
  conversation_full: 'This conversation has become too long. Please start a new one.',
  link_unknown: "This link doesn't lead to a conversation. Copy the whole link from our latest email.",
  link_ended:
    'This link has expired. The conversation was closed, or its last message is more than 90 days old. Please send us a new message.',
  staff_unknown: 'Conversations can be assigned to administrators only.',
});
