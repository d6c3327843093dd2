import { alertTitle, cardName, Money } from '@moorage/domain';
import {
  backups,
  conversation,
  dayShort,
  details,
  factLines,
  gigabytes,
  inbox,
  isDiskFull,
  moment,
  offered,
  timeLeft,
  usd,
  written,
} from './mail-parts';
import type { MailReason, MailTexts, SignInFacts, SupportFacts } from './mail-texts';

/** The texts of all mails in English: plain text, one function per mail. */
export const englishMails: MailTexts = {
  verify_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Verify your email address for ${name}`,
    text: [
      hello(username),
      'open this link to verify your email address. It works once, for 24 hours:',
      `${publicUrl}/verify-email?token=${token}`,
      'If you did not sign up, ignore this mail.',
    ],
  }),
  reset_password: ({ username, token }, { name, publicUrl }) => ({
    subject: `Choose a new password for ${name}`,
    text: [
      hello(username),
      'open this link to choose a new password. It works once, for one hour:',
      `${publicUrl}/reset-password?token=${token}`,
      'If you did not ask for it, ignore this mail: your password stays as it is.',
    ],
  }),
  password_changed: ({ username }, { name, supportEmail }) => ({
    subject: `Your ${name} password was changed`,
    text: [
      hello(username),
      'your password was changed. You were logged out everywhere else and every personal API token was revoked: make new tokens for your scripts.',
      `If it was not you, write to ${supportEmail} at once.`,
    ],
  }),
  confirm_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Confirm your new email address for ${name}`,
    text: [
      hello(username),
      'open this link to make this your email address. It works once, for 24 hours; until then your old address stays:',
      `${publicUrl}/verify-email?token=${token}`,
      'If you did not ask for it, ignore this mail.',
    ],
  }),
  email_changed: ({ username, email }, { name, supportEmail }) => ({
    subject: `Your ${name} email address was changed`,
    text: [
      hello(username),
      `your email address is ${email} now. Nothing more is sent to this one.`,
      notYou(supportEmail),
    ],
  }),
  two_factor_on: ({ username }, { name, supportEmail }) => ({
    subject: `Two-factor authentication is on for ${name}`,
    text: [
      hello(username),
      'from now on a code of your authenticator app is asked for when you log in. Keep your recovery codes where you find them without your phone.',
      notYou(supportEmail),
    ],
  }),
  two_factor_off: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Two-factor authentication is off for ${name}`,
    text: [
      hello(username),
      'only your password is asked for now when you log in. You can turn it on again here:',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_code_used: ({ username, left }, { name, publicUrl, supportEmail }) => ({
    subject: `A recovery code was used for ${name}`,
    text: [
      hello(username),
      `somebody logged in with one of your recovery codes. ${left === 1 ? 'One is' : `${left} are`} left; you can make new ones here:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_codes_renewed: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `New recovery codes for your ${name} account`,
    text: [
      hello(username),
      'New recovery codes were created for your account. The earlier ones no longer work, and all other sessions were ended.',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  support_acted: ({ username, act, deployment, reason }, { name, publicUrl, supportEmail }) => ({
    subject: deployment === null ? act.detail : `${act.detail}: ${deployment}`,
    text: [
      hello(username),
      `Our support team did this ${deployment === null ? 'on your account' : `for your deployment ${deployment}`}: ${act.detail}.`,
      'Reason:',
      ...written(reason),
      'You can see everything that was done on your account here:',
      `${publicUrl}/activity`,
      `If you did not expect this, write to ${supportEmail}. ${name} never asks for your password.`,
    ],
  }),
  code_refused: ({ username, paused }, { name, publicUrl, supportEmail }) => ({
    subject: `A wrong code was entered for your ${name} account`,
    text: [
      hello(username),
      paused
        ? 'Too many wrong codes were entered for your account after your correct password. Nobody was let in, and no more codes are accepted for up to 24 hours.'
        : 'A wrong code was entered for your account after your correct password. Nobody was let in.',
      'If it was you, you can ignore this email. If not, someone else knows your password. Choose a new one now:',
      `${publicUrl}/forgot-password`,
      notYou(supportEmail),
    ],
  }),
  api_token_made: ({ username, label, writes, administers, ends_at }, { name, publicUrl, supportEmail }) => ({
    subject: `A new API token for your ${name} account`,
    text: [
      hello(username),
      `The personal API token "${label}" was created. It may ${administers === true ? 'read, write and administer' : writes ? 'read and write' : 'read'}.${ends_at === undefined ? '' : ` It expires on ${moment(ends_at)}.`} You can revoke it here:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  api_token_network: ({ username, label, network, at }, { name, publicUrl, supportEmail }) => ({
    subject: `Your ${name} API token is used from a new network`,
    text: [
      hello(username),
      `The personal API token "${label}" was used from the network ${network} for the first time on ${moment(at)}. If you do not recognize this, revoke the token:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  account_made: ({ username, token }, { name, publicUrl, supportEmail }) => ({
    subject: `An account for you at ${name}`,
    text: [
      hello(username),
      `an administrator of ${name} made this account for you. Open this link to confirm your email address. It works once, for 24 hours:`,
      `${publicUrl}/verify-email?token=${token}`,
      'You get your password from the administrator. Change it when you have logged in:',
      `${publicUrl}/account`,
      `If you do not expect an account, write to ${supportEmail}.`,
    ],
  }),
  account_deactivated: ({ username }, { name, supportEmail }) => ({
    subject: `Your ${name} account was deactivated`,
    text: [
      hello(username),
      'your account was deactivated. Its sessions were ended and its API tokens revoked; nothing can be ordered or changed with it any more.',
      `If you want it back, or if it was not you, write to ${supportEmail}.`,
    ],
  }),
  account_reactivated: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Your ${name} account is back`,
    text: [
      hello(username),
      'your account was reactivated. You can log in again with your password:',
      `${publicUrl}/login`,
      'Its API tokens stay revoked: make new ones for your scripts.',
      `If you did not ask for it, write to ${supportEmail}.`,
    ],
  }),
  administrator_on: ({ username }, { name, supportEmail }) => ({
    subject: `You are an administrator of ${name} now`,
    text: [
      hello(username),
      `another administrator gave you the administrator role. You see and manage all accounts and deployments of ${name} now.`,
      `If you do not expect it, write to ${supportEmail} at once.`,
    ],
  }),
  administrator_off: ({ username }, { name, supportEmail }) => ({
    subject: `You are no longer an administrator of ${name}`,
    text: [
      hello(username),
      'another administrator took the administrator role from your account. You were logged out everywhere; your own deployments and your balance stay as they are.',
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployments_removed: ({ username, count, reason, backups_until = null }, { name, publicUrl, supportEmail }) => ({
    subject: `Your ${name} deployments are being removed`,
    text: [
      hello(username),
      `an administrator is removing ${count === 1 ? 'your deployment. It costs' : `your ${count} deployments. They cost`} nothing from now on, and hours that were paid and not used are back on your balance. What is on your own servers stays there.`,
      ...(reason === undefined ? [] : ['Reason:', ...written(reason)]),
      ...(backups_until === null ? [] : [`Their backups are kept until ${moment(backups_until)} at least.`]),
      `${publicUrl}/dashboard`,
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  export_ready: ({ username, days }, { name, publicUrl, supportEmail }) => ({
    subject: `The export of your ${name} data is ready`,
    text: [
      hello(username),
      `the export of your data is ready. You can download it for ${days} days here, after you have logged in:`,
      `${publicUrl}/account#data`,
      notYou(supportEmail),
    ],
  }),
  welcome: ({ username }, { name, publicUrl }) => ({
    subject: `Welcome to ${name}`,
    text: [
      hello(username),
      'your email address is verified. You can deploy now:',
      `${publicUrl}/create-deployment`,
      'Your balance and your credits are here:',
      `${publicUrl}/billing`,
    ],
  }),
  free_credits_granted: ({ username, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Your free credits from ${name}`,
    text: [
      hello(username),
      `your request was approved: ${offered(credit, 'en')} of free credits are on your account. They end on ${moment(ends_at)}.`,
      `${publicUrl}/create-deployment`,
    ],
  }),
  free_credits_code: ({ code, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Your code for free credits from ${name}`,
    text: [
      'Hello,',
      `your request was approved. This code is worth ${offered(credit, 'en')} of free credits for 30 days. Sign up with it:`,
      `${publicUrl}/signup?ref=${code}`,
      `The code by itself: ${code}`,
      `It works once, until ${moment(ends_at)}. If you have an account, enter it on your page of referrals:`,
      `${publicUrl}/referrals`,
    ],
  }),
  free_credits_rejected: ({ reason }, { name, publicUrl, supportEmail }) => ({
    subject: `Your request for free credits from ${name}`,
    text: [
      'Hello,',
      'thank you for your interest. This time we could not approve your request for free credits:',
      ...written(reason),
      'You can sign up and add funds at any time, and you pay only for days on which something runs:',
      `${publicUrl}/pricing`,
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  referral_approved: ({ username, other, ends_at, ...credit }, { name, publicUrl }) => ({
    subject: `Your referral credit from ${name}`,
    text: [
      hello(username),
      `your referral with ${other} was reviewed: a credit of ${offered(credit, 'en')} is on your account. It ends on ${moment(ends_at)}.`,
      `${publicUrl}/referrals`,
    ],
  }),
  free_credits_request: ({ email, user_id, message }, { name, publicUrl }) => ({
    subject: `[${name} free credits] ${email}`,
    text: [
      `${email}${user_id === null ? '' : `, account ${user_id}`} asks for free credits:`,
      ...written(message),
      'Decide within 24 hours:',
      `${publicUrl}/admin-referrals`,
    ],
  }),
  payment_received: ({ amount_micros }, { publicUrl }) => ({
    subject: `Payment received: ${usd(amount_micros, 'price')}`,
    text: [
      `We received your payment of ${usd(amount_micros, 'price')}. Thank you.`,
      'Your transactions:',
      `${publicUrl}/billing`,
    ],
  }),
  payment_refunded: ({ amount_micros, owed_micros }, { publicUrl }) => ({
    subject: `Payment refunded: ${usd(amount_micros, 'price')}`,
    text: [
      `${usd(amount_micros, 'price')} of a payment were refunded to you.`,
      ...owed(owed_micros),
      `${publicUrl}/billing`,
    ],
  }),
  payment_refund_failed: ({ amount_micros }, { publicUrl }) => ({
    subject: `Refund did not reach your card: ${usd(amount_micros, 'price')}`,
    text: [
      `Your bank did not accept a refund of ${usd(amount_micros, 'price')}, so the amount is back on your balance.`,
      'Please write to us if you want it paid out another way.',
      `${publicUrl}/billing`,
    ],
  }),
  payment_disputed: ({ amount_micros, owed_micros, won }, { publicUrl }) => ({
    subject: won
      ? `Dispute settled: ${usd(amount_micros, 'price')}`
      : `Payment disputed: ${usd(amount_micros, 'price')}`,
    text: [
      won
        ? `The dispute over your payment was settled: ${usd(amount_micros, 'price')} are back on your balance.`
        : `Your bank disputes a payment and took back ${usd(amount_micros, 'price')}.`,
      ...owed(owed_micros),
      `${publicUrl}/billing`,
    ],
  }),
  deployment_running: ({ deployment_id, client_name, package: name, sign_in = [] }, { publicUrl }) => {
    const isPasswordAsked = sign_in.some(({ user }) => user !== null);
    const link = `${details(publicUrl, deployment_id)}${sign_in.length === 0 ? '' : '#sign-in'}`;
    return {
      subject: `${client_name} is ready`,
      text: [
        `Your deployment ${client_name} (${name}) is running.`,
        ...sign_in.flatMap((row) => signInLines(row)),
        isPasswordAsked ? 'The password is in its details, and in no mail:' : 'Its details:',
        link,
      ],
    };
  },
  deployment_dns_failed: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `${client_name} needs its DNS records`,
    text: [
      `Your deployment ${client_name} runs, but cannot be reached under its domain yet.`,
      ...because(reason),
      'Set the records and choose "Retry DNS Validation":',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} has failed`,
    text: [
      `Your deployment ${client_name} has failed. It costs nothing from now on.`,
      ...because(reason),
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  backup_failed: ({ deployment_id, client_name, kind, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} could not be backed up`,
    text:
      kind === 'last'
        ? [
            `No last backup of your deployment ${client_name} could be taken before its removal.`,
            ...because(reason),
            'Backups that were taken before are kept for as long as its support level says. You can restore them as a new deployment:',
            backups(publicUrl, deployment_id),
            `Questions? Write to ${supportEmail}.`,
          ]
        : [
            `Your deployment ${client_name} could not be backed up, although we tried several times.`,
            ...because(reason),
            ...(isDiskFull(reason) ? ['Delete what you no longer need on the server, then back up again.'] : []),
            'Earlier backups are not affected, and the next daily backup is tried at its usual time. You can also back up now:',
            backups(publicUrl, deployment_id),
            `Questions? Write to ${supportEmail}.`,
          ],
  }),
  backup_quota_exceeded: ({ deployment_id, client_name, used_bytes, quota_bytes }, { publicUrl }) => ({
    subject: `The backups of ${client_name} need more space than included`,
    text: [
      `The backups of your deployment ${client_name} need ${gigabytes(used_bytes, 'en')}. Its support level includes ${gigabytes(quota_bytes, 'en')}.`,
      'So that new backups can be taken, the oldest ones are removed first. The newest backup is never removed.',
      'To keep backups for longer, delete data that you no longer need or choose a higher support level:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_damaged: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `A backup of ${client_name} did not pass its test`,
    text: [
      `We test backups regularly. A test of the backups of your deployment ${client_name} failed.`,
      ...because(reason),
      'Our operators have been notified. Until this is solved, take a new backup and keep a copy of your most important data yourself:',
      backups(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_restored: ({ deployment_id, client_name, taken_at, undo_until }, { publicUrl }) => ({
    subject: `${client_name}: backup restored`,
    text: [
      `The data of your deployment ${client_name} was replaced by the backup of ${moment(taken_at)}.`,
      `Until ${moment(undo_until)} you can undo the restore and get the data from before back:`,
      backups(publicUrl, deployment_id),
    ],
  }),
  deployment_restore_failed: ({ deployment_id, client_name, is_undo, reason }, { publicUrl, supportEmail }) => ({
    subject: is_undo ? `${client_name}: restore could not be undone` : `${client_name}: backup could not be restored`,
    text: [
      is_undo
        ? `The restore of a backup of your deployment ${client_name} could not be undone.`
        : `A backup of your deployment ${client_name} could not be restored.`,
      ...because(reason),
      'You can try again here:',
      backups(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_address_changed: ({ deployment_id, client_name, from, to, hosts }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} has a new address`,
    text: [
      `The provider has given the server of your deployment ${client_name} another address: ${to} instead of ${from}. The server itself is the same.`,
      ...(hosts.length === 0
        ? []
        : [
            `Until their A records point to ${to}, these names do not lead there: ${hosts.join(', ')}. We check the records at once and again by ourselves until they are right.`,
          ]),
      'The details always show the current address:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_unreachable: ({ deployment_id, client_name, from }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} does not answer`,
    text: [
      `Your deployment ${client_name} has not answered at its address since ${moment(from)}.`,
      'We go on checking and write again when it answers. A restart often helps; you find it in the details:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_reachable: ({ deployment_id, client_name, from, at }, { publicUrl }) => ({
    subject: `${client_name} answers again`,
    text: [
      `Your deployment ${client_name} answers again at its address. It did not from ${moment(from)} to ${moment(at)}.`,
      details(publicUrl, deployment_id),
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
        ? `automatic top-up is on: ${usd(amount_micros, 'price')} are charged to ${card === null ? 'your saved card' : cardName(card)} when your money ${threshold.kind === 'amount' ? `is below ${usd(Money.of(threshold.amount).micros.toString(), 'price')}` : `lasts for less than ${threshold.days === 1 ? 'one day' : `${threshold.days} days`}`}, at most ${usd(cap_micros, 'price')} a month.`
        : 'automatic top-up is off. Your card is not charged any more unless you pay yourself.',
      'You can change it at any time:',
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  automatic_top_up_stopped: ({ reason, brand, last4 }, { publicUrl }) => {
    const card = brand === null || last4 === null ? 'your saved card' : cardName({ brand, last4 });
    const ofTheCard = 'Add funds yourself, keep a card while you do, and turn automatic top-up on again:';
    const again = 'You can turn it on again at any time:';
    const [why, next] = {
      declined: [
        `Your bank declined to charge ${card}. Automatic top-up is off, so that the card is not tried again and again.`,
        ofTheCard,
      ],
      authentication: [
        `Your bank wants you to confirm charges of ${card} yourself. Automatic top-up is off: it cannot do that for you.`,
        ofTheCard,
      ],
      card_expired: [`The card has expired: ${card}. Automatic top-up is off.`, ofTheCard],
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
      text: [why ?? '', next ?? '', `${publicUrl}/billing${next === ofTheCard ? '#add' : ''}`],
    };
  },
  automatic_top_up_cap: ({ username, cap_micros }, { publicUrl }) => ({
    subject: 'The monthly limit of automatic top-up is reached',
    text: [
      hello(username),
      `your money is short, and another automatic top-up would take more than the ${usd(cap_micros, 'price')} you set for a month (UTC). Nothing more is charged by itself this month. Add funds yourself, or raise the limit:`,
      `${publicUrl}/billing`,
    ],
  }),
  card_saved: ({ username, ...card }, { publicUrl, supportEmail }) => ({
    subject: `${cardName(card)} is kept for automatic top-ups`,
    text: [
      hello(username),
      `with your last payment you agreed that ${cardName(card)} is kept. It is charged by itself only while automatic top-up is on. You can switch that on, or remove the card, here:`,
      `${publicUrl}/billing`,
      notYou(supportEmail),
    ],
  }),
  balance_low: ({ at, ends_at, client_name, locked_micros, backup_days }, { publicUrl }) => ({
    subject: `Your balance lasts until ${dayShort(ends_at, 'en')}${at === undefined ? '' : `, ${timeLeft(at, ends_at, 'en')}`}`,
    text: [
      `Your balance lasts until ${moment(ends_at)}. What stops first is ${client_name}: it would be destroyed then.`,
      ...lastBackup(backup_days),
      ...locked(locked_micros),
      'Add funds to keep it:',
      `${publicUrl}/billing`,
    ],
  }),
  support_message: (facts, { name, publicUrl }) => ({
    subject: `[${name} support] ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  package_request: (facts, { name, publicUrl }) => ({
    subject: `[${name} package request] ${facts.subject}`,
    text: [writtenBy(facts), `Package: ${facts.subject}`, ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_reply: (facts, { name, publicUrl }) => ({
    subject: `[${name} support] Re: ${facts.subject}`,
    text: [writtenBy(facts), ...written(facts.message), ...handling(facts, publicUrl)],
  }),
  support_due: (facts, { name, publicUrl }) => ({
    subject: `[${name} support] Due soon: ${facts.subject}`,
    text: [`${facts.name} <${facts.email}> still waits for an answer.`, ...handling(facts, publicUrl)],
  }),
  support_received: ({ subject, due_at, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Your message to ${name}` : `We received your message: ${subject}`,
    text: [
      'Hello,',
      due_at === null
        ? 'we received your message and will answer it by mail.'
        : `we received your message and will answer it by ${moment(due_at)}.`,
      place.token === null
        ? 'You can follow the conversation and add to it here:'
        : 'You can follow the conversation and add to it here. This link is yours alone:',
      conversation(publicUrl, place),
      ...(subject === null ? ['If you did not write to us, ignore this mail.'] : []),
    ],
  }),
  support_answered: ({ subject, message, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Answer to your message to ${name}` : `Re: ${subject}`,
    text: [...written(message), 'Reply here, this mailbox is not read:', conversation(publicUrl, place)],
  }),
  grace_period_started: (
    { client_name, amount_micros, available_micros, ends_at, locked_micros, backup_days },
    { publicUrl },
  ) => ({
    subject: `${client_name} will be destroyed unless you add funds`,
    text: [
      `${client_name} costs ${usd(amount_micros, 'needed')} today and ${usd(available_micros, 'balance')} are available.`,
      `If the charge is not covered by ${moment(ends_at)}, the deployment is destroyed${backup_days === undefined ? ', and that is final' : ''}.`,
      ...lastBackup(backup_days),
      ...locked(locked_micros),
      'Add funds to keep it:',
      `${publicUrl}/billing`,
    ],
  }),
  balance_depleted: ({ client_name, amount_micros, locked_micros, backup }, { publicUrl }) => ({
    subject: `${client_name} is being destroyed: the balance did not cover it`,
    text: [
      `The charge of ${usd(amount_micros, 'needed')} for ${client_name} was not covered, so the deployment is being destroyed. It was not charged.`,
      ...locked(locked_micros),
      `${publicUrl}/billing`,
      ...(backup === undefined
        ? []
        : [
            `A last backup is taken first. It is kept until ${moment(backup.until)}; until then you can restore it as a new deployment:`,
            backups(publicUrl, backup.deployment_id),
          ]),
    ],
  }),
  operator_alert: ({ kind, alerts, more }, { name, publicUrl }) => ({
    subject: `[${name} operations] ${alertTitle(kind)}`,
    text: [
      alertTitle(kind),
      ...alerts.map(({ subject, since, facts }) =>
        [`${subject === '' ? kind : `${kind} ${subject}`}, since ${moment(since)}`, ...factLines(facts)].join('; '),
      ),
      ...(more === 0 ? [] : [`And ${more} more of this kind.`]),
      'How things are now: npm run ops -- health, or, as an administrator:',
      `${publicUrl}/api/health/details`,
      'What to do about each kind is in docs/operating.md. This mail is repeated once a day while the alert is open.',
    ],
  }),
  books_sealed: ({ day, accounts, through_id, hash, sealed_at }, { name }) => ({
    subject: `[${name} operations] Seal of the books for ${day}`,
    text: [
      `Seal: ${hash}`,
      `Up to transaction ${through_id}, ${accounts} accounts, sealed ${moment(sealed_at)}.`,
      'Keep this mail: a seal that differs from the table ledger_seals shows that the books were changed afterwards.',
    ],
  }),
};

const hello = (username: string | null): string => (username === null ? 'Hello,' : `Hello ${username},`);

const notYou = (supportEmail: string): string =>
  `If it was not you, change your password and write to ${supportEmail} at once.`;

function writtenBy({ name, email, user_id }: Pick<SupportFacts, 'name' | 'email' | 'user_id'>): string {
  return `${name} <${email}>${user_id === null ? '' : `, account ${user_id}`} wrote:`;
}

function handling({ level, due_at = null, deployment = null, conversation_id }: SupportFacts, url: string): string[] {
  return [
    ...(deployment === null ? [] : [`Deployment: #${deployment.id} ${deployment.client_name}, ${deployment.status}`]),
    ...(level === undefined ? [] : [`Level ${level}`]),
    ...(due_at === null ? [] : [`To be answered by ${moment(due_at)}.`]),
    'Answer here, not by mail:',
    inbox(url, conversation_id),
  ];
}

function signInLines({ title, address, user }: SignInFacts): string[] {
  return [`${title.en}:`, address, ...(user === null ? [] : [`User name: ${user}`])];
}

function because(reason: MailReason): string[] {
  if (reason === null) return [];
  return [`Reason: ${typeof reason === 'string' ? reason : reason.detail}`];
}

function owed(micros: string): string[] {
  return Money.fromMicrosText(micros).isZero
    ? []
    : [
        `Your balance did not hold that much: ${usd(micros, 'needed')} are owed and are paid first by your next top-up.`,
      ];
}

function locked(micros: string): string[] {
  return Money.fromMicrosText(micros).isPositive
    ? [
        `Referral credits of ${usd(micros, 'balance')} do not help: they unlock only while the regular balance is at least 5.00.`,
      ]
    : [];
}

function lastBackup(days: number | undefined): string[] {
  return days === undefined
    ? []
    : [`A last backup would be taken first and kept for ${days} days, so that you can restore it as a new deployment.`];
}
