import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { createPayingCustomer } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import { type Appearance, LONG_MS, productAndBrowser, type Screen } from './browser';
import { logIn, signUp, verify } from './customers';
import { screens } from './screens';
import { ADMIN } from './seeded';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

// A separate product, because an address may only sign up a limited number of times.
const there = productAndBrowser();

/** Records of a table, which are cards on a phone. */
const ROWS = 'main :is(tbody tr, .data-cards > li)';

/** Both ways to a credit, by mouse alone. On a single machine every referral waits for a review. */
describe('referrals and free credits', () => {
  it.each(APPEARANCES)(
    'lets a visitor request credits on the pricing page and sign up with the approved code ($width px)',
    async (appearance) => {
      const { product } = there();
      const { open, close, capture } = screens(there(), appearance, {
        name: 'credits',
        expected: [/the server responded with a status of 422/],
      });
      const name = `vera${appearance.width}`;
      const email = `${name}@example.com`;
      const visitor = await open();
      const { page: hers } = visitor;
      await hers.goto('/pricing');
      const asks = hers.getByRole('button', { name: 'Request Free Credits' });
      await asks.click();
      const dialog = hers.getByRole('dialog', { name: 'Request Free Credits' });
      await hers.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await expectFocus(asks);
      await asks.click();
      await dialog.getByRole('button', { name: 'Submit request' }).click();
      await dialog.getByText('Please fill in both fields').first().waitFor();
      await dialog.getByLabel('Email').fill(email);
      await dialog.getByLabel('Reason').fill('I would like to try Pangolin before I pay.');
      await capture(visitor, 'request');
      await dialog.getByRole('button', { name: 'Submit request' }).click();
      await dialog.getByText(/^Your request was submitted/).waitFor();
      await capture(visitor, 'request-sent');
      await dialog.getByRole('button', { name: 'Close' }).last().click();

      const staff = await open();
      const page = await asAdministrator(staff);
      await page.getByRole('link', { name: /^Free credit requests/ }).click();
      const row = page.locator(ROWS).filter({ hasText: email });
      await row.getByText('no account').waitFor();
      await capture(staff, 'admin-requests');
      await row.getByRole('button', { name: `Reject ${email}` }).click();
      const rejects = page.getByRole('alertdialog', { name: `Reject the request of ${email}?` });
      await rejects.getByRole('button', { name: 'Reject' }).click();
      await rejects.getByText('Enter a reason.').waitFor();
      await capture(staff, 'admin-reject');
      await rejects.getByRole('button', { name: 'Cancel' }).click();
      await row.getByRole('button', { name: `Approve ${email}` }).click();
      const approves = page.getByRole('alertdialog', { name: `Approve the request of ${email}?` });
      await approves.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The request was approved.').waitFor();

      const [code = ''] = await until(
        'the mail with the code',
        async () => (await product.mails(email)).flatMap(({ text }) => /signup\?ref=(\S+)/.exec(text)?.[1] ?? []),
        (codes) => codes.length > 0,
      );
      await signUp(visitor, name, { ref: code });
      await hers.getByText(/You get your free credits once your email address is verified/).waitFor();
      await verify(product, visitor, email);
      await hers.goto('/referrals');
      await hers.locator(ROWS).filter({ hasText: 'Signup credit' }).waitFor();
      await hers.getByLabel('Code', { exact: true }).fill(code);
      await hers.getByRole('button', { name: 'Redeem' }).click();
      await hers.getByText('This code has already been used.').waitFor();
      await capture(visitor, 'code-used');
      await close();
    },
    LONG_MS,
  );

  it.each(APPEARANCES)(
    'credits a friend who used the link, and the referrer, after a review ($width px)',
    async (appearance) => {
      const { product } = there();
      const { open, close, capture } = screens(there(), appearance, {
        name: 'credits',
        expected: [/the server responded with a status of 422/],
      });
      const name = `rita${appearance.width}`;
      const rita = await createPayingCustomer(product, name);
      const hers = await open();
      await logIn(hers, rita.email);
      await hers.page.getByRole('button', { name: /menu/ }).first().click();
      await hers.page.getByRole('menuitem', { name: 'Referrals', exact: true }).click();
      const link = hers.page.getByRole('textbox', { name: 'Your referral link' });
      await link.waitFor();
      await capture(hers, 'referrals');
      await hers.page.getByRole('button', { name: 'Copy', exact: true }).click();
      await hers.page.getByText('Copied to clipboard!').waitFor();
      const copied = await hers.page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toBe(await link.inputValue());

      const friend = `friend.of.${name}`;
      const theirs = await open();
      await signUp(theirs, friend, { ref: new URL(copied).searchParams.get('ref') ?? '' });
      await theirs.page.getByText(`You and ${name} will receive referral credits.`).waitFor();
      await verify(product, theirs, `${friend}@example.com`);
      await hers.page.reload();
      await hers.page.getByText('In review').waitFor();
      await capture(hers, 'referrals-in-review');

      const staff = await open();
      const page = await asAdministrator(staff);
      await page.getByRole('link', { name: /^Referrals/ }).click();
      await rowOf(page, friend).getByText('Same network as the referrer').waitFor();
      await capture(staff, 'admin-referrals');
      await page.getByRole('button', { name: `Approve ${friend}` }).click();
      const asks = page.getByRole('alertdialog', { name: `Grant the credits of ${friend} and ${name}?` });
      await asks.waitFor();
      await capture(staff, 'admin-approve');
      await asks.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The credits were granted.').waitFor();
      await rowOf(page, friend).waitFor({ state: 'detached' });

      await page.getByRole('link', { name: 'Credits', exact: true }).click();
      const adjust = page.getByRole('button', { name: `Adjust the credit of ${friend}` });
      await adjust.click();
      await page.getByLabel(`Amount of the credit of ${friend}`).fill('-1');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Please enter a valid amount').waitFor();
      await capture(staff, 'admin-adjust');
      await page.getByLabel(`Amount of the credit of ${friend}`).fill('4.5');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Credit adjusted successfully').waitFor();
      await page.getByRole('link', { name: 'Clusters' }).click();
      await page.getByRole('link', { name: '127.0.0.0/24' }).waitFor();
      await capture(staff, 'admin-clusters');
      await page.getByRole('link', { name: '127.0.0.0/24' }).click();
      await page.getByRole('button', { name: /^Network 127\.0\.0\.0\/24/ }).waitFor();
      await adjust.waitFor();
      await capture(staff, 'admin-credits');

      await hers.page.reload();
      await hers.page.locator(ROWS).filter({ hasText: 'Referral credit, referrer' }).waitFor();
      await hers.page.getByText('€4.99').first().waitFor();
      await capture(hers, 'referrals-credited');
      await theirs.page.goto('/referrals');
      await theirs.page.getByText('€4.50').waitFor();
      await close();
    },
    LONG_MS,
  );
});

async function asAdministrator(screen: Screen): Promise<Page> {
  const { page } = screen;
  await logIn(screen, ADMIN.email, ADMIN.password);
  await page.getByRole('button', { name: "Got it, let's get started!" }).click();
  await page.getByRole('button', { name: /menu/ }).first().click();
  await page.getByRole('menuitem', { name: /^Referral Management/ }).click();
  await page.getByRole('heading', { name: 'Referral Management' }).waitFor();
  return page;
}

const rowOf = (page: Page, name: string): Locator =>
  page.locator(ROWS).filter({ has: page.getByRole('link', { name, exact: true }) });

const expectFocus = async (locator: Locator): Promise<void> =>
  expect(await locator.evaluate((element) => element === document.activeElement)).toBe(true);
