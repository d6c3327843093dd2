import { hasUnprintable, iso, type Language } from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, SealBox } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { MailTransport } from './mail-transport';
import { MAIL_AGE_MS_MAX, openFacts, type SealedFacts, SEND_MAIL } from './mails';
import { englishMails } from './english-mails';
import { germanMails } from './german-mails';
import type { Brand, MailFacts, MailName, MailText, MailTexts } from './mail-texts';

interface MailRow {
  readonly id: string;
  readonly cause: string;
  readonly recipient: string;
  readonly template: MailName;
  readonly language: Language;
  readonly facts: SealedFacts;
  readonly created_at: number;
  readonly sent_at: number | null;
}

/** Mails at a time, in each process. */
const CONCURRENCY = 2;

@Injectable()
export class SendMail {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly box: SealBox,
    private readonly settings: ApiSettings,
    private readonly transport: MailTransport,
  ) {}

  /** Renders one mail and delivers it. Its facts are deleted once it is sent: the row records that it was, not what it said. */
  @HandlesWork(SEND_MAIL, { concurrency: CONCURRENCY })
  async run({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    const { mail, now } = await this.db.tx('mail.read', async (tx) => {
      const [row] = await tx.query<MailRow>('select * from mails where id = $1', [key]);
      return { mail: row, now: await this.clock.now(tx) };
    });
    if (mail === undefined || mail.sent_at !== null) return { done: true };
    if (now - mail.created_at > MAIL_AGE_MS_MAX) return { failed: 'it could not be sent for three days' };
    const { publicUrl } = this.settings;
    const brand = { ...this.settings.brand, publicUrl };
    const { subject, text } = write(mail, JSON.parse(openFacts(this.box, mail)), brand);
    // subjects contain names that people choose; these are checked on input, and a line break here would forge a header
    if (hasUnprintable(subject) || hasUnprintable(mail.recipient))
      return { failed: 'a header would hold more than one line' };
    const delivered = await this.transport.deliver({
      id: mail.id,
      to: mail.recipient,
      subject,
      text: [...text.map(folded), `${brand.name}\n${publicUrl}\n`].join('\n\n'),
      at: mail.created_at,
    });
    if (delivered !== 'sent') return { failed: 'the mail server refuses this mail for good' };
    return {
      done: true,
      commit: async (tx) => {
        await tx.execute(`update mails set sent_at = $2, facts = '{}' where id = $1`, [
          mail.id,
          iso(await this.clock.now(tx)),
        ]);
      },
    };
  }
}

/** Short enough for every mail program to show lines unbroken; what has no spaces (a link) stays whole. */
const LINE_MAX = 72;

function folded(paragraph: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > LINE_MAX) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

export const MAILS: Readonly<Record<Language, MailTexts>> = { en: englishMails, de: germanMails };

function write<N extends MailName>(
  { template, language }: { template: N; language: Language },
  facts: unknown,
  brand: Brand,
): MailText {
  return MAILS[language][template](facts as MailFacts[N], brand);
}
