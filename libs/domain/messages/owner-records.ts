import { messageTable } from './message';

/** Messages about DNS records that are created at the owner's provider. */
export const OWNER_RECORD_MESSAGES = messageTable('owner_record', {
  differ: 'The zone has other records for %{hosts}. Nothing was changed. Confirm that they may be replaced.',
  token_form: 'A token has no spaces and up to %{most} characters. Copy it again completely.',
  token_refused: '%{provider} rejected the token. Copy it again completely, or create a new one.',
  permission: '%{provider} accepts the token, but it may not change DNS records. Create one with the permission shown.',
  zone_missing:
    'This token has no access to the zone of %{host} at %{provider}. Use a token of the account that manages the domain.',
  rate_limited: '%{provider} accepts no more requests at the moment. Wait a few minutes and try again.',
  rejected: '%{provider} rejected a record for %{host}. Set the records yourself, or try again.',
  unreachable: '%{provider} did not respond. Try again. Correct records are left as they are.',
  address_unknown: "The server's address isn't known yet. Try again when the server exists.",
  managed: 'We set the DNS records of this domain.',
  over: "Records can't be created for a deployment that has ended.",
  nothing: 'This deployment needs no DNS records.',
});
