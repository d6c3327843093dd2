import { event, type PackageRequest, type Sent, type SupportMessage, toSent } from '@moorage/contracts';
import { ACCESS_WORDS, iso } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller, Origin } from '../http/call-input';
import { Mails } from '../mail/mails';
import { ApiSettings } from '../settings';

interface NewMessage {
  readonly kind: 'contact' | 'package';
  readonly userId: number | null;
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

interface MessageRow extends Omit<NewMessage, 'userId'> {
  readonly user_id: number | null;
}

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
        userId: caller.userId,
        name: caller.username,
        email: caller.email,
        subject: package_name,
        message: reason,
      });
      return toSent(ACCESS_WORDS.request_sent);
    });
  }

  /** `caller`: the user whose token came with the request; null: a visitor. */
  contact(words: SupportMessage, { caller, origin }: { caller: Caller | null; origin: Origin }): Promise<Sent> {
    return this.db.tx('support.contact', async (tx) => {
      await this.keep(tx, origin, { kind: 'contact', userId: caller?.userId ?? null, ...words });
      return toSent(ACCESS_WORDS.support_sent);
    });
  }

  /** Mails a message to the support address, once. */
  @OnEvent('support.message_received')
  async forward(tx: Tx, { event_id, data }: ProductEvent<'support.message_received'>): Promise<void> {
    const [row] = await tx.query<MessageRow>(
      'select kind, user_id, name, email, subject, message from support_messages where id = $1',
      [data.message_id],
    );
    if (row === undefined) return;
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
    const at = iso(await this.clock.now(tx));
    const [row] = await tx.query<{ id: number }>(
      `insert into support_messages (kind, user_id, name, email, subject, message, ip_address, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [words.kind, words.userId, words.name, words.email, words.subject, words.message, ip, at],
    );
    if (row === undefined) throw new Error('the message was not written');
    await this.outbox.append(tx, event('support.message_received', row.id, { message_id: row.id }));
  }
}
