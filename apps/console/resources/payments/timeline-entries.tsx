import type { AdminPaymentDetailsAnswer } from '@moorage/contracts';
import {
  BookOpen,
  CircleCheck,
  CircleDashed,
  CircleX,
  CreditCard,
  HandCoins,
  type LucideIcon,
  Radio,
  Scale,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../texts/console-i18n';
import { shortInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { Amounts } from './amounts';

/** Event in the history of a payment. */
export interface Entry {
  readonly key: string;
  readonly at: string;
  readonly icon: LucideIcon;
  /** CSS class of the timeline. */
  readonly tone: 'ok' | 'need' | 'bad' | '';
  readonly title: string;
  readonly more: readonly ReactNode[];
}

type Text = ReturnType<typeof useText>;
type Payment = AdminPaymentDetailsAnswer;

/** Provider statuses of disputes that wait for a response. */
const WAITS = ['needs_response', 'warning_needs_response'];
/** Provider statuses of reversals that ended in our favour. */
const RETURNED = ['won', 'failed', 'canceled', 'warning_closed', 'prevented'];

/** Returns the events of a payment, oldest first. Events at the same instant are in causal order. */
export function entriesOf(payment: Payment, t: Text): readonly Entry[] {
  const entries = [
    opened(payment, t),
    ...payment.events.map((event) => eventEntry(event, t)),
    ...(payment.paid_at === null ? [] : [paid(payment, payment.paid_at, t)]),
    ...payment.refund_requests.map((request) => requestEntry(request, t)),
    ...payment.reversals.flatMap((reversal) => [
      reversalEntry(reversal, t),
      ...reversal.movements.map((movement) => movementEntry(movement, t)),
    ]),
    ...payment.ledger.map((row) => ledgerEntry(row, t)),
    ...payment.differences.map((difference) => differenceEntry(difference, t)),
  ];
  // The sort is stable, so causes, which come first above, stay first at the same instant.
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

const sum = (amount: number, sign = false): string => money(amount, { rounding: sign ? 'movement' : 'price', sign });

const opened = ({ id, kind, amount, created_at: at }: Payment, t: Text): Entry => ({
  key: `opened ${id}`,
  at,
  icon: CircleDashed,
  tone: '',
  title: t(kind === 'automatic' ? 'payments.life.charged' : 'payments.life.opened', { amount: sum(amount) }),
  more: [],
});

const paid = ({ id, amount }: Payment, at: string, t: Text): Entry => ({
  key: `paid ${id}`,
  at,
  icon: CircleCheck,
  tone: 'ok',
  title: t('payments.life.paid', { amount: sum(amount) }),
  more: [],
});

const eventEntry = ({ id, type, outcome, received_at: at }: Payment['events'][number], t: Text): Entry => ({
  key: `event ${id}`,
  at,
  icon: Radio,
  tone: outcome.startsWith('refused') ? 'bad' : outcome === 'waiting' ? 'need' : '',
  title: t('payments.life.event', { type }),
  more: [
    <>
      {outcome} <span className="mono muted">{id}</span>
    </>,
  ],
});

const requestEntry = (request: Payment['refund_requests'][number], t: Text): Entry => ({
  key: `request ${request.id}`,
  at: request.created_at,
  icon: HandCoins,
  tone: request.state === 'refused' ? 'bad' : request.state === 'asked' ? 'need' : 'ok',
  title: t('payments.life.request', { amount: sum(request.amount), name: request.requested_by }),
  more: [
    request.reason,
    request.refusal === null
      ? t(`payments.refund_states.${request.state}`)
      : t('payments.life.refusal', { refusal: request.refusal }),
  ],
});

function reversalEntry(reversal: Payment['reversals'][number], t: Text): Entry {
  const { id, kind, amount, status, reason, due_by: due, created_at: at, requested_by: by } = reversal;
  const waits = kind === 'dispute' && WAITS.includes(status);
  return {
    key: `reversal ${id}`,
    at,
    icon: kind === 'refund' ? Undo2 : Scale,
    tone: waits ? 'need' : kind === 'dispute' && !RETURNED.includes(status) ? 'bad' : '',
    title: t(kind === 'refund' ? 'payments.life.refund' : 'payments.life.dispute', { amount: sum(amount) }),
    more: [
      [status, reason].filter((word) => word !== null).join(', '),
      ...(waits && due !== null ? [<b key="due">{t('payments.life.due', { date: shortInstant(due) })}</b>] : []),
      ...(kind === 'refund' && by === null ? [t('payments.life.elsewhere')] : []),
      <span key="id" className="mono muted">
        {id}
      </span>,
    ],
  };
}

function movementEntry(movement: Payment['reversals'][number]['movements'][number], t: Text): Entry {
  const { id, kind, amount, posted, fee, created_at: at } = movement;
  return {
    key: `movement ${id}`,
    at,
    icon: CreditCard,
    tone: '',
    title: t(`payments.life.movements.${kind}`, { amount: sum(amount) }),
    more: [
      ...(posted === amount ? [] : [t('payments.life.posted', { posted: sum(posted) })]),
      ...(fee === 0 ? [] : [t('payments.life.fee', { fee: sum(fee) })]),
      <span key="id" className="mono muted">
        {id}
      </span>,
    ],
  };
}

const ledgerEntry = ({ id, type, amount, owed, created_at: at }: Payment['ledger'][number], t: Text): Entry => ({
  key: `ledger ${id}`,
  at,
  icon: BookOpen,
  tone: '',
  title: t('payments.life.ledger', { type: ledgerWord(type, t), amount: sum(amount, true) }),
  more:
    owed === 0 ? [] : [t(owed < 0 ? 'payments.life.owed' : 'payments.life.owed_paid', { amount: sum(Math.abs(owed)) })],
});

function ledgerWord(type: string, t: Text): string {
  switch (type) {
    case 'payment':
    case 'payment_refund':
    case 'refund_failed':
    case 'dispute':
    case 'dispute_won':
    case 'owed_paid':
      return t(`billing.tx.types.${type}`);
    default:
      return type;
  }
}

const differenceEntry = (difference: Payment['differences'][number], t: Text): Entry => ({
  key: `difference ${difference.id}`,
  at: difference.first_seen_at,
  icon: CircleX,
  tone: difference.resolved_at === null ? 'bad' : '',
  title: t('payments.life.difference', { kind: t(`payments.differences.${difference.kind}`) }),
  more: [
    <Amounts key="amounts" theirs={difference.theirs} ours={difference.ours} />,
    ...(difference.resolved_at === null ? [] : [endOf(difference.resolved_at, difference.settled, t)]),
  ],
});

function endOf(at: string, settled: Payment['differences'][number]['settled'], t: Text): string {
  const date = shortInstant(at);
  return settled === null ? t('payments.life.resolved', { date }) : t('payments.life.settled', { date, ...settled });
}
