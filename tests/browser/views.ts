import type { Page } from 'playwright-core';
import type { Product } from '../journeys/product';
import { choose } from './choose';
import type { Seeded } from './seeded';

/** Something to check, either a page or something that opens over it. */
export interface View {
  /** Name of its screenshot. */
  readonly name: string;
  /** Address as in the router. */
  readonly at: string;
  /** File of what opens over the page here. */
  readonly opens?: string;
  /** Width to which the view is restricted. */
  readonly only?: 390 | 1440;
  /** Opens the view. Works in every language, by address, field name or position. */
  readonly show: (page: Page) => Promise<void>;
}

export interface Reported {
  readonly product: Product;
  readonly seeded: Seeded;
}

/** Follows a link like the page itself. Nothing is reloaded, and anything that was open is closed. */
async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    for (const heading of document.querySelectorAll<HTMLElement>('h1')) heading.dataset.old = '';
    document.querySelector<HTMLElement>('.support-panel:not([hidden]) header button')?.click();
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
    dispatchEvent(new Event('moorage:went'));
  }, address);
  await page.locator('main h1:not([data-old])').first().waitFor();
}

export const go =
  (address: string, then?: (page: Page) => Promise<unknown>) =>
  async (page: Page): Promise<void> => {
    // Goes through a page of the other layout, so that no menu, draft in memory or filter is kept.
    if (new URL(page.url()).pathname !== '/cancel') await follow(page, '/cancel');
    await follow(page, address);
    await then?.(page);
  };

/** Opens the wizard without the data of earlier views. */
export const wizardAnew =
  (then: (page: Page) => Promise<unknown>) =>
  async (page: Page): Promise<void> => {
    await follow(page, '/');
    await page.evaluate(() => sessionStorage.clear());
    await go('/create-deployment?step=package', then)(page);
  };

/** Number of requests so far, because emails to an address are limited. */
let requested = 0;

const VISITED = {
  id: 1,
  kind: 'contact',
  subject: 'Does the price of a day include the traffic of a day?',
  state: 'closed',
  created_at: '2026-11-20T08:00:00.000Z',
  last_at: '2026-11-20T10:00:00.000Z',
  due_at: null,
  deployment: null,
  email: 'visitor@example.org',
  entries: [
    {
      id: 0,
      by: 'person',
      what: 'message',
      message: 'We would like to move our portal.\n\nDoes it?',
      at: '2026-11-20T08:00:00.000Z',
    },
    { id: 1, by: 'support', what: 'message', message: 'It does.', at: '2026-11-20T09:00:00.000Z' },
    { id: 2, by: 'support', what: 'closed', message: '', at: '2026-11-20T10:00:00.000Z' },
  ],
  is_full: false,
};

/** Public pages, as a visitor sees them. */
export const visitorPages = ({ seeded }: Reported): readonly View[] => [
  { name: 'home', at: '/', show: go('/') },
  {
    name: 'visitors-menu',
    at: '/',
    only: 390,
    async show(page) {
      await page.locator('.pop .me').click();
      await page.locator('.pop-list').waitFor();
    },
  },
  { name: 'pricing', at: '/pricing', show: go('/pricing', (page) => page.locator('details.q').first().waitFor()) },
  {
    name: 'pricing-answers',
    at: '/pricing',
    async show(page) {
      const closed = page.locator('details.q:not([open]) summary');
      while ((await closed.count()) > 0) await closed.first().click();
      await page.locator('details.q').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'request-credits',
    at: '/pricing',
    opens: 'parts/free-credits/request-credits.tsx',
    show: go('/pricing', async (page) => {
      await page.locator('main [aria-haspopup=dialog]').click();
      await page.locator('.request-credits button.primary').click();
      await page.locator('.request-credits [aria-invalid=true]').first().waitFor();
    }),
  },
  {
    name: 'login',
    at: '/login',
    async show(page) {
      await page.keyboard.press('Escape');
      await page.locator('.request-credits').waitFor({ state: 'hidden' });
      await go('/login')(page);
    },
  },
  {
    name: 'login-refused',
    at: '/login',
    async show(page) {
      await page.locator('input[type=email]').fill('nobody@example.com');
      await page.locator('input[type=password]').fill('not the password');
      await page.locator('form .btn.primary').click();
      await page.locator('[role=alert]:not(:empty)').first().waitFor();
    },
  },
  {
    name: 'login-code',
    at: '/login',
    show: go('/login', async (page) => {
      await page.route(
        '**/api/auth/login',
        (route) => route.fulfill({ status: 401, json: { detail: 'Enter the code.', code: 'OTP_REQUIRED' } }),
        { times: 1 },
      );
      await page.locator('input[type=email]').fill('nobody@example.com');
      await page.locator('input[type=password]').fill('not the password');
      await page.locator('form .btn.primary').click();
      await page.locator('input[autocomplete=one-time-code]').waitFor();
    }),
  },
  { name: 'login-for-account', at: '/login', show: go('/login?next=%2Faccount') },
  { name: 'signup', at: '/signup', show: go(`/signup?ref=${seeded.referralCode}`) },
  {
    name: 'signup-refused',
    at: '/signup',
    async show(page) {
      const passwords = page.locator('input[type=password]');
      await passwords.first().fill('short');
      await passwords.last().fill('other');
      await page.locator('form .btn.primary').click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  { name: 'forgot', at: '/forgot-password', show: go('/forgot-password') },
  {
    name: 'forgot-sent',
    at: '/forgot-password',
    async show(page) {
      requested += 1;
      await page.locator('input[type=email]').fill(`nobody${requested}@example.com`);
      await page.locator('form .btn.primary').click();
      await page.locator('form').waitFor({ state: 'detached' });
    },
  },
  { name: 'reset', at: '/reset-password', show: go('/reset-password?token=a-token-of-long-ago') },
  {
    name: 'reset-refused',
    at: '/reset-password',
    async show(page) {
      for (const field of await page.locator('input[type=password]').all()) await field.fill('another horse');
      await page.locator('form .btn.primary').click();
      await page.locator('[role=alert]:not(:empty)').first().waitFor();
    },
  },
  { name: 'verify', at: '/verify-email', show: go('/verify-email?token=a-token-of-long-ago') },
  {
    name: 'verify-refused',
    at: '/verify-email',
    async show(page) {
      await page.locator('form .btn.primary').click();
      await page.locator('[role=alert]:not(:empty)').first().waitFor();
    },
  },
  { name: 'unsubscribe', at: '/unsubscribe', show: go('/unsubscribe?token=k1.a-token-of-long-ago-0000') },
  {
    name: 'unsubscribe-refused',
    at: '/unsubscribe',
    async show(page) {
      await page.locator('form .btn.primary').click();
      await page.locator('[role=alert]:not(:empty)').first().waitFor();
    },
  },
  { name: 'verify-without-token', at: '/verify-email', show: go('/verify-email') },
  { name: 'success-signed-out', at: '/success', show: go('/success?session_id=cs_seen_before') },
  { name: 'cancel', at: '/cancel', show: (page) => follow(page, '/').then(() => follow(page, '/cancel')) },
  { name: 'deactivated', at: '/account-deactivated', show: go('/account-deactivated') },
  {
    name: 'conversation-refused',
    at: '/conversation',
    show: go('/conversation#a-token-of-long-ago', (page) => page.locator('[role=alert]:not(:empty)').first().waitFor()),
  },
  {
    name: 'conversation',
    at: '/conversation',
    async show(page) {
      // Its link is in an email to a visitor without an account, which cannot be read by a call.
      await page.route('**/api/support/visits', (route) => route.fulfill({ json: VISITED }), { times: 1 });
      await go('/conversation#a-token-of-today', (shown) => shown.locator('.conversation form').waitFor())(page);
    },
  },
  {
    name: 'support-visitor',
    at: '/account-deactivated',
    opens: 'parts/support/support-panel.tsx',
    show: go('/account-deactivated', async (page) => {
      await page.locator('main [aria-haspopup=dialog]').click();
      await page.locator('.support-panel form').waitFor();
    }),
  },
];

/** Pages of a user who has just signed up. */
export const newcomerPages = ({ product, seeded }: Reported): readonly View[] => [
  {
    name: 'dashboard-first',
    at: '/dashboard',
    show: go('/dashboard', (page) => page.locator('.board').waitFor()),
  },
  {
    name: 'wizard-unverified',
    at: '/create-deployment',
    show: wizardAnew(async (page) => {
      await choose(page.locator('input[value=pangolin]'));
      await page.locator('.forward:not([aria-disabled=true])').click();
      await choose(page.locator('input[value=vps]'));
      await page.locator('.own pre').filter({ hasText: 'services' }).waitFor();
    }),
  },
  {
    name: 'billing-nothing',
    at: '/billing',
    show: go('/billing', (page) => page.locator('.at-rest h3').waitFor()),
  },
  { name: 'mailbox', at: '/mailbox', show: go('/mailbox', (page) => page.locator('main a').first().waitFor()) },
  {
    name: 'mail',
    at: '/mailbox/:id/show',
    async show(page) {
      await page.locator('main a[href*="/show"]').first().click();
      await page.waitForURL('**/show');
      await page.locator('main a[href*="verify-email"]').first().waitFor();
    },
  },
  { name: 'home-signed-in', at: '/', show: go('/') },
  {
    name: 'account-list',
    at: '/',
    async show(page) {
      await page.locator('.pop .me').click();
      await page.locator('.pop-list').waitFor();
    },
  },
  {
    name: 'appearance',
    at: '/',
    only: 1440,
    show: go('/', async (page) => {
      await page.locator('.pop .btn.icon').click();
      await page.locator('.pop-list').waitFor();
    }),
  },
  {
    name: 'verified',
    at: '/verify-email',
    // Uses the token of another user, who has already used it, so that the new user stays unverified.
    show: async (page) => {
      const [mail] = await product.mails(seeded.cy.email);
      const token = /[?&]token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
      await go(`/verify-email?token=${token}`, (shown) => shown.locator('form .btn.primary').waitFor())(page);
      await page.locator('form .btn.primary').click();
      await page.locator('main a[href="/dashboard"]').waitFor();
    },
  },
];
