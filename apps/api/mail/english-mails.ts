import { alertTitle, cardName, Money, type ReleaseKind } from '@moorage/domain';
import { dates } from '@moorage/texts/en/dates';
import {
  backups,
  conversation,
  dashboard,
  dayWithYear,
  details,
  factLines,
  gigabytes,
  inbox,
  isDiskFull,
  moment,
  offered,
  sentence,
  shownAt,
  shownDayAt,
  timeLeft,
  topUpChoices,
  usd,
  withoutStop,
  written,
} from './mail-parts';
import type {
  BalanceEnd,
  Choice,
  FailedUpdate,
  MailFacts,
  MailReason,
  MailTexts,
  SignInFacts,
  SupportFacts,
  TopUpOffer,
  VersionOffer,
} from './mail-texts';

/** English texts of all emails: plain text, one function per email. */
export const englishMails: MailTexts = {
  verify_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Verify your email address for ${name}`,
    text: [
      hello(username),
      'Open this link to verify your email address. It can be used once and expires in 24 hours:',
      `${publicUrl}/verify-email?token=${token}`,
      'If you did not sign up, you can ignore this email.',
    ],
  }),
  reset_password: ({ username, token }, { name, publicUrl }) => ({
    subject: `Choose a new password for ${name}`,
    text: [
      hello(username),
      'Open this link to choose a new password. It can be used once and expires in one hour:',
      `${publicUrl}/reset-password?token=${token}`,
      'If you did not request this, you can ignore this email. Your password stays the same.',
    ],
  }),
  password_changed: ({ username }, { name, supportEmail }) => ({
    subject: `Your ${name} password was changed`,
    text: [
      hello(username),
      'Your password was changed. You were logged out on all other devices and all API tokens were revoked. Create new tokens for your scripts.',
      `If this was not you, write to ${supportEmail} immediately.`,
    ],
  }),
  confirm_email: ({ username, token }, { name, publicUrl }) => ({
    subject: `Confirm your new email address for ${name}`,
    text: [
      hello(username),
      'Open this link to confirm this email address for your account. It can be used once and expires in 24 hours. Until then, your current address stays:',
      `${publicUrl}/verify-email?token=${token}`,
      'If you did not request this, you can ignore this email.',
    ],
  }),
  email_changed: ({ username, email }, { name, supportEmail }) => ({
    subject: `Your ${name} email address was changed`,
    text: [
      hello(username),
      `Your email address is now ${email}. We no longer send email to the old address.`,
      notYou(supportEmail),
    ],
  }),
  two_factor_on: ({ username }, { name, supportEmail }) => ({
    subject: `Two-factor authentication is on for ${name}`,
    text: [
      hello(username),
      "You'll now need a code from your authenticator app to log in. Keep your recovery codes somewhere you can reach without your phone.",
      notYou(supportEmail),
    ],
  }),
  two_factor_off: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Two-factor authentication is off for ${name}`,
    text: [
      hello(username),
      'You now log in with your password alone. You can turn two-factor authentication on again here:',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_code_used: ({ username, left }, { name, publicUrl, supportEmail }) => ({
    subject: `A recovery code was used for ${name}`,
    text: [
      hello(username),
      `One of your recovery codes was used to log in. You have ${left === 1 ? 'one code' : `${left} codes`} left. You can create new ones here:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  recovery_codes_renewed: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `New recovery codes for your ${name} account`,
    text: [
      hello(username),
      'New recovery codes were created for your account. The earlier codes no longer work, and you were logged out on all other devices.',
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  support_acted: ({ username, act, deployment, reason }, { name, publicUrl, supportEmail }) => ({
    subject: deployment === null ? act.detail : `${act.detail}: ${deployment}`,
    text: [
      hello(username),
      `Our support team made a change to ${deployment === null ? 'your account' : `your deployment ${deployment}`}: ${act.detail}.`,
      'Reason:',
      ...written(reason),
      'You can review all activity on your account here:',
      `${publicUrl}/activity`,
      `If you did not expect this, write to ${supportEmail}. ${name} never asks for your password.`,
    ],
  }),
  code_refused: ({ username, paused }, { name, publicUrl, supportEmail }) => ({
    subject: `A wrong code was entered for your ${name} account`,
    text: [
      hello(username),
      paused
        ? 'Someone entered your password correctly and then too many wrong codes. They were not logged in, and no codes are accepted for up to 24 hours.'
        : 'Someone entered your password correctly and then a wrong code. They were not logged in.',
      'If this was you, you can ignore this email. Otherwise someone else knows your password. Choose a new one now:',
      `${publicUrl}/forgot-password`,
      notYou(supportEmail),
    ],
  }),
  api_token_made: ({ username, label, writes, administers, ends_at }, { name, publicUrl, supportEmail }) => ({
    subject: `A new API token for your ${name} account`,
    text: [
      hello(username),
      `The API token "${label}" was created. It can ${administers === true ? 'read, write and administer' : writes ? 'read and write' : 'read'}.${ends_at === undefined ? '' : ` It expires on ${moment(ends_at)}.`} You can revoke it here:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  api_token_network: ({ username, label, network, at }, { name, publicUrl, supportEmail }) => ({
    subject: `Your ${name} API token was used from a new network`,
    text: [
      hello(username),
      `The API token "${label}" was first used from the network ${network} on ${moment(at)}. If you do not recognize this network, revoke the token:`,
      `${publicUrl}/account`,
      notYou(supportEmail),
    ],
  }),
  account_made: ({ username, token }, { name, publicUrl, supportEmail }) => ({
    subject: `Your new ${name} account`,
    text: [
      hello(username),
      `An administrator of ${name} created an account for you. Open this link to verify your email address. It can be used once and expires in 24 hours:`,
      `${publicUrl}/verify-email?token=${token}`,
      'The administrator will give you your password. Change it after you log in:',
      `${publicUrl}/account`,
      `If you did not expect this, write to ${supportEmail}.`,
    ],
  }),
  account_deactivated: ({ username }, { name, supportEmail }) => ({
    subject: `Your ${name} account was deactivated`,
    text: [
      hello(username),
      'Your account was deactivated. You were logged out on all devices and your API tokens were revoked. You can no longer log in.',
      `To restore your account, or if this was not you, write to ${supportEmail}.`,
    ],
  }),
  account_reactivated: ({ username }, { name, publicUrl, supportEmail }) => ({
    subject: `Your ${name} account was reactivated`,
    text: [
      hello(username),
      'Your account was reactivated. You can log in with your password:',
      `${publicUrl}/login`,
      'Your API tokens stay revoked. Create new ones for your scripts.',
      `If you did not request this, write to ${supportEmail}.`,
    ],
  }),
  administrator_on: ({ username }, { name, supportEmail }) => ({
    subject: `You are now an administrator of ${name}`,
    text: [
      hello(username),
      `Another administrator gave you the administrator role. You can now see and manage all users and deployments of ${name}.`,
      `If you did not expect this, write to ${supportEmail} immediately.`,
    ],
  }),
  administrator_off: ({ username }, { name, supportEmail }) => ({
    subject: `You are no longer an administrator of ${name}`,
    text: [
      hello(username),
      'Another administrator removed your administrator role. You were logged out on all devices. Your own deployments and your balance are not affected.',
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployments_removed: ({ username, count, reason, backups_until = null }, { name, publicUrl, supportEmail }) => ({
    subject: `Your ${name} deployments are being removed`,
    text: [
      hello(username),
      `An administrator is removing ${count === 1 ? 'your deployment. It no longer costs' : `your ${count} deployments. They no longer cost`} anything, and unused hours were refunded to your balance. Software on your own servers stays there.`,
      ...(reason === undefined ? [] : ['Reason:', ...written(reason)]),
      ...(backups_until === null ? [] : [`Backups are kept at least until ${moment(backups_until)}.`]),
      `${publicUrl}/dashboard`,
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  export_ready: ({ username, days }, { name, publicUrl, supportEmail }) => ({
    subject: `Your ${name} data export is ready`,
    text: [
      hello(username),
      `Your data export is ready. Log in to download it within the next ${days} days:`,
      `${publicUrl}/account#data`,
      notYou(supportEmail),
    ],
  }),
  welcome: ({ username }, { name, publicUrl }) => ({
    subject: `Welcome to ${name}`,
    text: [
      hello(username),
      'Your email address is verified. Create your first deployment:',
      `${publicUrl}/create-deployment`,
      'Check your balance and credits:',
      `${publicUrl}/billing`,
    ],
  }),
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
  free_credits_request: ({ email, user_id, message }, { name, publicUrl }) => ({
    subject: `[${name} free credits] ${email}`,
    text: [
      `${email}${user_id === null ? '' : `, account ${user_id}`} requests free credits:`,
      ...written(message),
      'Decide within 24 hours:',
      `${publicUrl}/admin-referrals`,
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
  deployment_running: ({ deployment_id, client_name, package: name, sign_in = [] }, { publicUrl }) => {
    const isPasswordAsked = sign_in.some(({ user }) => user !== null);
    const link = `${details(publicUrl, deployment_id)}${sign_in.length === 0 ? '' : '#sign-in'}`;
    return {
      subject: `${client_name} is ready`,
      text: [
        `Your deployment ${client_name} (${name}) is running.`,
        ...sign_in.flatMap((row) => signInLines(row)),
        isPasswordAsked
          ? 'The password is in the details of the deployment. We never send it by email:'
          : 'See its details:',
        link,
      ],
    };
  },
  deployment_dns_failed: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `Set the DNS records of ${client_name}`,
    text: [
      `Your deployment ${client_name} is running, but it cannot be reached at its domain yet.`,
      ...because(reason),
      'Set the records and choose "Retry DNS Validation":',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_certificate_refused: ({ deployment_id, client_name, reason }, { publicUrl }) => ({
    subject: `No certificate for ${client_name}`,
    text: [
      `Your deployment ${client_name} is running, but its domain has no certificate, so browsers can't open it safely.`,
      ...because(reason),
      'We try again automatically, less often each time. The details show when, and let you try again or change the domain:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} failed`,
    text: [
      `Your deployment ${client_name} failed. You are no longer charged for it.`,
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
            `We could not take a last backup of your deployment ${client_name} before removing it.`,
            ...because(reason),
            'Earlier backups are kept as long as its support level includes. You can restore them as a new deployment:',
            backups(publicUrl, deployment_id),
            `Questions? Write to ${supportEmail}.`,
          ]
        : [
            `We tried several times to back up your deployment ${client_name}, without success.`,
            ...because(reason),
            ...(isDiskFull(reason) ? ['Delete what you no longer need on the server, then back up again.'] : []),
            'Earlier backups are not affected. The next daily backup runs at its usual time. You can also back up now:',
            backups(publicUrl, deployment_id),
            `Questions? Write to ${supportEmail}.`,
          ],
  }),
  backup_bucket_failed: ({ deployment_id, client_name, bucket, reason }, { publicUrl }) => ({
    subject: `${client_name}: backups no longer reach your bucket`,
    text: [
      `The newest backup of your deployment ${client_name} could not be copied into your bucket ${bucket}.`,
      ...because(reason),
      'Our own backups are not affected. We try again several times, and again after each new backup; we will not email you about this failure again. You can check the bucket or change its keys here:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_quota_exceeded: ({ deployment_id, client_name, used_bytes, quota_bytes }, { publicUrl }) => ({
    subject: `The backups of ${client_name} exceed the included storage`,
    text: [
      `The backups of your deployment ${client_name} use ${gigabytes(used_bytes, 'en')}. Its support level includes ${gigabytes(quota_bytes, 'en')}.`,
      'We remove the oldest backups to make room for new ones. The newest backup is never removed.',
      'To keep backups for longer, delete data that you no longer need or choose a higher support level:',
      backups(publicUrl, deployment_id),
    ],
  }),
  backup_damaged: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `A backup of ${client_name} failed its test`,
    text: [
      `We test backups regularly. A test of the backups of your deployment ${client_name} failed.`,
      ...because(reason),
      'Our operators were notified. Until this is solved, take a new backup and keep your own copy of important data:',
      backups(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_restored: ({ deployment_id, client_name, taken_at, undo_until }, { publicUrl }) => ({
    subject: `${client_name}: backup restored`,
    text: [
      `The data of your deployment ${client_name} was replaced by the backup of ${moment(taken_at)}.`,
      `You can undo this until ${moment(undo_until)}:`,
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
  deployment_moved: ({ deployment_id, client_name, remove_at }, { publicUrl }) => ({
    subject: `${client_name} has moved`,
    text: [
      `Your deployment ${client_name} now runs with its data on its new server.`,
      `The old server keeps running until ${moment(remove_at)} and is charged until then. Check the new one, then you can remove the old one earlier or cancel the move:`,
      details(publicUrl, deployment_id),
      'Data that was written to the old server after its last backup is not on the new one.',
    ],
  }),
  deployment_move_failed: ({ deployment_id, client_name, reason }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} could not be moved`,
    text: [
      `Your deployment ${client_name} could not be moved. It keeps running on its old server.`,
      ...because(reason),
      'You can move it again in its settings:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_updated: ({ deployment_id, client_name, from, to, is_automatic }, { publicUrl }) => ({
    subject: `${client_name} now runs version ${to}`,
    text: [
      `Your deployment ${client_name} was updated from version ${from} to ${to}${is_automatic ? ', as chosen in its settings' : ''}. It responds with its data.`,
      'See what has changed in the details:',
      details(publicUrl, deployment_id),
    ],
  }),
  deployment_update_failed: (facts, { publicUrl, supportEmail }) => {
    const { subject, sentences } = failedUpdate(facts);
    return {
      subject,
      text: [
        sentences,
        ...because(facts.reason),
        afterFailedUpdate(facts),
        details(publicUrl, facts.deployment_id),
        `Questions? Write to ${supportEmail}.`,
      ],
    };
  },
  versions_available: ({ count, security, offers }, { publicUrl }) => ({
    subject: availableSubject({ count, security, offers }),
    text: [
      count === 1
        ? 'A newer version is available for your deployment. You choose when it is updated:'
        : 'Newer versions are available for these deployments. You choose when they are updated:',
      ...offers.flatMap(({ deployment_id, client_name, package_name, from, to, kind, security_in, change }) => [
        `${client_name}: ${package_name} ${to} (now ${from}), ${VERSION_KINDS[kind]}. ${sentence(change.en)}${securityAfter({ to, security_in })}`,
        details(publicUrl, deployment_id),
      ]),
      ...(count > offers.length
        ? [offers.length === 0 ? 'See your deployments:' : `And ${count - offers.length} more:`, dashboard(publicUrl)]
        : []),
      'A deployment can also be updated automatically. You can turn this on in its settings.',
    ],
  }),
  version_support_ends: (
    { deployment_id, client_name, package_name, version, until, has_ended, next },
    { publicUrl, supportEmail },
  ) => ({
    subject: has_ended
      ? `${client_name} no longer gets security fixes`
      : `Security fixes for ${client_name} end on ${dayWithYear(until, dates)}`,
    text: [
      has_ended
        ? `Your deployment ${client_name} runs ${package_name} ${version}. The makers of the software stopped fixing security problems in this version on ${dayWithYear(until, dates)}.`
        : `Your deployment ${client_name} runs ${package_name} ${version}. The makers of the software fix security problems in this version until ${dayWithYear(until, dates)}.`,
      next === null
        ? 'We do not offer a newer version for it yet. See the details:'
        : `You can update it to version ${next} in the details:`,
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_address_changed: ({ deployment_id, client_name, from, to, hosts }, { publicUrl, supportEmail }) => ({
    subject: `${client_name} has a new address`,
    text: [
      `The provider changed the address of your deployment ${client_name} from ${from} to ${to}. The server itself is the same.`,
      ...(hosts.length === 0
        ? []
        : [
            `These names won't work until their A records point to ${to}: ${hosts.join(', ')}. We check the records automatically until they are correct.`,
          ]),
      'See the current address in the details:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_incident: ({ deployment_id, client_name, from, what, remedy }, { publicUrl, supportEmail }) => ({
    subject: `${client_name}: ${withoutStop(what.detail)}`,
    text: [
      `Something has been wrong with your deployment ${client_name} since ${moment(from)}:`,
      ...written(what.detail),
      ...written(remedy.detail),
      'We keep checking and will notify you when it is over. See the details:',
      details(publicUrl, deployment_id),
      `Questions? Write to ${supportEmail}.`,
    ],
  }),
  deployment_incident_ended: ({ deployment_id, client_name, from, to, what }, { publicUrl }) => ({
    subject: `Over: ${client_name}: ${withoutStop(what.detail)}`,
    text: [
      `We reported this about your deployment ${client_name}, and it is over now:`,
      ...written(what.detail),
      `It lasted from ${moment(from)} to ${moment(to)}. See the details:`,
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
    text: [`${facts.name} <${facts.email}> is still waiting for an answer.`, ...handling(facts, publicUrl)],
  }),
  support_received: ({ subject, due_at, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Your message to ${name}` : `We received your message: ${subject}`,
    text: [
      'Hello,',
      due_at === null
        ? 'We received your message and will answer by email.'
        : `We received your message and will answer by ${moment(due_at)}.`,
      place.token === null
        ? 'You can read and continue the conversation here:'
        : 'You can read and continue the conversation here. Do not share this link:',
      conversation(publicUrl, place),
      ...(subject === null ? ['If you did not write to us, you can ignore this email.'] : []),
    ],
  }),
  support_answered: ({ subject, message, ...place }, { name, publicUrl }) => ({
    subject: subject === null ? `Answer to your message to ${name}` : `Re: ${subject}`,
    text: [...written(message), 'Reply here. We do not read email to this address:', conversation(publicUrl, place)],
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
  operator_alert: ({ kind, alerts, more }, { name, publicUrl }) => ({
    subject: `[${name} operations] ${alertTitle(kind)}`,
    text: [
      alertTitle(kind),
      ...alerts.map(({ subject, since, facts }) =>
        [`${subject === '' ? kind : `${kind} ${subject}`}, since ${moment(since)}`, ...factLines(facts)].join('; '),
      ),
      ...(more === 0 ? [] : [`And ${more} more of this kind.`]),
      'Check the current state with "npm run ops -- health" or, as an administrator, here:',
      `${publicUrl}/api/health/details`,
      'docs/operating.md says what to do about each kind of alert. This email is repeated once a day while the alert is open.',
    ],
  }),
  books_sealed: ({ day, accounts, through_id, hash, sealed_at }, { name }) => ({
    subject: `[${name} operations] Ledger seal for ${day}`,
    text: [
      `Seal: ${hash}`,
      `Up to transaction ${through_id}, ${accounts} accounts, sealed ${moment(sealed_at)}.`,
      'Keep this email. If the seal differs from the table ledger_seals, the ledger was changed afterwards.',
    ],
  }),
};

const hello = (username: string | null): string => (username === null ? 'Hello,' : `Hello ${username},`);

const notYou = (supportEmail: string): string =>
  `If this was not you, change your password and write to ${supportEmail} immediately.`;

function writtenBy({ name, email, user_id }: Pick<SupportFacts, 'name' | 'email' | 'user_id'>): string {
  return `${name} <${email}>${user_id === null ? '' : `, account ${user_id}`} wrote:`;
}

function handling({ level, due_at = null, deployment = null, conversation_id }: SupportFacts, url: string): string[] {
  return [
    ...(deployment === null ? [] : [`Deployment: #${deployment.id} ${deployment.client_name}, ${deployment.status}`]),
    ...(level === undefined ? [] : [`Level ${level}`]),
    ...(due_at === null ? [] : [`To be answered by ${moment(due_at)}.`]),
    'Answer here, not by email:',
    inbox(url, conversation_id),
  ];
}

function signInLines({ title, address, user }: SignInFacts): string[] {
  return [`${title.en}:`, address, ...(user === null ? [] : [`Username: ${user}`])];
}

function because(reason: MailReason): string[] {
  if (reason === null) return [];
  return [`Reason: ${typeof reason === 'string' ? reason : reason.detail}`];
}

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

function failedUpdate({ client_name, from, to, outcome, is_automatic }: FailedUpdate): {
  subject: string;
  sentences: string;
} {
  const update = `The ${is_automatic ? 'automatic update' : 'update'} of your deployment ${client_name} to version ${to}`;
  switch (outcome) {
    case 'not_begun':
      return {
        subject: `${client_name} was not updated to version ${to}`,
        sentences: `${update} was not started. The deployment runs version ${from} as before.`,
      };
    case 'undone':
      return {
        subject: `The update of ${client_name} to version ${to} was undone`,
        sentences: `${update} failed and was undone. The deployment runs version ${from} again, with the data from before the update.`,
      };
    case 'not_undone':
      return {
        subject: `${client_name} does not run after an update`,
        sentences: `${update} failed, and version ${from} could not be started again. The data from before the update is on the server.`,
      };
  }
}

function afterFailedUpdate({ outcome, is_automatic, rollout }: FailedUpdate): string {
  if (outcome === 'not_undone') return 'See the details:';
  switch (rollout) {
    case 'rolling':
      return is_automatic
        ? 'It will not be tried again automatically. You can try again in the details:'
        : 'You can try again in the details:';
    case 'stopped':
      return 'We will not offer this version again until the cause is known. See the details:';
    case 'withdrawn':
      return 'We no longer offer this version. See the details:';
  }
}

const VERSION_KINDS: Readonly<Record<ReleaseKind, string>> = {
  security: 'with security fixes',
  patch: 'with bug fixes',
  minor: 'with new features',
};

const securityAfter = ({ to, security_in }: Pick<VersionOffer, 'to' | 'security_in'>): string =>
  security_in === null || security_in === to ? '' : ` A security update to version ${security_in} follows after it.`;

function availableSubject({ count, security, offers: [first] }: MailFacts['versions_available']): string {
  if (count === 1 && first !== undefined)
    return security > 0
      ? `Security update for ${first.client_name}: version ${first.security_in ?? first.to}`
      : `Version ${first.to} is available for ${first.client_name}`;
  const deployments = (number: number): string => (number === 1 ? 'one deployment' : `${number} deployments`);
  return security > 0
    ? `Security updates are available for ${deployments(security)}`
    : `New versions are available for ${deployments(count)}`;
}
