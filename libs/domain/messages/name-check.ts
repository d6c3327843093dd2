import { messageTable } from './message';

/** Problems of DNS records, and how to fix them. */
export const DNS_MESSAGES = messageTable('dns', {
  waiting: 'Waiting for the DNS records.',
  none: 'There is no %{type} record for %{host} yet. Add an %{type} record for %{host} with the value %{value}.',
  wrong_address:
    '%{host} points to %{addresses}, not to your server. Change it to an %{type} record for %{host} with the value %{value}.',
  several_addresses: '%{host} has several addresses (%{addresses}). Keep only %{value}.',
  cname_elsewhere:
    '%{host} is an alias (CNAME) of %{cname}, which is not your server. Replace it with an %{type} record for %{host} with the value %{value}.',
  cname_unknown:
    '%{host} is an alias (CNAME) of another name, which is not your server. Replace it with an %{type} record for %{host} with the value %{value}.',
  aaaa_elsewhere: '%{host} has an AAAA record (%{addresses}) that does not point to your server. Remove it.',
  proxied: '%{host} is proxied by Cloudflare. Switch it to "DNS only".',
  zone_silent: 'The name servers of %{host} are not responding (%{error}).',
  no_answer: '%{host} could not be looked up (%{error} from %{resolver}).',
  not_everywhere_one:
    'The record for %{host} is correct, but not everywhere yet. %{resolver} still returns a different answer. This can take some time.',
  not_everywhere:
    'The record for %{host} is correct, but not everywhere yet. %{resolvers} still return a different answer. This can take some time.',
  not_right: 'The record for %{host} is not correct yet.',
  caa_forbids:
    'A CAA record of %{host} does not allow %{authority} to issue certificates. Add one that does, or remove it.',
  caa_unreadable:
    "A CAA record of %{name} has no value or can't be read. Without a value, no authority can issue certificates. Remove it, or replace it with one that allows %{authority}.",
  caa_method:
    'A CAA record of %{name} allows %{authority} to issue certificates only with another validation method. Add %{method} to its validationmethods, or remove them.',
  caa_account:
    'A CAA record of %{name} allows %{authority} to issue certificates only for another account. Remove accounturi from it, or add a record without it.',
  caa_critical:
    'A critical CAA record of %{name} has the property "%{tag}", which certificate authorities don\'t know, so none of them issues a certificate. Remove that record.',
  caa_unanswered:
    'The CAA records of %{name} could not be looked up (%{error}), and no certificate is issued without an answer. Check with your DNS provider that all name servers of the domain respond, also to queries for CAA records that do not exist.',
});

export const CERTIFICATE_MESSAGES = messageTable('certificate', {
  asking: 'The router is requesting a certificate.',
  authority_says: 'The certificate authority reports: %{words}',
  none_good: 'There is no valid certificate for %{host} yet.',
  unreachable: "%{host} is not responding on port 443. Check your provider's firewall.",
  not_issued: 'No certificate has been issued for %{host} yet.',
  wrong_issuer: 'The certificate of %{host} comes from a different authority than expected (%{issuer}).',
  staging: 'The certificate of %{host} comes from a test authority that browsers do not trust.',
  wrong_name: 'The certificate of %{host} is for another name.',
  expired: 'The certificate of %{host} has expired.',
  expires_soon: 'The certificate of %{host} expires in less than 20 days and has not been renewed.',
  refused_connection:
    'The certificate authority could not reach %{host} on port 80. Check the firewalls of your provider and your server.',
  refused_dns:
    'The certificate authority could not look up %{host}. Check with your DNS provider that all name servers of the domain respond.',
  refused_unauthorized:
    'The certificate authority reached another server at %{host}. Remove every A and AAAA record of it that does not point to your server.',
  refused_caa:
    'A CAA record does not allow the certificate authority to issue a certificate for %{host}. Change that record, or remove it.',
  refused_rate:
    "The certificate authority has received too many requests for %{host} and won't issue a certificate for now. Wait before you try again.",
  refused_identifier: "The certificate authority won't issue a certificate for the name %{host}. Use another domain.",
  refused_server: 'The certificate authority has a problem and issued no certificate for %{host}. Try again later.',
  refused_other: 'The certificate authority issued no certificate for %{host}.',
  page_silent: '%{url} is not responding.',
  page_wrong: '%{url} responds with %{answer}, which a working application does not do.',
  page_otherwise: '%{url} does not respond as it should.',
});
