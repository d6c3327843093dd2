import { messageTable } from './message';

/** Refusals and answers of what people do with their own account. */
export const OWN_ACCOUNT_MESSAGES = messageTable('own_account', {
  password_wrong: 'This is not your password.',
  email_same: 'This is your email address already.',
  email_change_none: 'No change of your email address is waiting.',
  password_changed: 'Your password is changed. You were logged out everywhere else.',
  session_unknown: 'There is no such session.',
  session_this: 'This is the session you are using. Log out to end it.',
  session_ended: 'The session is ended.',
  sessions_ended: 'All other sessions are ended.',
  two_factor_on: 'Two-factor authentication is on already.',
  two_factor_off: 'Two-factor authentication is off.',
  two_factor_not_begun: 'Begin with the QR code first.',
  two_factor_ended: 'Two-factor authentication is off now.',
  code_needed: 'Enter a code of your authenticator app, or a recovery code.',
  code_wrong: 'This code is not right, or was used before. Wait for the next one.',
  mail_kind_fixed: 'Mails about security and money cannot be switched off.',
  export_running: 'An export is being prepared already.',
  export_unknown: 'There is no such export.',
  export_not_ready: 'This export is not ready yet.',
  export_ended: 'This export is no longer kept. Ask for a new one.',
  export_failed: 'This export could not be prepared. Ask for a new one.',
  delete_blocked:
    'Cannot delete account: You have %{count} active deployment(s). Please deactivate all deployments first.',
  delete_administrator:
    'Administrators cannot delete their own account. Ask another administrator to take the role from you first.',
  deleted: 'Your account has been deactivated. You will now be logged out.',
});
