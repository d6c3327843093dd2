import { messageTable } from './message';

/** What is wrong with a DNS record or a certificate, and what to change. */
export const DNS_MESSAGES = messageTable('dns', {
  waiting: 'Waiting for the DNS records.',
  none: 'There is no %{type} record for %{host} yet. Add an %{type} record for %{host} with the value %{value}.',
  wrong_address:
    '%{host} leads to %{addresses}, not to your server. Change it to an %{type} record for %{host} with the value %{value}.',
  several_addresses: '%{host} has several addresses (%{addresses}). Keep only %{value}.',
  cname_elsewhere:
    '%{host} is an alias (CNAME) of %{cname}, which is not your server. Replace it by an %{type} record for %{host} with the value %{value}.',
  cname_unknown:
    '%{host} is an alias (CNAME) of another name, which is not your server. Replace it by an %{type} record for %{host} with the value %{value}.',
  aaaa_elsewhere: '%{host} has an AAAA record (%{addresses}) that is not your server. Remove it.',
  proxied: '%{host} is proxied by Cloudflare. Switch it to "DNS only".',
  zone_silent: 'The name servers of %{host} do not answer (%{error}).',
  no_answer: '%{host} could not be looked up (%{error} from %{resolver}).',
  not_everywhere_one:
    'The record for %{host} is right, but not everywhere yet: %{resolver} still gives another answer. This can take some time.',
  not_everywhere:
    'The record for %{host} is right, but not everywhere yet: %{resolvers} still give another answer. This can take some time.',
  not_right: 'The record for %{host} is not right yet.',
  caa_forbids:
    'A CAA record of %{host} does not allow %{authority} to issue certificates. Add one that does, or remove it.',
  caa_unreadable:
    'A CAA record of %{name} has no value or cannot be read. One without a value allows nobody to issue certificates. Remove it, or add one that allows %{authority} in its place.',
  caa_method:
    'A CAA record of %{name} allows %{authority} to issue certificates only after a validation of another kind. Add %{method} to its validationmethods, or remove them.',
  caa_account:
    'A CAA record of %{name} allows %{authority} to issue certificates only for another account. Remove accounturi from it, or add a record without it.',
  caa_critical:
    'A critical CAA record of %{name} has the property "%{tag}", which certificate authorities do not know, so that none issues a certificate. Remove that record.',
  caa_unanswered:
    'The CAA records of %{name} could not be looked up (%{error}), and without an answer no certificate is issued. Check where you manage the domain that all of its name servers answer, also when asked for CAA records that do not exist.',
});

export const CERTIFICATE_MESSAGES = messageTable('certificate', {
  asking: 'The router is asking for a certificate.',
  authority_says: 'The certificate authority says: %{words}',
  none_good: 'There is no good certificate for %{host} yet.',
  unreachable: "%{host} does not answer on port 443. Check your provider's firewall.",
  not_issued: 'No certificate has been issued for %{host} yet.',
  wrong_issuer: 'The certificate of %{host} comes from another authority than expected (%{issuer}).',
  staging: 'The certificate of %{host} comes from a test authority that browsers do not trust.',
  wrong_name: 'The certificate shown for %{host} is for another name.',
  expired: 'The certificate of %{host} has expired.',
  expires_soon: 'The certificate of %{host} expires in less than 20 days and has not been renewed.',
  refused_connection:
    'The certificate authority could not reach %{host} on port 80. Check the firewalls of your provider and your server.',
  refused_dns:
    'The certificate authority could not look up %{host}. Check where you manage the domain that all of its name servers answer.',
  refused_unauthorized:
    'The certificate authority reached another server under %{host}. Remove every A and AAAA record of it that is not your server.',
  refused_caa:
    'The certificate authority may not issue a certificate for %{host}: a CAA record forbids it. Change that record, or remove it.',
  refused_rate:
    'The certificate authority was asked for %{host} too often and refuses to issue a certificate for now. Wait before you try again.',
  refused_identifier:
    'The certificate authority refuses to issue a certificate for the name %{host}. A new deployment with another name is needed.',
  refused_server:
    'The certificate authority has a failure of its own and issued no certificate for %{host}. Try again later.',
  refused_other: 'The certificate authority issued no certificate for %{host}.',
  page_silent: '%{url} does not answer.',
  page_wrong: '%{url} answers %{answer}, which is not what a working one says.',
  page_otherwise: '%{url} does not answer as it should.',
});
