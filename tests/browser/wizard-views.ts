import type { Page, Route } from 'playwright-core';
import { choose as chooseRadio } from './choose';
import { type View, wizardAnew } from './views';

const DOMAIN = 'harbour.sandbox.localhost';

const choose = (page: Page, value: string): Promise<void> => chooseRadio(page.locator(`input[value="${value}"]`));
const next = async (page: Page): Promise<void> => {
  await page.locator('.forward:not([aria-disabled=true])').click();
};
const step =
  (name: string, then: (page: Page) => Promise<unknown>) =>
  async (page: Page): Promise<void> => {
    await next(page);
    await page.waitForURL(`**/create-deployment?step=${name}`);
    await then(page);
  };

/** Responds with one size sold out. */
const soldOut =
  (name: string, nearest: string) =>
  async (route: Route): Promise<void> => {
    const response = await route.fetch();
    const sizes = (await response.json()) as { name: string }[];
    const json = sizes.map((size) => (size.name === name ? { ...size, available: false, nearest } : size));
    await route.fulfill({ response, json });
  };

/** The wizard from its first step to its last, in sequence and with a single draft. */
export const wizardPages = (): readonly View[] =>
  (
    [
      {
        name: 'express-packages',
        show: wizardAnew(async (page) => {
          await page.goto('/create-deployment');
          await page.locator('input[value=pangolin]').waitFor();
        }),
      },
      {
        name: 'express-order',
        async show(page) {
          // The list closes with the choice.
          await page.locator('label.opt', { has: page.locator('input[value=pangolin]') }).click();
          await page.locator('.express .pay-row .effect:not(.waits)').waitFor();
          await page.getByRole('button', { name: /^(Use my own domain|Eigene Domain)/ }).click();
          await page.locator('input[name=domain]').fill(DOMAIN);
        },
      },
      {
        name: 'wizard-start',
        show: wizardAnew((page) => page.locator('input[value=pangolin]').waitFor()),
      },
      {
        name: 'request-package',
        opens: 'pages/wizard/request-package.tsx',
        async show(page) {
          await page.locator('.missing button').click();
          await page.getByRole('dialog').getByRole('textbox').first().waitFor();
        },
      },
      {
        name: 'wizard-package',
        async show(page) {
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'hidden' });
          await choose(page, 'pangolin');
          await page.locator('details.contents summary').first().click();
        },
      },
      {
        name: 'wizard-own-server',
        show: step('server', async (page) => {
          await choose(page, 'vps');
          await page.locator('.own pre').filter({ hasText: 'services' }).waitFor();
        }),
      },
      {
        name: 'wizard-own-server-refused',
        async show(page) {
          await page.locator('.own .address input').fill('127.66.0.8');
          await page.locator('.own form [type=submit]').click();
          await page.locator('.own form .note.port').waitFor();
        },
      },
      {
        name: 'wizard-server',
        async show(page) {
          await choose(page, 'new');
          await page.locator('.own').waitFor({ state: 'detached' });
        },
      },
      {
        name: 'wizard-cloud',
        show: step('cloud', (page) => choose(page, 'hetzner')),
      },
      {
        name: 'wizard-region',
        async show(page) {
          // Fetched as soon as the region is chosen.
          await page.route('**/api/deployments/instance-types/hetzner/fsn1*', soldOut('cx23', 'cx33'));
          await step('region', (shown) => choose(shown, 'fsn1'))(page);
        },
      },
      {
        name: 'wizard-instance',
        show: step('instance', (page) => choose(page, 'cpx22')),
      },
      {
        name: 'price-sheet',
        opens: 'pages/wizard/wizard-dock.tsx',
        only: 390,
        async show(page) {
          await page.locator('.dockprice').click();
          await page.getByRole('dialog').waitFor();
        },
      },
      {
        name: 'wizard-config',
        async show(page) {
          if ((await page.getByRole('dialog').count()) > 0) {
            await page.keyboard.press('Escape');
            await page.getByRole('dialog').waitFor({ state: 'hidden' });
          }
          await step('config', (shown) => shown.locator('input[name=domain]').waitFor())(page);
        },
      },
      {
        name: 'wizard-config-wrong',
        async show(page) {
          await page.locator('input[name=domain]').fill('not a domain');
          await page.locator('input[name=admin_email]').fill('nor an address');
          await page.locator('input[name=admin_email]').blur();
          await page.locator('[aria-invalid=true]').first().waitFor();
        },
      },
      {
        name: 'wizard-support',
        async show(page) {
          await page.locator('input[name=domain]').fill(DOMAIN);
          await page.locator('input[name=admin_email]').fill('ada@example.com');
          await step('support', (shown) => choose(shown, '2'))(page);
        },
      },
      {
        name: 'wizard-review',
        show: step('review', (page) => page.locator('.review').waitFor()),
      },
      {
        name: 'discard',
        opens: 'pages/wizard/discard-dialog.tsx',
        async show(page) {
          await page.locator('.cancel').click();
          await page.getByRole('dialog').waitFor();
        },
      },
    ] satisfies Omit<View, 'at'>[]
  ).map((view) => ({ ...view, at: '/create-deployment' }));
