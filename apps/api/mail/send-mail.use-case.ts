import { SEND_MAIL } from '@moorage/contracts';
import { Mail } from '@moorage/database';
import {
  DomainError,
  hasUnprintable,
  type Instant,
  type Language,
  MINUTE_MS,
  normaliseEmail,
  SECOND_MS,
} from '@moorage/domain';
import type { Claim, Outcome } from '@moorage/messaging';
import { HandlesWork } from '@moorage/runtime';
import { Clock, Db, SealBox, type Tx } from '@moorage/server';
import { type Brand, type MailFacts, type MailName, type MailText, SERVER_TEXTS } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../http/rate-limiter.service';
import { ApiSettings } from '../settings';
import { type EmailMessage, MailTransport } from './mail-transport';
import { REQUESTED_MAILS } from './mail-rules';
import { MAIL_AGE_MS_MAX, openFacts } from './mails.service';
import { renderMail } from './render-mail';
import { Unsubscribe } from './unsubscribe.service';

/** Concurrent deliveries per process. */
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
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Renders an email and delivers it. Its facts are deleted afterwards: the row records that it was sent, but not its
   * content.
   */
  @HandlesWork(SEND_MAIL, { concurrency: CONCURRENCY })
  async run({ key }: Pick<Claim, 'key'>): Promise<Outcome> {
    const { mail, now } = await this.db.tx('mail.read', async (tx) => ({
      mail: await tx.repository(Mail).findOneBy({ id: key }),
      now: await this.clock.now(tx),
    }));
    if (mail === null || mail.sent_at !== null || mail.given_up_at !== null) return { done: true };
    if (now - mail.created_at > MAIL_AGE_MS_MAX)
      return { failed: 'it could not be sent for three days', commit: this.givingUp(mail) };
    const { publicUrl } = this.settings;
    const brand = { ...this.settings.brand, publicUrl };
    if (hasUnprintable(mail.recipient))
      return { failed: 'a header would hold more than one line', commit: this.givingUp(mail) };
    const written = write(mail.language, mail.template as MailName, JSON.parse(openFacts(this.box, mail)), brand);
    const unsubscribe = this.unsubscribe.urlsOf(mail);
    const message = {
      id: mail.id,
      to: mail.recipient,
      ...renderMail(written, { brand, language: mail.language, unsubscribeUrl: unsubscribe?.page ?? null }),
      oneClickUrl: unsubscribe?.oneClick ?? null,
      at: mail.created_at,
    };
    const held = await this.heldBack(mail, now);
    if (held !== null) return held;
    return this.deliver(mail, message, now);
  }

  private async deliver(mail: Mail, message: EmailMessage, now: Instant): Promise<Outcome> {
    const giveBack = async (): Promise<void> => {
      if (mail.to_unconfirmed) await this.limiter.giveBack('unconfirmed_mail', normaliseEmail(mail.recipient));
    };
    const delivered = await this.transport.deliver(message).catch(async (error: unknown) => {
      await giveBack();
      if (mail.waits_for !== 'server') await this.db.tx('mail.waits', (tx) => waitFor(tx, mail, 'server'));
      throw error;
    });
    switch (delivered) {
      case 'sent':
        return {
          done: true,
          commit: async (tx) => {
            await tx.repository(Mail).update({ id: mail.id }, { sent_at: await this.clock.now(tx), facts: {} });
          },
        };
      case 'address':
        return { done: true, commit: this.givingUp(mail, 'mailbox') };
      case 'mailbox':
        await giveBack();
        return {
          retry_at: now + mailboxDelay(now - mail.created_at),
          reason: 'the mail server refuses this recipient for now',
          commit: (tx) => waitFor(tx, mail, 'mailbox'),
        };
    }
  }

  /** Deletes the facts, because they may contain a link that grants access. */
  private givingUp({ id, waits_for }: Mail, waitedFor = waits_for): (tx: Tx) => Promise<void> {
    return async (tx) => {
      const given_up_at = await this.clock.now(tx);
      await tx.repository(Mail).update({ id }, { given_up_at, waits_for: waitedFor, facts: {} });
    };
  }

  /**
   * Limits the emails to an unconfirmed mailbox, whichever accounts and networks cause them. Returns null within the
   * limit.
   */
  private async heldBack(mail: Mail, now: Instant): Promise<Outcome | null> {
    const { recipient, template, to_unconfirmed } = mail;
    if (!to_unconfirmed) return null;
    const mailbox = normaliseEmail(recipient);
    const beyond = await this.refusalOf('unconfirmed_mail', mailbox);
    if (beyond === null) return null;
    if (REQUESTED_MAILS.has(template as MailName)) {
      const isOwnSpelling = recipient.toLowerCase() === mailbox;
      if (isOwnSpelling && (await this.refusalOf('unconfirmed_mail_own_spelling', mailbox)) === null) return null;
      return { done: true, commit: this.givingUp(mail, 'limit') };
    }
    const seconds = Number(beyond.fields.retry_after_s);
    return {
      retry_at: now + seconds * SECOND_MS,
      reason: 'too many mails to an unconfirmed address',
      commit: (tx) => waitFor(tx, mail, 'limit'),
    };
  }

  /** Counts an email against a limit. Returns the refusal, or null within the limit. */
  private async refusalOf(
    limit: 'unconfirmed_mail' | 'unconfirmed_mail_own_spelling',
    key: string,
  ): Promise<DomainError | null> {
    try {
      await this.limiter.take(limit, key);
      return null;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'RATE_LIMITED') throw error;
      return error;
    }
  }
}

async function waitFor(tx: Tx, { id }: Mail, waits_for: Mail['waits_for']): Promise<void> {
  await tx.repository(Mail).update({ id }, { waits_for });
}

/**
 * Returns the delay before the next attempt. A server with greylisting accepts within minutes, a full mailbox within
 * hours or never.
 */
function mailboxDelay(age_ms: number): number {
  return Math.min(Math.max(age_ms / 2, MINUTE_MS), 30 * MINUTE_MS);
}

function write<N extends MailName>(language: Language, template: N, facts: unknown, brand: Brand): MailText {
  return SERVER_TEXTS[language].mails[template](facts as MailFacts[N], brand);
}
