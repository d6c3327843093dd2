import type { MailReason } from '../../mails/mail-facts';

export const hello = (username: string | null): string => (username === null ? 'Hello,' : `Hello ${username},`);

export const notYou = (supportEmail: string): string =>
  `If this was not you, change your password and write to ${supportEmail} immediately.`;

export function because(reason: MailReason): string[] {
  if (reason === null) return [];
  return [`Reason: ${typeof reason === 'string' ? reason : reason.detail}`];
}
