import type { Page } from 'playwright-core';
import { FAILED_SUBJECT } from './seeded';
import { go, type Reported, type View } from './views';

/** Billing pages of a user with everything, and of a user with little. */
export const moneyPages = (): readonly View[] => [
  {
    name: 'billing-with-much',
    at: '/billing',
    show: go('/billing', (page) => page.locator('.until-line strong').waitFor()),
  },
  {
    name: 'billing-add-funds',
    at: '/billing',
    show: go('/billing#add', async (page) => {
      await page.locator('.quick').last().click();
      await page.locator('.effect[aria-busy=false]').waitFor();
    }),
  },
  {
    name: 'billing-keep-until',
    at: '/billing',
    show: go('/billing?amount=3&return_to=order&order_hourly=0.0356#add', async (page) => {
      const date = page.locator('.keep-until input');
      await date.fill((await date.getAttribute('min')) ?? '');
      await page.locator('.keep-until [role=status]:not(:empty)').waitFor();
      await page.locator('.effect[aria-busy=false]').waitFor();
    }),
  },
  {
    name: 'billing-wrong-amount',
    at: '/billing',
    async show(page) {
      await page.locator('.add-funds input[type=number]').fill('0.5');
      await page.locator('.add-funds button[type=submit]').click();
      await page.locator('.add-funds input[type=number][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'billing-numbers',
    at: '/billing',
    async show(page) {
      await page.locator('details.runway-numbers summary').click();
      await page.locator('details.runway-numbers table').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'billing-automatic-top-up',
    at: '/billing',
    show: go('/billing', async (page) => {
      await page.locator('.automatic .row button').first().click();
      await page.locator('.automatic').evaluate((card) => card.scrollIntoView({ block: 'start' }));
    }),
  },
  {
    name: 'billing-remove-card',
    at: '/billing',
    opens: 'ui/confirm-dialog.tsx',
    show: go('/billing', async (page) => {
      await page.locator('.automatic dd button').click();
      await page.locator('[role=alertdialog]').waitFor();
    }),
  },
  {
    name: 'billing-receipts',
    at: '/billing',
    show: go('/billing', (page) => page.locator('#documents :is(table, ul)').scrollIntoViewIfNeeded()),
  },
  {
    name: 'billing-address',
    at: '/billing',
    show: go('/billing', async (page) => {
      await page.locator('#billing-details header button').click();
      await page.locator('#billing-details form').scrollIntoViewIfNeeded();
    }),
  },
  {
    name: 'referrals',
    at: '/referrals',
    show: go('/referrals', (page) => page.locator('.referrals-page .referral-numbers').waitFor()),
  },
  {
    name: 'referrals-code-refused',
    at: '/referrals',
    async show(page) {
      await page.locator('#code input').fill('FREE1');
      await page.locator('#code button[type=submit]').click();
      await page.locator('#code [aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'success',
    at: '/success',
    show: go('/success?session_id=cs_test_a1B2c3D4e5F6g7H8i9J0k1L2m3N4&test_mode=true', (page) =>
      page.locator('[role=status] .spin').waitFor({ state: 'detached' }),
    ),
  },
  {
    name: 'no-mail-of-mine',
    at: '/mailbox/:id/show',
    show: go('/mailbox/999999/show'),
  },
];

export const fewDaysPages = ({ seeded: { ids } }: Reported): readonly View[] => [
  {
    name: 'dashboard-few-days',
    at: '/dashboard',
    show: go('/dashboard', (page) => page.locator('a.name').first().waitFor()),
  },
  {
    name: 'billing-few-days',
    at: '/billing',
    show: go('/billing', (page) => page.locator('.until-line strong').waitFor()),
  },
  {
    name: 'details-not-mine',
    at: '/dashboard',
    show: go(`/dashboard?deployment=${ids.ready}`, (page) => page.locator('.drawer [role=alert]').waitFor()),
  },
];

/** Opens a menu item of the first row that is not the administrator's own. */
const fromMenu = (item: string, then: (page: Page) => Promise<unknown>) =>
  go('/users', async (page) => {
    await page.locator('main .more').nth(1).click();
    await page.locator(`[role=menuitem]${item}`).first().click();
    await then(page);
  });

export const administratorPages = ({ seeded: { ids } }: Reported): readonly View[] => [
  {
    name: 'admin-welcome',
    at: '/dashboard',
    opens: 'app/welcome-dialog.tsx',
    async show(page) {
      const flags = (change: 'forget' | 'keep'): Promise<void> =>
        page.evaluate((what) => {
          if (what === 'forget') localStorage.removeItem('welcomed:1');
          else localStorage.setItem('welcomed:1', 'yes');
        }, change);
      await flags('forget');
      await go('/dashboard', (there) => there.getByRole('dialog').waitFor())(page);
      // It stays open until the next view.
      await flags('keep');
    },
  },
  {
    name: 'admin-dashboard',
    at: '/dashboard',
    show: go('/dashboard', (page) => page.locator('a.name').first().waitFor()),
  },
  {
    name: 'admin-users',
    at: '/users',
    show: go('/users', (page) => page.locator('main a[href*="/show"]').first().waitFor()),
  },
  {
    name: 'admin-users-no-hits',
    at: '/users',
    async show(page) {
      await page.keyboard.press('Escape');
      await page.locator('main input[type=search]').fill('nobody of that name');
      await page.locator('.empty').waitFor();
    },
  },
  {
    name: 'admin-user-menu',
    at: '/users',
    opens: 'resources/users/user-menu.tsx',
    show: go('/users', async (page) => {
      await page.locator('main .more').nth(1).click();
      await page.getByRole('menuitem').first().waitFor();
    }),
  },
  {
    name: 'admin-create-user',
    at: '/users',
    opens: 'ui/form/form-dialog.tsx',
    show: go('/users', async (page) => {
      await page.locator('main .title button').click();
      await page.locator('[role=dialog] input[type=password]').fill('another horse');
      await page.locator('[role=dialog] .strength').waitFor();
    }),
  },
  {
    name: 'admin-adjust-balance',
    at: '/users',
    opens: 'ui/form/form-dialog.tsx',
    show: fromMenu(':not(.danger)', (page) => page.locator('[role=dialog] dl.kv').waitFor()),
  },
  {
    name: 'admin-deactivate-blocked',
    at: '/users',
    opens: 'ui/confirm-dialog.tsx',
    show: fromMenu('.danger', (page) => page.locator('.person-issues li').first().waitFor()),
  },
  {
    name: 'admin-remove-all',
    at: '/users',
    show: fromMenu('.danger', async (page) => {
      await page.locator('.person-issues li').first().getByRole('button').click();
      await page.locator('[role=alertdialog] label .mono').waitFor();
    }),
  },
  {
    name: 'admin-promote',
    at: '/users',
    show: go('/users', async (page) => {
      await page.locator('main .data-table, main .data-cards').getByRole('switch').nth(1).click();
      await page.getByRole('alertdialog').waitFor();
    }),
  },
  {
    name: 'admin-user',
    at: '/users/:id/show',
    show: go('/users', async (page) => {
      await page
        .getByRole('link', { name: /ada\.northwood/ })
        .first()
        .click();
      await page.waitForURL('**/show');
      await page.locator('main dl.kv').first().waitFor();
      await page.locator('.person .stack.unplaced').first().waitFor({ state: 'detached' });
    }),
  },
  {
    name: 'admin-user-log-out',
    at: '/users/:id/show',
    opens: 'ui/confirm-dialog.tsx',
    async show(page) {
      await page.locator('#sessions header button').click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'admin-user-top-up-off',
    at: '/users/:id/show',
    async show(page) {
      await page.keyboard.press('Escape');
      await page.locator('#automatic button').click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'admin-user-view-as',
    at: '/users/:id/show',
    opens: 'ui/form/form-dialog.tsx',
    async show(page) {
      await page.keyboard.press('Escape');
      await page.locator('main .title > [aria-haspopup=dialog]').click();
      await page.getByRole('dialog').getByRole('textbox').fill('The browser tests look at it');
    },
  },
  {
    name: 'viewing',
    at: '/dashboard',
    async show(page) {
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.waitForURL('**/dashboard');
      await page.locator('.view-banner').waitFor();
      await page.locator('a.name, .data-cards > li').first().waitFor();
    },
  },
  {
    name: 'viewing-account',
    at: '/account',
    show: go('/account', (page) => page.locator('.account-page .note').waitFor()),
  },
  {
    name: 'viewing-stopped',
    at: '/users/:id/show',
    async show(page) {
      await page.locator('.view-banner button').click();
      await page.waitForURL('**/show');
      await page.locator('.view-banner').waitFor({ state: 'detached' });
      await page.locator('main dl.kv').first().waitFor();
    },
  },
  { name: 'admin-user-missing', at: '/users/:id/show', show: go('/users/999999/show') },
  {
    name: 'admin-credits',
    at: '/admin-referrals',
    show: go('/admin-referrals', (page) => page.locator('main .reviews').waitFor()),
  },
  {
    name: 'admin-adjust-credit',
    at: '/admin-referrals',
    async show(page) {
      await page.locator('.reviews [aria-haspopup=dialog]').first().click();
      await page.locator('[role=dialog] input').fill('-1');
      await page.locator('[role=dialog] [type=submit]').click();
      await page.locator('[role=dialog] [aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'admin-waiting-referrals',
    at: '/admin-referrals/referrals',
    show: go('/admin-referrals/referrals', (page) => page.locator('.doubts li').first().waitFor()),
  },
  {
    name: 'admin-credit-requests',
    at: '/admin-referrals/credit-requests',
    show: go('/admin-referrals/credit-requests', (page) => page.locator('.reason').first().waitFor()),
  },
  {
    name: 'admin-reject-request',
    at: '/admin-referrals/credit-requests',
    async show(page) {
      await page.locator('.reviews .row-acts button').nth(1).click();
      await page.locator('[role=alertdialog] [type=submit]').click();
      await page.locator('[role=alertdialog] [aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'admin-clusters',
    at: '/admin-referrals/clusters',
    async show(page) {
      await page.keyboard.press('Escape');
      await page.locator('[role=alertdialog]').waitFor({ state: 'detached' });
      await go('/admin-referrals/clusters?by=mail_domain', (there) => there.locator('main .reviews').waitFor())(page);
    },
  },
  {
    name: 'admin-payments',
    at: '/payments',
    show: go('/payments', async (page) => {
      await page.locator('main a[href*="/payments/"]').first().waitFor();
      await page.locator('#comparison .comparison').waitFor();
    }),
  },
  {
    name: 'admin-difference-settle',
    at: '/payments',
    async show(page) {
      await page.locator('#comparison [aria-haspopup=dialog]').first().click();
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'admin-payments-no-hits',
    at: '/payments',
    async show(page) {
      await page.keyboard.press('Escape');
      await page.locator('[role=alertdialog]').waitFor({ state: 'detached' });
      await page.locator('main input[type=search]').fill('nothing of that id');
      await page.locator('.empty').waitFor();
    },
  },
  {
    name: 'admin-payment',
    at: '/payments/:id/show',
    show: go('/payments?filter=%7B%22status%22%3A%22paid%22%7D', async (page) => {
      await page.locator('main a[href*="/payments/"]').first().click();
      await page.locator('.payment-life li').first().waitFor();
    }),
  },
  {
    name: 'admin-refund',
    at: '/payments/:id/show',
    async show(page) {
      await page.locator('main .title > [aria-haspopup=dialog]').click();
      await page.getByRole('alertdialog').locator('input[type=number]').fill('1000000');
      await page.getByRole('alertdialog').locator('[aria-invalid=true]').waitFor();
    },
  },
  { name: 'admin-payment-missing', at: '/payments/:id/show', show: go('/payments/cs_test_nothing/show') },
  {
    name: 'admin-inbox',
    at: '/support-inbox',
    show: go('/support-inbox', (page) => page.locator('main a[href*="/support-inbox/"]').first().waitFor()),
  },
  {
    name: 'admin-inbox-no-hits',
    at: '/support-inbox',
    show: go('/support-inbox?filter=%7B%22state%22%3A%22closed%22%2C%22level%22%3A%223%22%7D', (page) =>
      page.locator('main .empty').waitFor(),
    ),
  },
  {
    name: 'admin-conversation',
    at: '/support-inbox/:id',
    show: go(`/support-inbox?filter=${encodeURIComponent(JSON.stringify({ q: FAILED_SUBJECT }))}`, async (page) => {
      await page.locator('main a[href*="/support-inbox/"]').first().click();
      await page.locator('main .tl li').first().waitFor();
    }),
  },
  {
    name: 'admin-note-missing',
    at: '/support-inbox/:id',
    async show(page) {
      await page.locator('.reply .seg button').nth(1).click();
      await page.locator('.reply [type=submit]').click();
      await page.locator('.reply [aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'admin-providers',
    at: '/providers',
    show: go('/providers', (page) => page.locator('.provider-cards section').last().waitFor()),
  },
  {
    name: 'operations',
    at: '/admin',
    show: go('/admin', (page) => page.locator('#providers :is(tbody tr, .data-cards li)').first().waitFor()),
  },
  {
    name: 'admin-incidents',
    at: '/admin-incidents',
    show: go('/admin-incidents', (page) => page.locator('.open-incidents .incident-groups li').last().waitFor()),
  },
  {
    name: 'admin-incidents-no-hits',
    at: '/admin-incidents',
    show: go('/admin-incidents?kind=server_gone', (page) =>
      page.locator('#open-incidents a[href="/admin-incidents"]').waitFor(),
    ),
  },
  {
    name: 'admin-releases',
    at: '/releases',
    show: go('/releases', (page) => page.locator('main section.card').first().waitFor()),
  },
  { name: 'admin-queues-none', at: '/queues', show: go('/queues', (page) => page.locator('main .note').waitFor()) },
  {
    name: 'admin-deployments',
    at: '/admin-deployments',
    show: go('/admin-deployments', (page) => page.locator('main a[href*="/show"]').first().waitFor()),
  },
  {
    name: 'admin-deployment',
    at: '/admin-deployments/:id/show',
    show: go(`/admin-deployments/${ids.failed}/show`, (page) => page.locator('main dl.kv').first().waitFor()),
  },
  {
    name: 'admin-billing-of',
    at: '/billing',
    show: go('/billing?user=ada.northwood', (page) => page.locator('.tx:visible').first().waitFor()),
  },
  {
    name: 'admin-billing-of-nobody',
    at: '/billing',
    show: go('/billing?user=nobody', (page) => page.locator('.empty').waitFor()),
  },
  {
    name: 'admin-menu',
    at: '/billing',
    opens: 'app/layout/account-menu-items.tsx',
    async show(page) {
      await page.locator('.console-bar [aria-haspopup=menu]').click();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
];
