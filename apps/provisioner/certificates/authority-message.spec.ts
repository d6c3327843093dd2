import { expect, it } from '@jest/globals';
import { authorityMessage } from './authority-message';

it.each([
  [
    "unable to generate a certificate for the domains [a.test]: error: one or more domains had a problem: [a.test] invalid authorization: acme: error: 400 :: urn:ietf:params:acme:error:connection :: Get 'http://a.test:80/x': dial tcp 127.9.9.9:80: connect: connection refused ",
    "connection: Get 'http://a.test:80/x': dial tcp 127.9.9.9:80: connect: connection refused",
  ],
  [
    'acme: error: 429 :: POST :: https://acme-v02.api.letsencrypt.org/acme/new-order :: urn:ietf:params:acme:error:rateLimited :: too many failed authorizations (5) for "a.test" in the last 1h0m0s, retry after 2026-11-21 12:00:00 UTC, url: ',
    'rateLimited: too many failed authorizations (5) for "a.test" in the last 1h0m0s, retry after 2026-11-21 12:00:00 UTC',
  ],
  ['cannot reach the authority', 'cannot reach the authority'],
])('extracts the message of the authority without the rest of the line', (logged, words) => {
  expect(authorityMessage(logged)).toBe(words);
});
