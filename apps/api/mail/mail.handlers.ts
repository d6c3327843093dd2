import type { AccountEventName, EventData } from '@moorage/contracts';
import type { ProductEvent, ProductEventHandlers } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import type { Mails } from './mails';
import type { MailFacts, MailName } from './texts';

type Letter = { readonly [N in MailName]: { readonly template: N; readonly facts: MailFacts[N] } }[MailName];

interface Recipient {
  readonly username: string;
  readonly email: string;
}

/** Which event writes to its account, and what; null: nothing this time. */
const LETTERS: { readonly [N in AccountEventName]?: (data: EventData<N>, account: Recipient) => Letter | null } = {
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
  'deployment.status_changed': statusLetter,
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

function statusLetter({
  deployment_id,
  client_name,
  package: name,
  from,
  to,
  failure_reason,
}: EventData<'deployment.status_changed'>): Letter | null {
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

/** The api's reactions: the mail's row is inserted in the transaction that marks the event, so each event mails once. */
export function mailHandlers({ mails }: { mails: Mails }): ProductEventHandlers {
  const handler =
    <Name extends AccountEventName>(name: Name) =>
    async (tx: Tx, { event_id, data }: ProductEvent<Name>): Promise<void> => {
      const account = await recipient(tx, data.user_id);
      const letter = account === null ? null : (LETTERS[name]?.(data, account) ?? null);
      if (account === null || letter === null) return;
      await mails.post(tx, { cause: `event:${event_id}`, recipient: account.email, ...letter });
    };
  return Object.fromEntries((Object.keys(LETTERS) as AccountEventName[]).map((name) => [name, handler(name)]));
}

async function recipient(tx: Tx, userId: number): Promise<Recipient | null> {
  const [row] = await tx.query<Recipient>('select username, email from users where id = $1 and erased_at is null', [
    userId,
  ]);
  return row ?? null;
}
