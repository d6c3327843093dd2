import type { AccountEventName, EventData, SignInAnswer } from '@moorage/contracts';
import { isMailed, type Language } from '@moorage/domain';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { SignIns } from '../deployments/sign-ins';
import { Mails } from './mails';
import { MAIL_KIND_OF, type MailFacts, type MailName, type SignInFacts } from './mail-texts';

type AccountMail = { readonly [N in MailName]: { readonly template: N; readonly facts: MailFacts[N] } }[MailName];

interface Recipient {
  readonly username: string;
  readonly email: string;
  readonly language: Language;
  readonly muted_mails: readonly string[];
}

/** What an event does not carry and its mail says. */
interface LookUp {
  /** When the event occurred. */
  readonly at: string;
  readonly signIns: (deployment: { id: number; userId: number }) => Promise<SignInFacts[]>;
}

type MessageOf<Data> = (
  data: Data,
  account: Recipient,
  lookUp: LookUp,
) => AccountMail | null | Promise<AccountMail | null>;

/** Which event is mailed to its account, and how; null: nothing this time. */
const MESSAGES: { readonly [N in AccountEventName]?: MessageOf<EventData<N>> } = {
  'user.verified': (_, { username }) => ({ template: 'welcome', facts: { username } }),
  'payment.received': ({ amount_micros }) => ({ template: 'payment_received', facts: { amount_micros } }),
  'payment.refunded': ({ amount_micros, owed_micros }) => ({
    template: 'payment_refunded',
    facts: { amount_micros, owed_micros },
  }),
  'payment.refund_failed': ({ amount_micros }) => ({ template: 'payment_refund_failed', facts: { amount_micros } }),
  'payment.disputed': ({ amount_micros, owed_micros, won }) => ({
    template: 'payment_disputed',
    facts: { amount_micros, owed_micros, won },
  }),
  'payment.automatic_top_up_stopped': ({ reason, brand, last4 }) => ({
    template: 'automatic_top_up_stopped',
    facts: { reason, brand, last4 },
  }),
  'deployment.status_changed': statusMessage,
  'deployment.address_changed': ({ deployment_id, client_name, from, to, hosts }) => ({
    template: 'deployment_address_changed',
    facts: { deployment_id, client_name, from, to, hosts },
  }),
  'deployment.reachability_changed': reachabilityMessage,
  'balance.low': ({ ends_at, client_name, locked_micros }, _, { at }) => ({
    template: 'balance_low',
    facts: { at, ends_at, client_name, locked_micros },
  }),
  'balance.grace_period_started': ({ client_name, amount_micros, available_micros, ends_at, locked_micros }) => ({
    template: 'grace_period_started',
    facts: { client_name, amount_micros, available_micros, ends_at, locked_micros },
  }),
  'balance.depleted': ({ client_name, amount_micros, locked_micros }) => ({
    template: 'balance_depleted',
    facts: { client_name, amount_micros, locked_micros },
  }),
};

async function statusMessage(
  {
    deployment_id,
    user_id,
    client_name,
    package: name,
    from,
    to,
    failure_reason,
    failure,
  }: EventData<'deployment.status_changed'>,
  _: Recipient,
  { signIns }: LookUp,
): Promise<AccountMail | null> {
  const reason = failure ?? failure_reason;
  // the owner asked for a restart and watches it
  if (from === 'RESTARTING' && to !== 'FAILED' && to !== 'DNS_FAILED') return null;
  if (to === 'READY' || to === 'ACTIVE') {
    const sign_in = await signIns({ id: deployment_id, userId: user_id });
    return { template: 'deployment_running', facts: { deployment_id, client_name, package: name, sign_in } };
  }
  if (to === 'DNS_FAILED') return { template: 'deployment_dns_failed', facts: { deployment_id, client_name, reason } };
  if (to === 'FAILED') return { template: 'deployment_failed', facts: { deployment_id, client_name, reason } };
  return null;
}

function reachabilityMessage({
  deployment_id,
  client_name,
  state,
  at,
  outage_from: from,
  is_mailed,
}: EventData<'deployment.reachability_changed'>): AccountMail | null {
  if (!is_mailed || from === null) return null;
  if (state === 'unreachable')
    return { template: 'deployment_unreachable', facts: { deployment_id, client_name, from } };
  return { template: 'deployment_reachable', facts: { deployment_id, client_name, from, at } };
}

@Injectable()
export class MailEvents {
  constructor(
    private readonly mails: Mails,
    private readonly signIns: SignIns,
  ) {}

  /** The mail's row is inserted in the transaction that marks the event, so each event mails once. */
  @OnEvent(...(Object.keys(MESSAGES) as AccountEventName[]))
  async mail(
    tx: Tx,
    { event_id, event_name, occurred_at: at, data: told }: ProductEvent<AccountEventName>,
  ): Promise<void> {
    const data = await withStoredOwner(tx, told);
    const account = data === null ? null : await recipient(tx, data.user_id);
    if (data === null || account === null) return;
    // the event's name and its data belong together: `OnEvent` is given the table's own names
    const messageOf = MESSAGES[event_name as AccountEventName] as MessageOf<typeof data> | undefined;
    const lookUp: LookUp = {
      at,
      signIns: async (deployment) => (await this.signIns.of(tx, deployment)).map(signInFacts),
    };
    const message = (await messageOf?.(data, account, lookUp)) ?? null;
    if (message === null || !isMailed(MAIL_KIND_OF[message.template] ?? 'security', account.muted_mails)) return;
    await this.mails.post(tx, {
      cause: `event:${event_id}`,
      recipient: account.email,
      userId: data.user_id,
      language: account.language,
      ...message,
    });
  }
}

/**
 * Replaces owner and name of a deployment by those of its row, because another service wrote the event. Returns null if there
 * is no such deployment.
 */
async function withStoredOwner<D extends object>(tx: Tx, data: D): Promise<D | null> {
  if (!('deployment_id' in data)) return data;
  const [row] = await tx.query<{ user_id: number; client_name: string }>(
    'select user_id, client_name from deployments where id = $1',
    [Number(data.deployment_id)],
  );
  return row === undefined ? null : { ...data, ...row };
}

const signInFacts = ({ title_texts: title, address, open_link, user }: SignInAnswer): SignInFacts => ({
  title,
  address: open_link ?? address,
  user,
});

async function recipient(tx: Tx, userId: number): Promise<Recipient | null> {
  const [row] = await tx.query<Recipient>(
    'select username, email, language, muted_mails from users where id = $1 and erased_at is null',
    [userId],
  );
  return row ?? null;
}
