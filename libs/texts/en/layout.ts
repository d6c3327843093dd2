import type { LayoutTexts } from '../mails/layout-texts';

/** Texts of the layout around an email. */
export const layout: LayoutTexts = {
  if_no_button: "If the button doesn't work, open this link:",
  why: 'You get this email because you have an account here.',
  unsubscribe: 'Unsubscribe from this type of email',
  links: {
    '/verify-email': 'Confirm email address',
    '/reset-password': 'Choose a new password',
    '/forgot-password': 'Choose a new password',
    '/login': 'Log in',
    '/signup': 'Sign up',
    '/account#data': 'Download your data',
    '/account': 'Open your account',
    '/billing': 'Open billing',
    '/deployments/': 'Open backups',
    '/dashboard?deployment=': 'Open the deployment',
    '/dashboard': 'Open the dashboard',
    '/create-deployment': 'Create a deployment',
    '/pricing': 'See pricing',
    '/referrals': 'Open referrals',
    '/admin-referrals': 'Open the requests',
    '/support-inbox': 'Open the inbox',
    '/support': 'Open the conversation',
    '/conversation': 'Open the conversation',
  },
};
