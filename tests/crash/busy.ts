import type { Answer } from '../journeys/customer';

/** Response while the database cannot serve. The client retries after five seconds. */
export const BUSY = [503, 'SERVICE_UNAVAILABLE', '5'];

export const shownRefusal = ({ status, headers, body }: Answer<unknown>): unknown[] => [
  status,
  (body as { code?: string }).code,
  headers.get('retry-after'),
];
