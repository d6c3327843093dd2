import { conversation, inbox, moment, written } from '../../mails/mail-parts';
import type { MailTexts, SupportFacts } from '../../mails/mail-facts';

/** Emails to and from support. */
export const supportMails = {
  free_credits_request: ({ email, user_id, message }, { name, publicUrl }) => ({
    subject: `[${name} free credits] ${email}`,
    text: [
      `${email}${user_id === null ? '' : `, account ${user_id}`} requests free credits:`,
      ...written(message),
      'Decide within 24 hours:',
      `${publicUrl}/admin-referrals`,
    ],
  }),
  support_message: (facts, { name, publicUrl }) => ({
    subject: `[${name} support] ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  package_request: (facts, { name, publicUrl }) => ({
    subject: `[${name} package request] ${facts.subject}`,
    text: [writtenBy(facts), `Package: ${facts.subject}`, ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_reply: (facts, { name, publicUrl }) => ({
    subject: `[${name} support] Re: ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_due: (facts, { name, publicUrl }) => ({
    subject: `[${name} support] Due soon: ${facts.subject}`,
    text: [`${facts.name} <${facts.email}> is still waiting for an answer.`, ...handling(facts, publicUrl)],
  }),
  support_received: ({ subject, due_at, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Your message to ${name}` : `We received your message: ${subject}`,
    text: [
      'Hello,',
      due_at === null
        ? 'We received your message and will answer by email.'
        : `We received your message and will answer by ${moment(due_at)}.`,
      place.token === null
        ? 'You can read and continue the conversation here:'
        : 'You can read and continue the conversation here. Do not share this link:',
      conversation(publicUrl, place),
      ...(subject === null ? ['If you did not write to us, you can ignore this email.'] : []),
    ],
  }),
  support_answered: ({ subject, message, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Answer to your message to ${name}` : `Re: ${subject}`,
    text: [...written(message), 'Reply here. We do not read email to this address:', conversation(publicUrl, place)],
  }),
} satisfies Partial<MailTexts>;

function writtenBy({ name, email, user_id }: Pick<SupportFacts, 'name' | 'email' | 'user_id'>): string {
  return `${name} <${email}>${user_id === null ? '' : `, account ${user_id}`} wrote:`;
}

function handling({ level, due_at = null, deployment = null, conversation_id }: SupportFacts, url: string): string[] {
  return [
    ...(deployment === null ? [] : [`Deployment: #${deployment.id} ${deployment.client_name}, ${deployment.status}`]),
    ...(level === undefined ? [] : [`Level ${level}`]),
    ...(due_at === null ? [] : [`To be answered by ${moment(due_at)}.`]),
    'Answer here, not by email:',
    inbox(url, conversation_id),
  ];
}
