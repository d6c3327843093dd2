import { createRenderer } from '@moorage/domain';
import type { MailReason } from '../../mails/mail-facts';
import { consoleMessages } from '../messages/console';
import { publicMessages } from '../messages/public';

export const render = createRenderer({ ...publicMessages, ...consoleMessages });

export const hello = (username: string | null): string => (username === null ? 'Guten Tag,' : `Guten Tag ${username},`);

export const notYou = (supportEmail: string): string =>
  `Wenn Sie das nicht waren, ändern Sie Ihr Passwort und schreiben Sie sofort an ${supportEmail}.`;

export function because(reason: MailReason): string[] {
  if (reason === null) return [];
  return [`Grund: ${typeof reason === 'string' ? reason : render(reason)}`];
}
