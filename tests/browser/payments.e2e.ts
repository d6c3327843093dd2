import { describe, expect, it } from '@jest/globals';
import type { TestCard } from '@moorage/contracts';
import type { Page } from 'playwright-core';
import { createPayingCustomer } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import { choose } from './choose';
import { type Appearance, LONG_MS, productAndBrowser, type Screen } from './browser';
import { detailsOn, logIn } from './customers';
import { screens } from './screens';
import { ADMIN } from './seeded';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

const there = productAndBrowser();

describe('payments in the browser', () => {
  it.each(APPEARANCES)(
    'goes from an order to a top-up and back, a target date, a declined automatic top-up and a receipt ($width px)',
    async (appearance) => {
      const { product } = there();
      const { open, close, capture } = screens(there(), appearance, { name: 'payments', expected: [] });
      const { email } = await createPayingCustomer(product, `olga${appearance.width}`, 5);
      const screen = await open();
      const { page } = screen;
      await logIn(screen, email);

      // Pay what is missing for the order, with an amount other than the proposed one, cancelled first.
      await orderOf(page, email);
      const dock = page.locator('.dockprice');
      if (appearance.width === 390) await dock.click();
      await page.locator('.effect.short:visible').first().waitFor();
      await capture(screen, 'order-short');
      await page.locator('.effect.short:visible').getByRole('link', { name: 'Other amount' }).click();
      const amount = page.getByLabel('Amount in USD');
      await amount.waitFor();
      expect(Number(await amount.inputValue())).toBeGreaterThan(1);
      await capture(screen, 'form-for-order');
      await amount.fill('37');
      await payByCard(page);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('heading', { name: 'Payment Cancelled' }).waitFor();
      await capture(screen, 'cancelled');
      await page.getByRole('link', { name: 'Try Again' }).click();
      await amount.waitFor();
      expect(await amount.inputValue()).toBe('37');
      await page.getByLabel('Save this card for automatic top-ups').check();
      await payByCard(page);
      await capture(screen, 'test-page');
      await payWith(page, 'succeeds');
      await page.getByRole('heading', { name: 'Test Payment Successful!' }).waitFor();
      await page.getByText('$42.00').first().waitFor();
      await capture(screen, 'success-for-order');
      await page.getByRole('link', { name: 'Back to your order' }).click();
      await page.getByRole('button', { name: 'Create Deployment' }).click();
      await page.waitForURL('**/dashboard**');
      await detailsOn(page).getByText('Ready', { exact: true }).first().waitFor();

      // A date and its amount.
      await page.goto('/billing');
      const day = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
      await page.getByLabel('Or keep everything running until the end of').fill(day);
      await until(
        'the amount for the date',
        () => amount.inputValue(),
        (typed) => Number(typed) > 50,
      );
      await page.locator('.effect[aria-busy=false]').waitFor();
      await capture(screen, 'keep-until');

      // The saved card is charged automatically.
      await switchOn(page);
      await page.locator('#automatic').scrollIntoViewIfNeeded();
      await capture(screen, 'automatic-form');
      await page.locator('#automatic').getByRole('button', { name: 'Turn on' }).click();
      await page.locator('#automatic').getByText('On', { exact: true }).waitFor();
      await charged(email, 'paid', 1);
      await page.goto('/billing');
      await page
        .locator('#automatic')
        .getByText(/\$10\.00 charged/)
        .waitFor();
      await page.locator('#automatic').scrollIntoViewIfNeeded();
      await capture(screen, 'automatic-used');

      // A card that is declined replaces it.
      await amount.fill('5');
      await page.getByLabel('Save this card for automatic top-ups').check();
      await payByCard(page);
      await payWith(page, 'declines');
      await page.getByRole('link', { name: 'View Billing & Transactions' }).click();
      await until(
        'the other card',
        () => product.sql<{ last4: string }>(CARD, [email]),
        ([card]) => card?.last4 === '0341',
      );
      // An hour later, as far as the limits are concerned.
      await product.sql(
        `update checkout_sessions set created_at = created_at - interval '2 hours' where kind = 'automatic' and user_id = (select id from users where email = $1)`,
        [email],
      );
      await charged(email, 'failed', 1);
      await page.goto('/billing');
      await page
        .locator('#automatic')
        .getByText(/your bank declined the last charge/)
        .waitFor();
      await page.locator('#automatic').scrollIntoViewIfNeeded();
      await capture(screen, 'automatic-declined');
      await until(
        'the mail about it',
        async () => (await product.mails(email)).map(({ subject }) => subject),
        (subjects) => subjects.some((subject) => /Automatic top-up was turned off/.test(subject)),
      );

      // An address, and a receipt made out to it.
      const address = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Billing address' }) });
      await address.getByRole('button', { name: 'Add address' }).click();
      await address.getByLabel('Name or company').fill('Olga Ωμέγα Ltd');
      await address.getByLabel('Street and number').fill('Hafenstraße 7');
      await address.getByLabel('Postal code').fill('20459');
      await address.getByLabel('City').fill('Hamburg');
      await address.getByLabel('Country').selectOption({ label: 'Germany' });
      await address.getByLabel('Tax number').fill('to follow');
      await address.getByRole('button', { name: 'Save address' }).click();
      await address.locator('[aria-invalid=true]').waitFor();
      await capture(screen, 'address-refused');
      await address.getByLabel('Tax number').fill('DE123456789');
      await address.getByRole('button', { name: 'Save address' }).click();
      await address.getByText('Hafenstraße 7').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('button', { name: /^Download R-/ })
          .first()
          .click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/^R-\d{4}-\d{6}\.pdf$/);
      await download.saveAs(`dist/screenshots/receipt-${appearance.width}.pdf`);
      await page.locator('#documents').scrollIntoViewIfNeeded();
      await capture(screen, 'documents');

      // An administrator refunds part of it.
      const staff = await open();
      await asAdministrator(staff);
      await staff.page.goto('/payments');
      await staff.page.getByText(`olga${appearance.width}`).first().waitFor();
      await capture(staff, 'list');
      const [payment] = await product.sql<{ id: string }>(
        `select s.id from checkout_sessions s join users u on u.id = s.user_id where u.email = $1 and s.amount_cents = 3700 and s.status = 'paid'`,
        [email],
      );
      await staff.page.goto(`/payments/${payment?.id}/show`);
      await staff.page.getByRole('button', { name: 'Refund' }).first().click();
      const dialog = staff.page.getByRole('alertdialog').or(staff.page.getByRole('dialog'));
      await dialog.getByLabel('Amount').fill('7');
      await dialog.getByLabel('Reason').fill('Asked for by phone');
      await capture(staff, 'refund');
      await dialog.getByRole('button', { name: 'Refund $7.00' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await staff.page.getByText('Asked for by phone').first().waitFor();
      await capture(staff, 'payment');
      await page.goto('/billing');
      await page.getByText('Payment refunded').first().waitFor();
      await close();
    },
    LONG_MS,
  );

  const CARD = 'select last4 from saved_cards c join users u on u.id = c.user_id where u.email = $1';

  async function charged(email: string, status: 'paid' | 'failed', times: number): Promise<void> {
    await until(
      `a charge that is ${status}`,
      () =>
        there().product.sql(
          `select 1 from checkout_sessions s join users u on u.id = s.user_id where u.email = $1 and s.kind = 'automatic' and s.status = $2`,
          [email, status],
        ),
      (rows) => rows.length === times,
    );
  }
});

async function asAdministrator(screen: Screen): Promise<void> {
  await logIn(screen, ADMIN.email, ADMIN.password);
  await screen.page.getByRole('button', { name: "Got it, let's get started!" }).click();
}

/** Fills in the wizard up to its review. */
async function orderOf(page: Page, email: string): Promise<void> {
  await page.goto('/create-deployment?step=package');
  const next = page.getByRole('button', { name: 'Next' });
  for (const choice of [/^Pangolin/, /new server/i, /Hetzner/, /Falkenstein/, /CPX22/i]) {
    await choose(page.getByRole('radio', { name: choice }).first());
    await next.click();
  }
  await page.getByLabel('Domain', { exact: true }).fill(`${email.split('@')[0]}.sandbox.localhost`);
  await page.getByLabel('Letsencrypt Email').fill(email);
  await next.click();
  await choose(page.getByRole('radio', { name: /Level 3/ }).first());
  await next.click();
}

async function payByCard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pay by card' }).click();
  await page.getByRole('heading', { name: 'Test checkout' }).waitFor();
}

async function payWith(page: Page, card: TestCard): Promise<void> {
  await page.locator(`input[name=card][value=${card}]`).check();
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}

/** Turns on automatic top-up below a thousand dollars, which is due immediately. */
async function switchOn(page: Page): Promise<void> {
  const card = page.locator('#automatic');
  await card.getByRole('button', { name: 'Turn on' }).click();
  await card.getByLabel('Charge the card when').selectOption('amount');
  await card.getByLabel('Balance below, in USD').fill('1000');
  await card.getByLabel('Amount to charge in USD').fill('10');
}
