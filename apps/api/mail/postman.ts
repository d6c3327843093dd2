import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '../settings';

export interface Letter {
  /** Of the row; the same letter twice has the same name and Message-ID. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: number;
}

export interface Postman {
  /** `refused`: trying again is no use. Throws when trying again may help. */
  deliver(letter: Letter): Promise<'sent' | 'refused'>;
}

const SMTP_MS_MAX = 30_000;

export function createPostman(settings: MailSettings, { host }: { host: string }): Postman {
  return settings.url === null ? toFiles(settings, host) : bySmtp(settings, settings.url, host);
}

/** What every letter has: text only, and nothing fetched from anywhere. */
function message({ from }: MailSettings, host: string, { id, to, subject, text, at }: Letter) {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    date: new Date(at),
    messageId: `<mail-${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function toFiles(settings: MailSettings, host: string): Postman {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async deliver(letter) {
      const { message: bytes } = await transport.sendMail(message(settings, host, letter));
      await mkdir(settings.folder, { recursive: true, mode: 0o700 });
      const file = join(settings.folder, `${letter.id.padStart(10, '0')}.eml`);
      // written aside, so that nobody reads half a letter
      await writeFile(`${file}.part`, bytes, { mode: 0o600 });
      await rename(`${file}.part`, file);
      return 'sent';
    },
  };
}

function bySmtp(settings: MailSettings, url: string, host: string): Postman {
  const transport = createTransport({
    url,
    connectionTimeout: SMTP_MS_MAX,
    greetingTimeout: SMTP_MS_MAX,
    socketTimeout: SMTP_MS_MAX,
  });
  return {
    async deliver(letter) {
      try {
        await transport.sendMail(message(settings, host, letter));
        return 'sent';
      } catch (error) {
        const code = (error as { responseCode?: unknown }).responseCode;
        if (typeof code === 'number' && code >= 550 && code <= 559) return 'refused';
        throw error;
      }
    },
  };
}
