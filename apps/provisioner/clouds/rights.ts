/** The state of one right of our credentials. `unknown` means that the provider's response proved neither. */
export interface RightCheck {
  /** The provider's name of the right. */
  readonly name: string;
  readonly state: 'allowed' | 'missing' | 'unknown';
  /** The provider's message unless the right is allowed. */
  readonly words: string | null;
}

/** A limit of our account and how much of it is used. */
export interface QuotaUse {
  readonly name: string;
  /** Null for all regions together. */
  readonly region: string | null;
  readonly limit: number;
  readonly used: number;
}

export interface CloudCheck {
  readonly rights: readonly RightCheck[];
  /** Null if the provider's API does not report it. */
  readonly quota: readonly QuotaUse[] | null;
}

/** A right that an adapter needs, and a call that proves it without changing anything. */
export interface Right {
  readonly name: string;
  readonly prove: () => Promise<unknown>;
}

/** Checks rights against the provider's own list of granted rights. */
export const listedRights = (names: readonly string[], isGranted: (name: string) => boolean): RightCheck[] =>
  names.map((name) => ({ name, ...(isGranted(name) ? ALLOWED : NOT_LISTED) }));

const ALLOWED = { state: 'allowed', words: null } as const;
const NOT_LISTED = { state: 'missing', words: null } as const;
