import { type Message, messageTable } from './message';

/** What was done too often, and when to come back. */
export const RATE_LIMIT_MESSAGES = messageTable('rate_limit', {
  network_requests: 'Too many requests from your network.',
  requests: 'Too many requests.',
  logins: 'Too many login attempts.',
  network_logins: 'Too many login attempts from your network.',
  strange_logins:
    'Too many login attempts for this account from networks it does not know. Reset your password to log in from here at once.',
  signups: 'Too many accounts were made from your network.',
  password_mails: 'Too many password mails were asked for.',
  mail_sent: 'The mail was sent already.',
  links: 'Too many links were tried.',
  codes: 'Too many codes were tried.',
  server_checks: 'Too many servers were checked.',
  domain_changes: 'The domain can be changed once in 15 minutes.',
  orders: 'Too many deployments were ordered.',
  failed_creations:
    'More than five of your deployments failed or were cancelled within 24 hours. Ask us for help before you try again.',
  reveals: 'Secrets were shown too often.',
  backup_downloads: 'Backups were downloaded too often.',
  buckets: 'Buckets were changed or checked too often.',
  checkouts: 'Too many payments were begun.',
  test_payments: 'Too many test payments.',
  package_requests: 'Too many packages were asked for.',
  credit_requests: 'Free credits were asked for too often from this network.',
  messages: 'Too many messages came from your network.',
  replies: 'You have written very much just now.',
  passwords: 'The password was wrong too often.',
  one_time_codes: 'Too many codes were entered.',
  account_changes: 'The account was changed too often.',
  exports: 'Too many exports were asked for.',
  tokens: 'Too many tokens were created.',
  documents: 'Too many documents were requested.',
  statements: 'Too many statements were requested.',
  mailbox: 'The mailbox was opened too often.',
  backups: 'At most ten backups a day can be requested.',
  restores: 'Data was restored too often.',
  again_second: 'Try again in 1 second.',
  again_seconds: 'Try again in %{seconds} seconds.',
  again_minutes: 'Try again in %{minutes} minutes.',
  again_hours: 'Try again in %{hours} hours.',
  level_hourly: 'The support level can be changed once per clock hour. Try again at the next full hour.',
  repairs: 'Restart and DNS validation can be asked for once in 15 minutes.',
});

/** When to come back, in a unit a person can wait in. */
export function againIn(seconds: number): Message {
  if (seconds === 1) return RATE_LIMIT_MESSAGES.again_second;
  if (seconds <= 90) return RATE_LIMIT_MESSAGES.again_seconds({ seconds });
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90
    ? RATE_LIMIT_MESSAGES.again_minutes({ minutes })
    : RATE_LIMIT_MESSAGES.again_hours({ hours: Math.ceil(minutes / 60) });
}
