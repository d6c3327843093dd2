/**
 * Links to the console that have a label, by the start of their path after the installation's address. The first match
 * applies.
 */
const LINK_STARTS = [
  '/verify-email',
  '/reset-password',
  '/forgot-password',
  '/login',
  '/signup',
  '/account#data',
  '/account',
  '/billing',
  '/deployments/',
  '/dashboard?deployment=',
  '/dashboard',
  '/create-deployment',
  '/pricing',
  '/referrals',
  '/admin-referrals',
  '/support-inbox',
  '/support',
  '/conversation',
] as const;

/** Texts of the layout around an email. */
export interface LayoutTexts {
  readonly if_no_button: string;
  readonly why: string;
  readonly unsubscribe: string;
  readonly links: Readonly<Record<(typeof LINK_STARTS)[number], string>>;
}

export function linkLabel(withinConsole: string, { links }: LayoutTexts): string | undefined {
  const start = LINK_STARTS.find((each) => withinConsole.startsWith(each));
  return start === undefined ? undefined : links[start];
}
