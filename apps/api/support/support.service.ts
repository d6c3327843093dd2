import { event, type PackageRequest, type Sent, type SupportMessage, toSent } from '@moorage/contracts';
import { SupportMessage as StoredMessage } from '@moorage/database';
import { ACCESS_MESSAGES } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller, Origin } from '../http/call-input';
import { Mails } from '../mail/mails';
import { ApiSettings } from '../settings';

type NewMessage = Pick<StoredMessage, 'kind' | 'user_id' | 'name' | 'email' | 'subject' | 'message'>;

/** Messages to support: each is stored as a row, and its event mails it to the support address. */
@Injectable()
export class SupportService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly mails: Mails,
    private readonly settings: ApiSettings,
  ) {}

  requestPackage(
    { package_name, reason }: PackageRequest,
    { caller, origin }: { caller: Caller; origin: Origin },
  ): Promise<Sent> {
    return this.db.tx('support.request-package', async (tx) => {
      await this.keep(tx, origin, {
        kind: 'package',
        user_id: caller.userId,
        name: caller.username,
        email: caller.email,
        subject: package_name,
        message: reason,
      });
      return toSent(ACCESS_MESSAGES.request_sent);
    });
  }

  /** `caller`: the user whose token came with the request; null: a visitor. */
  contact(words: SupportMessage, { caller, origin }: { caller: Caller | null; origin: Origin }): Promise<Sent> {
    return this.db.tx('support.contact', async (tx) => {
      await this.keep(tx, origin, { kind: 'contact', user_id: caller?.userId ?? null, ...words });
      return toSent(ACCESS_MESSAGES.support_sent);
    });
  }

  /** Mails a message to the support address, once. */
  @OnEvent('support.message_received')
  async forward(tx: Tx, { event_id, data }: ProductEvent<'support.message_received'>): Promise<void> {
    const row = await tx.repository(StoredMessage).findOneBy({ id: data.message_id });
    if (row === null) return;
    const { kind, user_id, name, email, subject, message } = row;
    await this.mails.post(tx, {
      cause: `event:${event_id}`,
      recipient: this.settings.brand.supportEmail,
      language: 'en',
      template: kind === 'package' ? 'package_request' : 'support_message',
      facts: { name, email, subject, message, user_id },
    });
  }

  private async keep(tx: Tx, { ip }: Origin, words: NewMessage): Promise<void> {
    const created_at = await this.clock.now(tx);
    const { id } = await tx.repository(StoredMessage).save({ ...words, ip_address: ip, created_at });
    await this.outbox.append(tx, event('support.message_received', id, { message_id: id }));
  }
}
