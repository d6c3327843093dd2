/** Kinds of mails as people switch them on and off on the account page; mails about security and money and answers of the support stay on. */
export const MAIL_KINDS = {
  security: { canChange: false },
  money: { canChange: false },
  support: { canChange: false },
  deployment_ready: { canChange: true },
  deployment_trouble: { canChange: true },
  getting_started: { canChange: true },
} as const satisfies Readonly<Record<string, { readonly canChange: boolean }>>;

export type MailKind = keyof typeof MAIL_KINDS;
export const MAIL_KIND_NAMES = Object.keys(MAIL_KINDS) as [MailKind, ...MailKind[]];

/** Is a mail of this kind sent to somebody who has switched these off? */
export function isMailed(kind: MailKind, muted: readonly string[]): boolean {
  return !MAIL_KINDS[kind].canChange || !muted.includes(kind);
}
