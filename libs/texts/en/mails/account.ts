import { moment, written } from '../../mails/mail-parts';
import type { MailTexts } from '../../mails/mail-facts';
import { hello, notYou } from './parts';

/** Emails about the account and its security. */
export const accountMails = {
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
} satisfies Partial<MailTexts>;
