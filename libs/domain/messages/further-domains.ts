import { messageTable } from './message';

/** Messages about further domains of a deployment, which redirect to its address. */
export const FURTHER_DOMAIN_MESSAGES = messageTable('further_domain', {
  not_offered: "%{package} doesn't support further domains.",
  too_many: 'A deployment can have up to %{most} further domains. Remove one first.',
  own: 'This deployment already uses %{host}.',
  listed: '%{host} is already in the list.',
  taken: '%{host} belongs to another deployment.',
  unknown: "This domain isn't in the list.",
  given_up:
    'No matching DNS record appeared within %{days} days, so we stopped checking. Remove the domain, set the record and add the domain again.',
  in_use: 'The deployment itself now uses this name, so it no longer redirects. Remove it from the list.',
  server_failed: "The redirect couldn't be set up on the server. We try again automatically.",
});
