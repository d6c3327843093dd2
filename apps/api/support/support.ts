import { event, type PackageRequest, type SupportMessage } from '@moorage/contracts';
import { ACCESS_WORDS, iso } from '@moorage/domain';
import { type ProductEvent } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import type { ApiDeps } from '../feature';
import type { Caller, Origin } from '../http/call-input';
import type { Mails } from '../mail/mails';

/** What people write to us: kept as rows, and mailed to the support address by the event of each. */
export interface Support {
  requestPackage(request: PackageRequest, from: { caller: Caller; origin: Origin }): Promise<{ message: string }>;
  /** `caller`: whose token came along; null: a visitor. */
  contact(words: SupportMessage, from: { caller: Caller | null; origin: Origin }): Promise<{ message: string }>;
  /** Mails a message to the support address, once. */
  forward(tx: Tx, event: ProductEvent<'support.message_received'>): Promise<void>;
}

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

export function createSupport({ db, clock, outbox, settings }: ApiDeps, { mails }: { mails: Mails }): Support {
  async function keep(tx: Tx, { ip }: Origin, words: NewMessage): Promise<void> {
    const at = iso(await clock.now(tx));
    const [row] = await tx.query<{ id: number }>(
      `insert into support_messages (kind, user_id, name, email, subject, message, ip_address, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [words.kind, words.userId, words.name, words.email, words.subject, words.message, ip, at],
    );
    if (row === undefined) throw new Error('the message was not written');
    await outbox.append(tx, event('support.message_received', row.id, { message_id: row.id }));
  }

  return {
    requestPackage: ({ package_name, reason }, { caller, origin }) =>
      db.tx('support.request-package', async (tx) => {
        await keep(tx, origin, {
          kind: 'package',
          userId: caller.userId,
          name: caller.username,
          email: caller.email,
          subject: package_name,
          message: reason,
        });
        return { message: ACCESS_WORDS.request_sent };
      }),

    contact: (words, { caller, origin }) =>
      db.tx('support.contact', async (tx) => {
        await keep(tx, origin, { kind: 'contact', userId: caller?.userId ?? null, ...words });
        return { message: ACCESS_WORDS.support_sent };
      }),

    async forward(tx, { event_id, data }) {
      const [row] = await tx.query<MessageRow>(
        'select kind, user_id, name, email, subject, message from support_messages where id = $1',
        [data.message_id],
      );
      if (row === undefined) return;
      const { kind, user_id, name, email, subject, message } = row;
      await mails.post(tx, {
        cause: `event:${event_id}`,
        recipient: settings.brand.supportEmail,
        template: kind === 'package' ? 'package_request' : 'support_message',
        facts: { name, email, subject, message, user_id },
      });
    },
  };
}
