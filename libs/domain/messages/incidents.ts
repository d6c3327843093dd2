import { messageTable } from './message';

/** Descriptions of incidents in a sentence. Facts are whole numbers and names of hosts, containers and providers. */
export const INCIDENT_MESSAGES = messageTable('incidents', {
  server_gone: "%{provider} doesn't list the server any more.",
  server_off: 'The server is switched off at %{provider}.',
  server_off_by_account: 'The server was switched off at %{provider} by a user of the provider account.',
  server_off_by_itself: 'The server was shut down from within. %{provider} keeps it switched off.',
  server_off_by_provider: '%{provider} switched the server off.',
  down: "It doesn't respond at its address.",
  certificate_expired: 'The certificate of %{host} has expired. Browsers show a warning.',
  certificate_missing: '%{host} has no certificate. Browsers show a warning.',
  certificate_wrong: 'The certificate of %{host} was issued by another authority or for another name.',
  certificate_not_renewed: 'The certificate of %{host} expires in %{days} days and was not renewed.',
  dns_elsewhere: "%{host} doesn't point to the server.",
  disk: 'The disk is %{percent} % full.',
  memory_full: '%{percent} % of the memory is in use.',
  container_stopped: 'The container %{container} is not running.',
  container_restarting: 'The container %{container} keeps restarting.',
  slow: 'It takes %{seconds} seconds to respond.',
});

/** The same descriptions once an incident has ended. */
export const ENDED_INCIDENT_MESSAGES = messageTable('ended_incidents', {
  server_gone: "%{provider} didn't list the server.",
  server_off: 'The server was switched off at %{provider}.',
  server_off_by_account:
    'The server was switched off at %{provider} by a user of the provider account, and runs again.',
  server_off_by_itself: 'The server was shut down from within, and %{provider} kept it switched off.',
  server_off_by_provider: '%{provider} had switched the server off.',
  down: "It didn't respond at its address.",
  certificate_expired: 'The certificate of %{host} had expired. Browsers showed a warning.',
  certificate_missing: '%{host} had no certificate. Browsers showed a warning.',
  certificate_wrong: 'The certificate of %{host} had been issued by another authority or for another name.',
  certificate_not_renewed: 'The certificate of %{host} was to expire in %{days} days and had not been renewed.',
  dns_elsewhere: "%{host} didn't point to the server.",
  disk: 'The disk was %{percent} % full.',
  memory_full: '%{percent} % of the memory was in use.',
  container_stopped: 'The container %{container} was not running.',
  container_restarting: 'The container %{container} kept restarting.',
  slow: 'It took %{seconds} seconds to respond.',
});

/** Remedies for incidents. */
export const REMEDY_MESSAGES = messageTable('remedies', {
  server_gone:
    'We check again in a few minutes. If it was deleted at the provider, create the deployment again, from a backup if there is one.',
  server_off:
    'Start the server. It costs the same while it is switched off, because %{provider} keeps it reserved and charges us for it. To stop paying, delete the deployment.',
  down: 'A restart often helps. The logs show why it stopped.',
  certificate: 'Check that the DNS record points to the server and that port 80 is open, then restart.',
  certificate_kept: 'We keep the DNS record of this name. Check that port 80 is open, then restart.',
  certificate_wrong: 'If you put a proxy in front of the server, switch it off for this name, then restart.',
  dns_elsewhere: 'Set the DNS record to the address of the server.',
  dns_kept: 'We keep this DNS record and repair it automatically. You have nothing to set.',
  disk_full: 'Free space soon, or use a larger disk. At 100 % databases stop and backups fail.',
  disk_filling: 'Free space, or use a larger disk.',
  memory_full: 'Restart the container that uses the most, or use a server with more memory.',
  container_stopped: 'Start it with a restart. The logs show why it stopped.',
  container_restarting: 'The logs show why it stops. A wrong setting is the most frequent cause.',
  slow: 'Look at CPU and memory in the metrics. If they are high, use a larger server.',
});

/** Texts of a conversation that an incident has started. */
export const INCIDENT_SUPPORT_MESSAGES = messageTable('incident_support', {
  subject: 'Incident of %{name}',
  started: 'Our monitoring found this and started the conversation for you.',
});

/** Reasons why a server's figures are missing or why it can't be started. */
export const WATCH_MESSAGES = messageTable('watch', {
  not_started: 'The server of a deployment with the status "%{status}" can\'t be started.',
  server_runs: 'We have not found the server switched off.',
  host_silent: 'The server does not respond on its SSH port, so there are no figures for CPU, memory and disk.',
  host_refuses: 'The server rejects our SSH key, so there are no figures for CPU, memory and disk.',
  host_changed:
    'The server presents another SSH host key, so we did not log in. There are no figures for CPU, memory and disk.',
  host_unclear: 'The server did not report its figures. We ask again in five minutes.',
});
