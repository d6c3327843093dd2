import { cardName, Money } from '@moorage/domain';
import {
  backups,
  moment,
  offered,
  shownAt,
  shownDayAt,
  timeLeft,
  topUpChoices,
  usd,
  written,
} from '../../mails/mail-parts';
import type { BalanceEnd, Choice, MailTexts, TopUpOffer } from '../../mails/mail-facts';
import { dates } from '../dates';
import { hello, notYou } from './parts';

/** Emails about payments, credits and the balance. */
export const moneyMails = {
  free_credits_granted: ({ username, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Your free credits from ${name}`,
    text: [
      hello(username),
      `We approved your request. ${offered(credit, 'en')} of free credits were added to your account. They expire on ${moment(ends_at)}.`,
      `${publicUrl}/create-deployment`,
    ],
  }),
  free_credits_code: ({ code, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Your code for free credits from ${name}`,
    text: [
      'Hello,',
      `We approved your request. This code is worth ${offered(credit, 'en')} of free credits for 30 days. Sign up with it:`,
      `${publicUrl}/signup?ref=${code}`,
      `Your code: ${code}`,
      `It can be used once, until ${moment(ends_at)}. If you already have an account, enter it on the Referrals page:`,
      `${publicUrl}/referrals`,
    ],
  }),
  free_credits_rejected: ({ reason }, { name, publicUrl, supportEmail }) => ({
    subject: `Your request for free credits from ${name}`,
    text: [
      'Hello,',
      'Thank you for your interest. We could not approve your request for free credits this time:',
      ...written(reason),
      'You can sign up and top up at any time. You pay only for the hours that your deployments run:',
      `${publicUrl}/pricing`,
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  referral_approved: ({ username, other, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Your referral credit from ${name}`,
    text: [
      hello(username),
      `We reviewed your referral with ${other} and added a credit of ${offered(credit, 'en')} to your account. It expires on ${moment(ends_at)}.`,
      `${publicUrl}/referrals`,
    ],
  }),
  payment_received: ({ amount_micros, end }, { publicUrl }) => ({
    subject: `Payment received: ${usd(amount_micros, 'price')}`,
    text: [
      `We received your payment of ${usd(amount_micros, 'price')}. Thank you.`,
      ...lasts(end),
      'See your transactions:',
      `${publicUrl}/billing`,
    ],
  }),
  payment_refunded: ({ amount_micros, owed_micros, end }, { publicUrl }) => ({
    subject: `Payment refunded: ${usd(amount_micros, 'price')}`,
    text: [
      `We refunded ${usd(amount_micros, 'price')} of a payment to your card.`,
      ...owed(owed_micros),
      ...lasts(end),
      `${publicUrl}/billing`,
    ],
  }),
  payment_refund_failed: ({ amount_micros }, { publicUrl }) => ({
    subject: `Refund did not reach your card: ${usd(amount_micros, 'price')}`,
    text: [
      `Your bank did not accept a refund of ${usd(amount_micros, 'price')}. We added the amount to your balance again.`,
      'Write to us if you want it paid out another way.',
      `${publicUrl}/billing`,
    ],
  }),
  payment_disputed: ({ amount_micros, owed_micros, won, end }, { publicUrl }) => ({
    subject: won
      ? `Dispute settled: ${usd(amount_micros, 'price')}`
      : `Payment disputed: ${usd(amount_micros, 'price')}`,
    text: [
      won
        ? `The dispute over your payment was settled. We added ${usd(amount_micros, 'price')} to your balance again.`
        : `Your bank disputed a payment and took back ${usd(amount_micros, 'price')}.`,
      ...owed(owed_micros),
      ...lasts(end),
      `${publicUrl}/billing`,
    ],
  }),
  automatic_top_up_changed: (
    { username, enabled, threshold, amount_micros, cap_micros, card },
    { name, publicUrl, supportEmail },
  ) => ({
    subject: `Automatic top-up is ${enabled ? 'on' : 'off'} for ${name}`,
    text: [
      hello(username),
      enabled
        ? `Automatic top-up is on. We charge ${usd(amount_micros, 'price')} to ${card === null ? 'your saved card' : cardName(card)} when your balance ${threshold.kind === 'amount' ? `is below ${usd(Money.of(threshold.amount).micros.toString(), 'price')}` : `lasts for less than ${threshold.days === 1 ? 'one day' : `${threshold.days} days`}`}, and at most ${usd(cap_micros, 'price')} a month.`
        : 'Automatic top-up is off. We only charge your card when you make a payment yourself.',
      'You can change this at any time:',
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  automatic_top_up_stopped: ({ reason, brand, last4, end }, { publicUrl }) => {
    const card = brand === null || last4 === null ? 'your saved card' : cardName({ brand, last4 });
    const ofTheCard = 'Top up yourself, save a card while you do, and turn automatic top-up on again:';
    const again = 'You can turn it on again at any time:';
    const [why, next] = {
      declined: [
        `Your bank declined a charge to ${card}. We turned automatic top-up off, so that the card is not charged again and again.`,
        ofTheCard,
      ],
      authentication: [
        `Your bank requires you to confirm charges to ${card} yourself, which automatic top-up cannot do. We turned it off.`,
        ofTheCard,
      ],
      card_expired: [`The card ${card} has expired. We turned automatic top-up off.`, ofTheCard],
      refund: [
        'One of your payments was refunded. We turned automatic top-up off, so that your card is not charged for the same amount again.',
        again,
      ],
      dispute: [
        'One of your payments was disputed at your bank. We turned automatic top-up off, so that your card is not charged in the meantime.',
        again,
      ],
      adjustment: [
        'We reduced your balance. We turned automatic top-up off, so that your card is not charged for the difference.',
        again,
      ],
      preparation: [
        'Your deployments are being removed, so there is nothing left to pay. We turned automatic top-up off.',
        again,
      ],
      administrator: ['Our support team turned automatic top-up off. The reason is on the Activity page.', again],
    }[reason];
    return {
      subject: 'Automatic top-up was turned off',
      text: [why ?? '', ...lasts(end), next ?? '', `${publicUrl}/billing${next === ofTheCard ? '#add' : ''}`],
    };
  },
  automatic_top_up_cap: ({ username, cap_micros, end }, { publicUrl }) => ({
    subject: 'Your monthly limit for automatic top-up is reached',
    text: [
      hello(username),
      `Your balance is low, and another automatic top-up would exceed the limit of ${usd(cap_micros, 'price')} a month (UTC) that you set. There are no further automatic charges this month.`,
      ...lasts(end),
      'Top up yourself, or raise the limit:',
      ...topUps(end?.top_ups, publicUrl),
      `${publicUrl}/billing`,
    ],
  }),
  card_saved: ({ username, ...card }, { publicUrl, supportEmail }) => ({
    subject: `${cardName(card)} was saved for automatic top-ups`,
    text: [
      hello(username),
      `You agreed to save ${cardName(card)} with your last payment. We only charge it automatically while automatic top-up is on. You can turn that on, or remove the card, here:`,
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  balance_low: ({ at, ends_at, client_name, more = 0, locked_micros, top_ups, backup_days }, { publicUrl }) => ({
    subject: `Your balance lasts until ${shownDayAt(ends_at, dates, at)}${at === undefined ? '' : ` (${timeLeft({ at, ends_at }, dates)})`}`,
    text: [
      `Your balance lasts until ${shownAt(ends_at, dates, at)}. ${client_name}${more === 0 ? '' : ` and ${more} more`} would then be deleted.`,
      ...topUps(top_ups, publicUrl),
      ...lastBackup(backup_days),
      ...locked(locked_micros),
    ],
  }),
  grace_period_started: (
    { at, client_name, amount_micros, available_micros, ends_at, locked_micros, top_ups, backup_days },
    { publicUrl },
  ) => ({
    subject: `${client_name} will be deleted unless you top up by ${shownAt(ends_at, dates, at)}`,
    text: [
      `${client_name} costs ${usd(amount_micros, 'needed')} today, and your available balance is ${usd(available_micros, 'balance')}.`,
      `If your balance does not cover the charge by ${shownAt(ends_at, dates, at)}, the deployment is deleted${backup_days === undefined ? '. This cannot be undone' : ''}.`,
      ...topUps(top_ups, publicUrl),
      ...lastBackup(backup_days),
      ...locked(locked_micros),
    ],
  }),
  balance_depleted: ({ client_name, amount_micros, due_at, locked_micros, backup }, { publicUrl }) => ({
    subject: `${client_name} is being deleted because your balance ran out`,
    text: [
      `Your balance did not cover the charge of ${usd(amount_micros, 'needed')} for ${client_name}${due_at === undefined ? '' : `, which was due on ${shownAt(due_at, dates)}`}. The deployment is being deleted, and you were not charged.`,
      ...locked(locked_micros),
      `${publicUrl}/billing`,
      ...(backup === undefined
        ? []
        : [
            `We take a last backup first and keep it until ${shownAt(backup.until, dates, due_at)}. Until then you can restore it as a new deployment:`,
            backups(publicUrl, backup.deployment_id),
          ]),
    ],
  }),
} satisfies Partial<MailTexts>;

function owed(micros: string): string[] {
  return Money.fromMicrosText(micros).isZero
    ? []
    : [`Your balance did not cover this. You owe ${usd(micros, 'needed')}, which your next top-up pays first.`];
}

function locked(micros: string): string[] {
  return Money.fromMicrosText(micros).isPositive
    ? [
        `Your referral credits of ${usd(micros, 'balance')} do not count, because they require a regular balance of at least $5.00.`,
      ]
    : [];
}

const lasts = (end: BalanceEnd | undefined): string[] =>
  end === undefined
    ? []
    : [`Your balance lasts until ${shownAt(end.ends_at, dates, end.at)} (${timeLeft(end, dates)}).`];

const topUps = (offers: readonly TopUpOffer[] = [], publicUrl: string): Choice[] =>
  topUpChoices(offers, {
    publicUrl,
    otherwise: 'Add funds',
    labelOf: ({ amount_micros, runs_until }) =>
      `Add ${usd(amount_micros, 'needed')}${runs_until === null ? '' : ` to run until ${shownDayAt(runs_until, dates)}`}`,
  });

function lastBackup(days: number | undefined): string[] {
  return days === undefined
    ? []
    : [
        `We would take a last backup first and keep it for ${days} days, so that you can restore it as a new deployment.`,
      ];
}
