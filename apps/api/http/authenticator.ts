import type { Caller } from './call-input';

/** The part of a request that authentication reads. */
export interface Bearing {
  readonly headers: { readonly authorization?: string | undefined };
}

export abstract class Authenticator {
  /** Looks the bearer up in the database at each call; UNAUTHENTICATED (401) when it is not valid. */
  abstract callerOf(request: Bearing): Promise<Caller>;
}
