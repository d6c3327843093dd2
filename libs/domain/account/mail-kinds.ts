/**
 * Kinds of email that users turn on and off on the account page. Emails about security, money and replies from support
 * cannot be turned off.
 */
export const MAIL_KINDS = {
  security: { canChange: false },
  money: { canChange: false },
  support: { canChange: false },
  deployment_ready: { canChange: true },
  deployment_trouble: { canChange: true },
  deployment_updates: { canChange: true },
  getting_started: { canChange: true },
} as const satisfies Readonly<Record<string, { readonly canChange: boolean }>>;

export type MailKind = keyof typeof MAIL_KINDS;
export const MAIL_KIND_NAMES = Object.keys(MAIL_KINDS) as [MailKind, ...MailKind[]];

/** Returns whether emails of this kind are sent to a user who turned off the kinds in `muted`. */
export function isMailed(kind: MailKind, muted: readonly string[]): boolean {
  return !MAIL_KINDS[kind].canChange || !muted.includes(kind);
}
