import type { Locator, Page } from 'playwright-core';
import type { Product } from '../journeys/product';
import { PASSWORD } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import type { Screen } from './browser';

/**
 * Finds the details of a deployment, docked beside the list or over it, as distinct from the wizard's price, which is
 * also an aside.
 */
export const detailsOn = (page: Page): Locator =>
  page
    .getByRole('complementary')
    .or(page.getByRole('dialog'))
    .filter({ has: page.locator('.drawer').getByRole('heading', { level: 2 }) });

/** Signs up on the screen. Ends on the dashboard or at the given address, not verified yet. */
export async function signUp(
  { page }: Screen,
  name: string,
  { ref, endsAt = '**/dashboard' }: { ref?: string; endsAt?: string } = {},
): Promise<string> {
  const email = `${name}@example.com`;
  if (new URL(page.url()).pathname !== '/signup' || ref !== undefined)
    await page.goto(ref === undefined ? '/signup' : `/signup?ref=${ref}`);
  await page.getByLabel('Username').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.waitForURL(endsAt);
  return email;
}

/** Finds the verification email like a new user, from the banner to the mailbox, and follows its link. */
export async function verify(product: Product, { page }: Screen, email: string): Promise<void> {
  await until(
    'the verification mail',
    () => product.mails(email),
    (mails) => mails.length > 0,
  );
  await page.getByRole('link', { name: 'mailbox' }).click();
  await page.getByRole('link', { name: /verify your email/i }).click();
  await page.getByRole('link', { name: /verify-email/ }).click();
  await page.getByRole('button', { name: 'Confirm email address' }).click();
  await page.getByRole('heading', { name: 'Email verified' }).waitFor();
}

/** Adds funds through the test checkout. Ends on the billing page with the payment posted. */
export async function topUp({ page }: Screen, units: number): Promise<void> {
  await page.goto('/billing');
  await page.getByLabel('Amount in USD').fill(String(units));
  await page.getByRole('button', { name: /pay by card/i }).click();
  await page.getByRole('button', { name: /pay/i }).click();
  await page.getByRole('heading', { name: 'Test Payment Successful!' }).waitFor();
  await page.getByRole('link', { name: 'View Billing & Transactions' }).click();
  await page.getByText(`+$${units}.00`).first().waitFor();
}

/** Logs in on the screen. */
export async function logIn({ page }: Screen, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(/\/(dashboard|admin)$/);
}
