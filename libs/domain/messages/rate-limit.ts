import { type Message, messageTable } from './message';

/** Rate limit errors, and when to try again. */
export const RATE_LIMIT_MESSAGES = messageTable('rate_limit', {
  network_requests: 'Too many requests from your network.',
  requests: 'Too many requests.',
  logins: 'Too many login attempts.',
  network_logins: 'Too many login attempts from your network.',
  strange_logins:
    'Too many login attempts for this account from unknown networks. Reset your password to log in from here right away.',
  signups: 'Too many accounts were created from your network.',
  password_mails: 'Too many password emails were requested.',
  mail_sent: 'The email has already been sent.',
  links: 'Too many links were tried.',
  codes: 'Too many codes were tried.',
  server_checks: 'Too many servers were checked.',
  domain_changes: 'You can change the domain once every 15 minutes.',
  orders: 'Too many deployments were ordered.',
  failed_creations:
    'More than five of your deployments failed or were cancelled within 24 hours. Contact us before you try again.',
  reveals: 'Secrets were viewed too often.',
  configurations: 'The configuration was changed too often.',
  backup_downloads: 'Backups were downloaded too often.',
  ssh_keys: 'SSH keys were changed too often.',
  log_searches: 'Logs were searched too often.',
  container_restarts: 'Containers were restarted too often.',
  container_again: 'You can restart a container once a minute.',
  dns_records: 'DNS records were created too often.',
  dns_lookups: 'DNS providers were looked up too often.',
  buckets: 'Buckets were changed or checked too often.',
  checkouts: 'Too many payments were started.',
  test_payments: 'Too many test payments.',
  package_requests: 'Too many packages were requested.',
  credit_requests: 'Free credits were requested too often from this network.',
  messages: 'Too many messages were sent from your network.',
  replies: 'You have sent too many messages.',
  passwords: 'An incorrect password was entered too often.',
  one_time_codes: 'Too many codes were entered.',
  account_changes: 'The account was changed too often.',
  exports: 'Too many exports were requested.',
  tokens: 'Too many tokens were created.',
  documents: 'Too many documents were requested.',
  statements: 'Too many statements were requested.',
  mailbox: 'The mailbox was opened too often.',
  backups: 'You can request at most ten backups a day.',
  restores: 'Data was restored too often.',
  again_second: 'Try again in 1 second.',
  again_seconds: 'Try again in %{seconds} seconds.',
  again_minutes: 'Try again in %{minutes} minutes.',
  again_hours: 'Try again in %{hours} hours.',
  size_hourly: 'You can change the size once per clock hour. Try again at the next full hour.',
  price_deferred: 'The price of the new size takes effect at 00:00 UTC. Try again then.',
  level_hourly: 'You can change the support level once per clock hour. Try again at the next full hour.',
  repairs: 'You can request a restart or a DNS validation once every 15 minutes.',
});

/** Returns when to try again, in seconds up to 90 s, in minutes up to 90 min, and in hours beyond. */
export function againIn(seconds: number): Message {
  if (seconds === 1) return RATE_LIMIT_MESSAGES.again_second;
  if (seconds <= 90) return RATE_LIMIT_MESSAGES.again_seconds({ seconds });
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90
    ? RATE_LIMIT_MESSAGES.again_minutes({ minutes })
    : RATE_LIMIT_MESSAGES.again_hours({ hours: Math.ceil(minutes / 60) });
}
