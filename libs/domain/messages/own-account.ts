import { messageTable } from './message';

/** Messages about changes that users make to their own account. */
export const OWN_ACCOUNT_MESSAGES = messageTable('own_account', {
  password_wrong: 'This password is incorrect.',
  email_same: 'This is already your email address.',
  email_change_none: 'No change of your email address is pending.',
  password_changed: 'Your password was changed. You were logged out everywhere else.',
  session_unknown: 'There is no such session.',
  session_this: 'This is the session you are using. Log out to end it.',
  session_ended: 'The session was ended.',
  sessions_ended: 'All other sessions were ended.',
  two_factor_on: 'Two-factor authentication is already on.',
  two_factor_off: 'Two-factor authentication is off.',
  two_factor_not_begun: 'Start with the QR code.',
  two_factor_ended: 'Two-factor authentication was turned off.',
  code_needed: 'Enter a code from your authenticator app, or a recovery code.',
  code_wrong: 'This code is incorrect or has already been used. Wait for the next one.',
  mail_kind_fixed: "Emails about security and billing can't be turned off.",
  export_running: 'An export is already being prepared.',
  export_unknown: 'There is no such export.',
  export_not_ready: 'This export is not ready yet.',
  export_ended: 'This export is no longer stored. Request a new one.',
  export_failed: "This export couldn't be prepared. Request a new one.",
  delete_blocked:
    'Cannot delete account: You have %{count} active deployment(s). Please deactivate all deployments first.',
  delete_administrator:
    "Administrators can't delete their own account. Ask another administrator to remove your role first.",
  deleted: 'Your account has been deactivated. You will now be logged out.',
});
