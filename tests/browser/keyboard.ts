import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { LONG_MS, openScreen, type There } from './browser';
import { createPayingCustomer } from '../journeys/paying-customer';
import { detailsOn, logIn } from './customers';

/** Maximum number of key presses, beyond which users would give up. */
const TABS_MAX = 60;

export const byKeyboardAlone = (there: () => There): void =>
  describe('keyboard alone', () => {
    it(
      'is enough to top up',
      async () => {
        const { product, browser } = there();
        const ada = await createPayingCustomer(product, 'ada', 0);
        const screen = await openScreen(browser, { width: 1440, theme: 'light' }, { baseUrl: product.url });
        const { page } = screen;
        await logIn(screen, ada.email);
        await tabTo(page, page.getByRole('link', { name: 'Billing' }));
        await page.keyboard.press('Enter');
        await tabTo(page, page.getByLabel('Amount in USD'));
        await page.keyboard.press('Control+A');
        await page.keyboard.type('20');
        await tabTo(page, page.getByRole('button', { name: /pay by card/i }));
        await page.keyboard.press('Enter');
        await page.waitForURL('**/test-checkout/**');
        await tabTo(page, page.getByRole('button', { name: /^pay/i }));
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Test Payment Successful!' }).waitFor();
        await tabTo(page, page.getByRole('link', { name: 'View Billing & Transactions' }));
        await page.keyboard.press('Enter');
        await page.getByText('+$20.00').first().waitFor();
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );

    it(
      'is enough to order a deployment, open its details and close them',
      async () => {
        const { product, browser } = there();
        const bea = await createPayingCustomer(product, 'bea');
        const screen = await openScreen(browser, { width: 1440, theme: 'dark' }, { baseUrl: product.url });
        const { page } = screen;
        await logIn(screen, bea.email);
        await tabTo(page, page.getByRole('link', { name: 'Create Deployment' }).first());
        await page.keyboard.press('Enter');
        await page.waitForURL('**/create-deployment');
        await tabTo(page, page.getByRole('link', { name: 'Choose step by step' }));
        await page.keyboard.press('Enter');
        await page.waitForURL('**/create-deployment?step=package');

        const next = page.getByRole('button', { name: 'Next' });
        /** Reaches the group by Tab, the choice in it by the arrow keys, and selects it by Space. */
        const choose = async (choice: RegExp): Promise<void> => {
          const radio = page.getByRole('radio', { name: choice }).first();
          await tabTo(page, page.getByRole('radiogroup').first());
          for (let presses = 0; presses < TABS_MAX; presses += 1) {
            if (await radio.evaluate((node) => node === document.activeElement)) break;
            await page.keyboard.press('ArrowDown');
          }
          await page.keyboard.press('Space');
          expect(await radio.isChecked()).toBe(true);
        };
        const onward = async (): Promise<void> => {
          await tabTo(page, next);
          await page.keyboard.press('Enter');
        };
        for (const choice of [/^Pangolin/, /new server/i, /Hetzner/, /Falkenstein/, /CPX22/]) {
          await choose(choice);
          await onward();
        }
        for (const [label, text] of [
          ['Domain', 'bea.sandbox.localhost'],
          ['Letsencrypt Email', bea.email],
        ] as const) {
          await tabTo(page, page.getByLabel(label, { exact: true }));
          await page.keyboard.press('Control+A');
          await page.keyboard.type(text);
        }
        await onward();
        await onward();
        const create = page.getByRole('button', { name: 'Create Deployment' });
        await page.getByText('$0.85').first().waitFor();
        await tabTo(page, create);
        await page.keyboard.press('Enter');
        await page.waitForURL('**/dashboard**');

        const details = detailsOn(page);
        await details.waitFor();
        await page.keyboard.press('Escape');
        await details.waitFor({ state: 'hidden' });
        await tabTo(page, page.getByRole('link', { name: /details of/i }).first());
        await page.keyboard.press('Enter');
        await details.waitFor();
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });

/** Presses Tab until the part has the focus, which must be visible on it. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  await part.first().waitFor();
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    if (await part.first().evaluate((node) => node === document.activeElement || node.contains(document.activeElement)))
      return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`not reached by keyboard: ${part.toString()}`);
}
