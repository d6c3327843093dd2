import type { Answer } from '../journeys/person';

/** What a call is answered with while the database cannot serve: the client tries again in five seconds. */
export const BUSY = [503, 'SERVICE_UNAVAILABLE', '5'];

export const shownRefusal = ({ status, headers, body }: Answer<unknown>): unknown[] => [
  status,
  (body as { code?: string }).code,
  headers.get('retry-after'),
];
