import { conversation, inbox, moment, written } from '../../mails/mail-parts';
import type { MailTexts, SupportFacts } from '../../mails/mail-facts';

/** Emails to and from support. */
export const supportMails = {
  free_credits_request: ({ email, user_id, message }, { name, publicUrl }) => ({
    subject: `[${name} Startguthaben] ${email}`,
    text: [
      `${email}${user_id === null ? '' : `, Konto ${user_id}`} fragt Startguthaben an:`,
      ...written(message),
      'Entscheiden Sie innerhalb von 24 Stunden:',
      `${publicUrl}/admin-referrals`,
    ],
  }),
  support_message: (facts, { name, publicUrl }) => ({
    subject: `[${name} Support] ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  package_request: (facts, { name, publicUrl }) => ({
    subject: `[${name} Paketwunsch] ${facts.subject}`,
    text: [writtenBy(facts), `Paket: ${facts.subject}`, ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_reply: (facts, { name, publicUrl }) => ({
    subject: `[${name} Support] Re: ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_due: (facts, { name, publicUrl }) => ({
    subject: `[${name} Support] Bald fällig: ${facts.subject}`,
    text: [`${facts.name} <${facts.email}> wartet noch auf eine Antwort.`, ...handling(facts, publicUrl)],
  }),
  support_received: ({ subject, due_at, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Ihre Nachricht an ${name}` : `Ihre Nachricht ist eingegangen: ${subject}`,
    text: [
      'Guten Tag,',
      due_at === null
        ? 'wir haben Ihre Nachricht erhalten und antworten per E-Mail.'
        : `wir haben Ihre Nachricht erhalten und antworten bis ${moment(due_at)}.`,
      place.token === null
        ? 'Hier können Sie das Gespräch lesen und fortsetzen:'
        : 'Hier können Sie das Gespräch lesen und fortsetzen. Geben Sie diesen Link nicht weiter:',
      conversation(publicUrl, place),
      ...(subject === null ? ['Wenn Sie uns nicht geschrieben haben, können Sie diese E-Mail ignorieren.'] : []),
    ],
  }),
  support_answered: ({ subject, message, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Antwort auf Ihre Nachricht an ${name}` : `Re: ${subject}`,
    text: [
      ...written(message),
      'Antworten Sie hier. E-Mails an diese Adresse lesen wir nicht:',
      conversation(publicUrl, place),
    ],
  }),
} satisfies Partial<MailTexts>;

function writtenBy({ name, email, user_id }: Pick<SupportFacts, 'name' | 'email' | 'user_id'>): string {
  return `${name} <${email}>${user_id === null ? '' : `, Konto ${user_id}`} schreibt:`;
}

function handling({ level, due_at = null, deployment = null, conversation_id }: SupportFacts, url: string): string[] {
  return [
    ...(deployment === null ? [] : [`Deployment: #${deployment.id} ${deployment.client_name}, ${deployment.status}`]),
    ...(level === undefined ? [] : [`Stufe ${level}`]),
    ...(due_at === null ? [] : [`Zu beantworten bis ${moment(due_at)}.`]),
    'Antworten Sie hier, nicht per E-Mail:',
    inbox(url, conversation_id),
  ];
}
