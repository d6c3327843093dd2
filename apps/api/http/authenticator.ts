import type { Caller } from './call-input';

/** All that is read of a request to know who it is. */
export interface Bearing {
  readonly headers: { readonly authorization?: string | undefined };
}

/** Looks a bearer up in the database at each call; UNAUTHENTICATED (401) when it opens nothing. */
export abstract class Authenticator {
  abstract callerOf(request: Bearing): Promise<Caller>;
}
