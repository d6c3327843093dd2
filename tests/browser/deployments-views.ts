import type { Page } from 'playwright-core';
import { choose } from './choose';
import { detailsOn } from './customers';
import { go, type Reported, type View } from './views';

const DRAWER = 'resources/deployments/drawer/details-drawer.tsx';
const CONFIRM = 'ui/confirm-dialog.tsx';

/** Dashboard of a user with a deployment in every state, its details and everything that opens from them. */
export const dashboardPages = ({ seeded: { ids } }: Reported): readonly View[] => {
  const rows = (page: Page): Promise<void> => page.locator('a.name').first().waitFor();
  const details = (id: number, whole = '.drawer .body [role=status]') =>
    go(`/dashboard?deployment=${id}`, async (page) => {
      await detailsOn(page).waitFor();
      await page.locator(whole).last().waitFor();
    });
  /** Reloads the details with these fields changed in every response. */
  const detailsAs = (id: number, fields: object, shown: string) => async (page: Page) => {
    const answers = /\/api\/deployments(\/\d+(\/setup)?)?(\?|$)/;
    const alter = (row: { id?: number; deployment?: object }): object => {
      if (row.deployment !== undefined) return { ...row, deployment: alter(row.deployment) };
      return row.id === id ? { ...row, ...fields } : row;
    };
    await page.route(answers, async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as object | object[];
      await route.fulfill({ response, json: Array.isArray(json) ? json.map(alter) : alter(json) });
    });
    await page.goto(`/dashboard?deployment=${id}`);
    await page.locator(shown).waitFor();
    // An answer on its way would otherwise be fulfilled twice.
    await page.unrouteAll({ behavior: 'wait' });
  };
  const foot = (page: Page) => page.locator('.drawer footer .btn.danger');
  return [
    { name: 'dashboard', at: '/dashboard', show: go('/dashboard', rows) },
    {
      name: 'row-menu',
      at: '/dashboard',
      opens: 'resources/deployments/row-menu.tsx',
      async show(page) {
        await page.locator('button.more:not([aria-disabled])').last().click();
        await page.getByRole('menuitem').first().waitFor();
      },
    },
    {
      name: 'account-menu',
      at: '/dashboard',
      opens: 'app/layout/account-menu-items.tsx',
      show: go('/dashboard', async (page) => {
        await rows(page);
        await page.locator('.console-bar [aria-haspopup=menu]').click();
        await page.getByRole('menuitem').first().waitFor();
      }),
    },
    {
      name: 'search',
      at: '/dashboard',
      opens: 'app/search/search-dialog.tsx',
      show: go('/dashboard', async (page) => {
        await rows(page);
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('option').first().waitFor();
      }),
    },
    {
      name: 'dashboard-needs-you',
      at: '/dashboard',
      show: go('/dashboard', async (page) => {
        await rows(page);
        await page.locator('.seg button').nth(1).click();
        await page.locator('.seg button').nth(1).and(page.locator('[aria-pressed=true]')).waitFor();
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      }),
    },
    {
      name: 'dashboard-no-hits',
      at: '/dashboard',
      show: go('/dashboard', async (page) => {
        await rows(page);
        await page.locator('.tools input').first().fill('a harbour nobody has heard of');
        await page.locator('.tablebox .empty').waitFor();
      }),
    },
    { name: 'details-building', at: '/dashboard', opens: DRAWER, show: details(ids.building) },
    {
      name: 'details-log',
      at: '/dashboard',
      opens: DRAWER,
      async show(page) {
        await page.locator('.log-toggle').click();
        await page.locator('.code.log').scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'confirm-cancel',
      at: '/dashboard',
      opens: CONFIRM,
      async show(page) {
        await foot(page).last().click();
        await page.getByRole('alertdialog').waitFor();
      },
    },
    {
      name: 'details-cancelling',
      at: '/dashboard',
      opens: DRAWER,
      show: detailsAs(ids.building, { cancelling: true, actions: [] }, '.drawer .note .spin'),
    },
    { name: 'details-own-server', at: '/dashboard', opens: DRAWER, show: details(ids.own, '.drawer pre') },
    { name: 'details-dns', at: '/dashboard', opens: DRAWER, show: details(ids.dns) },
    { name: 'details-dns-failed', at: '/dashboard', opens: DRAWER, show: details(ids.dnsFailed) },
    {
      name: 'details-resolvers',
      at: '/dashboard',
      opens: DRAWER,
      async show(page) {
        await page.locator('details.seen summary').click();
        await page.locator('details.seen dl').last().scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'change-domain',
      at: '/dashboard',
      opens: DRAWER,
      async show(page) {
        await page.locator('.dns-sec > .btn').click();
        await page.locator('.change-domain input').fill('no domain');
        await page.locator('.change-domain [type=submit]').click();
        await page.locator('.change-domain .hint.wrong').scrollIntoViewIfNeeded();
      },
    },
    { name: 'details-failed-again', at: '/dashboard', opens: DRAWER, show: details(ids.failed) },
    {
      name: 'confirm-delete',
      at: '/dashboard',
      opens: CONFIRM,
      async show(page) {
        await foot(page).last().click();
        await page.getByRole('alertdialog').waitFor();
      },
    },
    { name: 'details-over', at: '/dashboard', opens: DRAWER, show: details(ids.gone) },
    { name: 'details-running', at: '/dashboard', opens: DRAWER, show: details(ids.ready) },
    {
      name: 'sign-in',
      at: '/dashboard',
      opens: DRAWER,
      async show(page) {
        await page.locator('#sign-in dl .btn').first().click();
        // Address, username, and now the password.
        await page.locator('#sign-in dl').first().locator('.copy').nth(2).waitFor();
        await page.locator('#sign-in').scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'confirm-deactivate',
      at: '/dashboard',
      opens: CONFIRM,
      async show(page) {
        await foot(page).last().click();
        await page.getByRole('alertdialog').getByRole('textbox').fill('half a na');
      },
    },
    {
      name: 'rename',
      at: '/dashboard',
      opens: DRAWER,
      async show(page) {
        await details(ids.ready)(page);
        await page.locator('.name-of button').click();
        await page.locator('.name-form input').fill('');
        await page.locator('.name-form [type=submit]').click();
        await page.locator('.name-form .hint.wrong').waitFor();
      },
    },
    {
      name: 'details-locked',
      at: '/dashboard',
      opens: DRAWER,
      show: detailsAs(ids.ready, { deletion_locked: true }, '.drawer .state .lock-mark'),
    },
    {
      name: 'support',
      at: '/dashboard',
      opens: 'parts/support/support-panel.tsx',
      // On a phone it is in the menu, which the details cover.
      only: 1440,
      async show(page) {
        await details(ids.ready)(page);
        await page.locator('.bar .contact').click();
        await page.locator('.support-panel .mention').waitFor();
      },
    },
    { name: 'not-found', at: '*', show: go('/no-such-pier') },
    { name: 'denied', at: '/users', show: go('/users') },
  ];
};

/** Pages of deployments in several states, and everything that opens from them. */
export const deploymentPages = ({ seeded: { ids } }: Reported): readonly View[] => [
  {
    name: 'deployment',
    at: '/deployments/:id',
    show: go(`/deployments/${ids.ready}`, (page) => page.locator('.deployment-cols .kv').last().waitFor()),
  },
  {
    name: 'deployment-building',
    at: '/deployments/:id',
    show: go(`/deployments/${ids.building}`, (page) => page.locator('.deployment-cols .tl').waitFor()),
  },
  {
    name: 'deployment-failed',
    at: '/deployments/:id',
    show: go(`/deployments/${ids.failed}`, (page) => page.locator('.deployment-notes .elsewhere li').last().waitFor()),
  },
  {
    name: 'deployment-over',
    at: '/deployments/:id',
    show: go(`/deployments/${ids.gone}`, (page) => page.locator('.deployment-cols .kv').last().waitFor()),
  },
  {
    name: 'deployment-access',
    at: '/deployments/:id/access',
    show: go(`/deployments/${ids.ready}/access`, (page) => page.locator('.secrets-sec').waitFor()),
  },
  {
    name: 'deployment-secrets',
    at: '/deployments/:id/access',
    async show(page) {
      await page.locator('.secrets-sec button').first().click();
      await page.locator('dl.secrets').waitFor();
      await page.locator('dl.secrets').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'deployment-records',
    at: '/deployments/:id/access',
    show: go(`/deployments/${ids.dnsFailed}/access`, (page) => page.locator('.dns tbody').last().waitFor()),
  },
  {
    name: 'deployment-script',
    at: '/deployments/:id/access',
    show: go(`/deployments/${ids.own}/access`, (page) => page.locator('.code pre').waitFor()),
  },
  {
    name: 'deployment-metrics',
    at: '/deployments/:id/metrics',
    show: go(`/deployments/${ids.ready}/metrics`, async (page) => {
      await page.locator('.incident-feed li').last().waitFor();
      await page.locator('.chart-card canvas').last().waitFor();
    }),
  },
  {
    name: 'deployment-metrics-none',
    at: '/deployments/:id/metrics',
    show: go(`/deployments/${ids.dns}/metrics`, async (page) => {
      await page.locator('.incidents .none').waitFor();
      await page.locator('.chart-card .no-chart').nth(3).waitFor();
    }),
  },
  {
    name: 'deployment-logs',
    at: '/deployments/:id/logs',
    show: go(`/deployments/${ids.ready}/logs`, (page) => page.locator('ol.log li').first().waitFor()),
  },
  {
    name: 'deployment-activity',
    at: '/deployments/:id/activity',
    async show(page) {
      await go(`/deployments/${ids.ready}/activity`)(page);
      await page.locator('.deployment-cols button[aria-expanded]').first().click();
      await page.locator('.tl li').last().waitFor();
    },
  },
  {
    name: 'deployment-history',
    at: '/deployments/:id/activity',
    async show(page) {
      await go(`/deployments/${ids.ready}/activity`)(page);
      await page.locator('#history :is(tbody tr, .data-cards li)').first().waitFor();
      await page.locator('#history').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'deployment-settings',
    at: '/deployments/:id/settings',
    async show(page) {
      await go(`/deployments/${ids.ready}/settings`)(page);
      await page.locator('.level-sec').last().getByRole('button').first().click();
      await choose(page.locator('.level-choice input[value="3"]'));
      await page.locator('.quote .lines').waitFor();
    },
  },
  {
    name: 'deployment-settings-domain',
    at: '/deployments/:id/settings',
    async show(page) {
      await go(`/deployments/${ids.dns}/settings`)(page);
      await page.locator('#domains .act .btn').first().click();
      await page.locator('.change-domain input').waitFor();
    },
  },
  {
    name: 'deployment-settings-further-domain',
    at: '/deployments/:id/settings',
    opens: 'resources/deployments/settings/domain-dialogs.tsx',
    async show(page) {
      await go(`/deployments/${ids.ready}/settings`)(page);
      await page.locator('#domains header button').click();
      await page.getByRole('dialog').getByRole('textbox').fill('no domain');
      await page.getByRole('dialog').locator('[type=submit]').click();
      await page.getByRole('dialog').locator('.hint.wrong').waitFor();
    },
  },
  {
    name: 'deployment-create-records',
    at: '/deployments/:id/access',
    opens: 'resources/deployments/access/create-records.tsx',
    async show(page) {
      const existing = [
        { type: 'CNAME', name: 'admin.a-long-name-of-a-shop.example.com', value: 'old.example.net', proxied: false },
        { type: 'A', name: '*.a-long-name-of-a-shop.example.com', value: '198.51.100.72', proxied: true },
      ];
      const code = 'DNS_RECORDS_DIFFER';
      const json = { detail: '', code, message_code: 'owner_record.differ', facts: {}, errors: [], existing };
      await page.route('**/dns/records', (route) => route.fulfill({ status: 409, json }));
      await go(`/deployments/${ids.dnsFailed}/access`)(page);
      await page.locator('.dns-sec .pad > .row > button').first().click();
      await page.getByRole('dialog').locator('[name=token]').fill('token');
      await page.getByRole('dialog').locator('[type=submit]').click();
      await page.getByRole('dialog').locator('.different-records').waitFor();
      await page.unroute('**/dns/records');
    },
  },
  {
    name: 'deployment-settings-move',
    at: '/deployments/:id/settings',
    opens: 'resources/deployments/settings/move-dialog.tsx',
    async show(page) {
      await go(`/deployments/${ids.ready}/settings`)(page);
      await page.locator('.row > [aria-haspopup=dialog]').first().click();
      await page.locator('.create-cost .until-date').waitFor();
    },
  },
  {
    name: 'deployment-not-found',
    at: '/deployments/:id',
    show: go('/deployments/999999', (page) => page.locator('.card.empty').waitFor()),
  },
  {
    name: 'backups',
    at: '/deployments/:id/backups',
    show: go(`/deployments/${ids.ready}/backups`, (page) => page.locator('.backup-copies .st.good').first().waitFor()),
  },
  {
    name: 'backups-restore',
    at: '/deployments/:id/backups',
    opens: 'resources/deployments/backups/restore-dialog.tsx',
    async show(page) {
      await page.locator('.backup-copies .act button').first().click();
      await page.locator('.restore-plan').waitFor();
    },
  },
  {
    name: 'backups-new-deployment',
    at: '/deployments/:id/backups',
    opens: 'resources/deployments/backups/restore-dialog.tsx',
    async show(page) {
      await choose(page.locator('.restore-dialog input[value=create]'));
      await page.locator('.create-cost .until-date').waitFor();
    },
  },
  {
    name: 'backups-own-server',
    at: '/deployments/:id/backups',
    opens: 'resources/deployments/backups/restore-dialog.tsx',
    async show(page) {
      await page.locator('.create-fields input[value=vps]').check();
      await page.locator('.own-server-field summary').click();
      await page.locator('.own-server-field pre').waitFor();
    },
  },
  {
    name: 'backups-download',
    at: '/deployments/:id/backups',
    opens: 'resources/deployments/backups/download-dialog.tsx',
    async show(page) {
      await go(`/deployments/${ids.ready}/backups`)(page);
      await page.locator('.backup-copies .act button').last().click();
      await page.locator('.download-secret').waitFor();
    },
  },
  {
    name: 'backups-bucket',
    at: '/deployments/:id/backups',
    opens: 'resources/deployments/backups/bucket-dialog.tsx',
    async show(page) {
      await go(`/deployments/${ids.ready}/backups`)(page);
      await page.locator('#bucket button').nth(1).click();
      await page.locator('.MuiDialog-root input').first().waitFor();
    },
  },
  {
    name: 'backups-bucket-commands',
    at: '/deployments/:id/backups',
    opens: 'resources/deployments/backups/bucket-dialogs.tsx',
    async show(page) {
      await go(`/deployments/${ids.ready}/backups`)(page);
      await page.locator('#bucket button').nth(2).click();
      await page.locator('.MuiDialog-root .download-secret').last().waitFor();
    },
  },
  {
    name: 'backups-level-1',
    at: '/deployments/:id/backups',
    show: go(`/deployments/${ids.dns}/backups`, (page) => page.locator('.level-note li').last().waitFor()),
  },
];
