import type { AccountEventName, EventData } from '@moorage/contracts';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Mails } from './mails';
import type { MailFacts, MailName } from './texts';

type Message = { readonly [N in MailName]: { readonly template: N; readonly facts: MailFacts[N] } }[MailName];

interface Recipient {
  readonly username: string;
  readonly email: string;
}

type MessageOf<Data> = (data: Data, account: Recipient) => Message | null;

/** Which event is mailed to its account, and how; null: nothing this time. */
const MESSAGES: { readonly [N in AccountEventName]?: MessageOf<EventData<N>> } = {
  'user.verified': (_, { username }) => ({ template: 'welcome', facts: { username } }),
  'payment.received': ({ amount_micros }) => ({ template: 'payment_received', facts: { amount_micros } }),
  'payment.refunded': ({ amount_micros, owed_micros }) => ({
    template: 'payment_refunded',
    facts: { amount_micros, owed_micros },
  }),
  'payment.disputed': ({ amount_micros, owed_micros, won }) => ({
    template: 'payment_disputed',
    facts: { amount_micros, owed_micros, won },
  }),
  'deployment.status_changed': statusMessage,
  'balance.low': ({ days, ends_at, client_name, locked_micros }) => ({
    template: 'balance_low',
    facts: { days, ends_at, client_name, locked_micros },
  }),
  'balance.hold_opened': ({ client_name, amount_micros, available_micros, ends_at, locked_micros }) => ({
    template: 'hold_opened',
    facts: { client_name, amount_micros, available_micros, ends_at, locked_micros },
  }),
  'balance.depleted': ({ client_name, amount_micros, locked_micros }) => ({
    template: 'balance_depleted',
    facts: { client_name, amount_micros, locked_micros },
  }),
};

function statusMessage({
  deployment_id,
  client_name,
  package: name,
  from,
  to,
  failure_reason,
}: EventData<'deployment.status_changed'>): Message | null {
  // the owner asked for a restart and watches it
  if (from === 'RESTARTING' && to !== 'FAILED' && to !== 'DNS_FAILED') return null;
  if (to === 'READY' || to === 'ACTIVE')
    return { template: 'deployment_running', facts: { deployment_id, client_name, package: name } };
  if (to === 'DNS_FAILED')
    return { template: 'deployment_dns_failed', facts: { deployment_id, client_name, reason: failure_reason } };
  if (to === 'FAILED')
    return { template: 'deployment_failed', facts: { deployment_id, client_name, reason: failure_reason } };
  return null;
}

@Injectable()
export class MailEvents {
  constructor(private readonly mails: Mails) {}

  /** The mail's row is inserted in the transaction that marks the event, so each event mails once. */
  @OnEvent(...(Object.keys(MESSAGES) as AccountEventName[]))
  async mail(tx: Tx, { event_id, event_name, data }: ProductEvent<AccountEventName>): Promise<void> {
    const account = await recipient(tx, data.user_id);
    if (account === null) return;
    // the event's name and its data belong together: `OnEvent` is given the table's own names
    const messageOf = MESSAGES[event_name as AccountEventName] as MessageOf<typeof data> | undefined;
    const message = messageOf?.(data, account) ?? null;
    if (message === null) return;
    await this.mails.post(tx, { cause: `event:${event_id}`, recipient: account.email, ...message });
  }
}

async function recipient(tx: Tx, userId: number): Promise<Recipient | null> {
  const [row] = await tx.query<Recipient>('select username, email from users where id = $1 and erased_at is null', [
    userId,
  ]);
  return row ?? null;
}
