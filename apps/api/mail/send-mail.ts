import { SEND_MAIL } from '@moorage/contracts';
import { Mail } from '@moorage/database';
import { hasUnprintable, type Language } from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, SealBox } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { MailTransport } from './mail-transport';
import { englishMails } from './english-mails';
import { germanMails } from './german-mails';
import type { Brand, MailFacts, MailName, MailText, MailTexts } from './mail-texts';
import { MAIL_AGE_MS_MAX, openFacts } from './mails';
import { renderMail } from './render-mail';
import { Unsubscribe } from './unsubscribe';

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
    private readonly unsubscribe: Unsubscribe,
  ) {}

  /** Renders one mail and delivers it. Its facts are deleted once it is sent: the row records that it was, not what it said. */
  @HandlesWork(SEND_MAIL, { concurrency: CONCURRENCY })
  async run({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    const { mail, now } = await this.db.tx('mail.read', async (tx) => ({
      mail: await tx.repository(Mail).findOneBy({ id: key }),
      now: await this.clock.now(tx),
    }));
    if (mail === null || mail.sent_at !== null) return { done: true };
    if (now - mail.created_at > MAIL_AGE_MS_MAX) return { failed: 'it could not be sent for three days' };
    const { publicUrl } = this.settings;
    const brand = { ...this.settings.brand, publicUrl };
    if (hasUnprintable(mail.recipient)) return { failed: 'a header would hold more than one line' };
    const written = write(mail.language, mail.template as MailName, JSON.parse(openFacts(this.box, mail)), brand);
    const unsubscribe = this.unsubscribe.urlsOf(mail);
    const delivered = await this.transport.deliver({
      id: mail.id,
      to: mail.recipient,
      ...renderMail(written, { brand, language: mail.language, unsubscribeUrl: unsubscribe?.page ?? null }),
      oneClickUrl: unsubscribe?.oneClick ?? null,
      at: mail.created_at,
    });
    if (delivered !== 'sent') return { failed: 'the mail server refuses this mail for good' };
    return {
      done: true,
      commit: async (tx) => {
        await tx.repository(Mail).update({ id: mail.id }, { sent_at: await this.clock.now(tx), facts: {} });
      },
    };
  }
}

export const MAILS: Readonly<Record<Language, MailTexts>> = { en: englishMails, de: germanMails };

function write<N extends MailName>(language: Language, template: N, facts: unknown, brand: Brand): MailText {
  return MAILS[language][template](facts as MailFacts[N], brand);
}
