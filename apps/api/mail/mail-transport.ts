import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '../settings';
import { causeOf, type RefusalCause } from './smtp-refusal';

export interface EmailMessage {
  /** Id of the row. The same message sent twice has the same file name and Message-ID. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Address at which a mail program unsubscribes (RFC 8058), or null if emails of this kind cannot be disabled. */
  readonly oneClickUrl: string | null;
  readonly at: number;
}

export abstract class MailTransport {
  /**
   * Delivers a message. Returns the cause if this recipient is refused. Rethrows errors that do not concern a single
   * email.
   */
  abstract deliver(message: EmailMessage): Promise<'sent' | Exclude<RefusalCause, 'server'>>;
}

const SMTP_MS_MAX = 30_000;

/** Creates the transport. `host` is the host in Message-IDs. */
export function createMailTransport(settings: MailSettings, { host }: { host: string }): MailTransport {
  return settings.url === null ? toFiles(settings, host) : bySmtp(settings, settings.url, host);
}

/** Composes a message with text and HTML. Nothing in it is loaded from the network. */
function composed(
  { from }: MailSettings,
  host: string,
  { id, to, subject, text, html, oneClickUrl, at }: EmailMessage,
) {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    date: new Date(at),
    messageId: `<mail-${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...(oneClickUrl === null ? {} : unsubscribeHeaders(oneClickUrl)) },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

function toFiles(settings: MailSettings, host: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async deliver(message) {
      const { message: bytes } = await transport.sendMail(composed(settings, host, message));
      await mkdir(settings.folder, { recursive: true, mode: 0o700 });
      const file = fileOf(settings, message.id);
      // Renamed when complete, so that no reader sees a partial email.
      await writeFile(`${file}.part`, bytes, { mode: 0o600 });
      await rename(`${file}.part`, file);
      return 'sent';
    },
  };
}

const fileOf = ({ folder }: MailSettings, id: string): string => join(folder, `${id.padStart(10, '0')}.eml`);

/** Removes the files of these emails. With a mail server there are no files. */
export async function removeMailFiles(settings: MailSettings, ids: readonly string[]): Promise<void> {
  if (settings.url !== null) return;
  for (const id of ids) await rm(fileOf(settings, id), { force: true });
}

function bySmtp(settings: MailSettings, url: string, host: string): MailTransport {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_MS_MAX,
    greetingTimeout: SMTP_MS_MAX,
    socketTimeout: SMTP_MS_MAX,
  });
  return {
    async deliver(message) {
      try {
        await transport.sendMail(composed(settings, host, message));
        return 'sent';
      } catch (error) {
        const cause = causeOf(error);
        if (cause === 'server') throw error;
        return cause;
      }
    },
  };
}
