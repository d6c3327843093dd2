import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../journeys/customer';
import { seriousViolations } from './axe';
import { LONG_MS, type Appearance, openScreen, type There } from './browser';
import { detailsOn, signUp, verify } from './customers';

/** Clicks from the landing page to a deployment that is ready, and requests to the API. */
const CLICKS_MAX = 12;
const REQUESTS_MAX = 55;

/** Paths that stand in for the visitor's mailbox and for Stripe's page. */
const STANDS_IN = ['/api/mailbox', '/api/stripe/test-checkout/'];

/** Counts clicks with the mouse and requests to the API from now on. */
async function countSteps(page: Page): Promise<() => Promise<{ clicks: number; requests: readonly string[] }>> {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && !STANDS_IN.some((path) => pathname.startsWith(path)))
      requests.push(`${request.method()} ${pathname.slice('/api'.length)}`);
  });
  await page.addInitScript(() =>
    addEventListener(
      'click',
      ({ isTrusted, detail }) => {
        if (isTrusted && detail > 0)
          sessionStorage.setItem('clicks', `${Number(sessionStorage.getItem('clicks')) + 1}`);
      },
      { capture: true },
    ),
  );
  return async () => ({
    clicks: await page.evaluate(() => Number(sessionStorage.getItem('clicks'))),
    requests,
  });
}

export const newcomerInTheBrowser = (
  there: () => There,
  { looks, layoutShifts = true }: { looks: readonly Appearance[]; layoutShifts?: boolean },
): void =>
  describe('new visitor in the browser', () => {
    it.each(looks)(
      'gets from the landing page to a deployment and its deletion at $width px, $theme',
      async (appearance) => {
        const { product, browser } = there();
        const name = `ada${appearance.width}${appearance.theme}`;
        const screen = await openScreen(browser, appearance, { baseUrl: product.url, layoutShifts });
        const { page } = screen;
        const axe: string[] = [];
        const capture_as = async (what: string): Promise<void> => {
          await screen.shot(what);
          // The dark theme differs from the light theme only by its colours.
          const rules = appearance.theme === 'dark' ? { rules: ['color-contrast'] } : {};
          for (const line of await seriousViolations(page, rules)) axe.push(`${what}: ${line}`);
        };

        const steps = await countSteps(page);
        await page.goto('/');
        await page.getByRole('heading', { name: 'Moorage', level: 1 }).waitFor();
        await capture_as('home');
        await page
          .getByRole('main')
          .getByRole('link', { name: /^Pangolin / })
          .first()
          .click();
        await page.waitForURL('**/signup?package=pangolin');
        await capture_as('signup');

        // The package survives the signup, the verification and the payment.
        const email = await signUp(screen, name, { endsAt: '**/create-deployment' });
        await page.getByText('Your balance is too low').waitFor();
        await capture_as('order-unverified');
        await verify(product, screen, email);
        await capture_as('verified');
        await page.getByRole('link', { name: 'Continue with your order' }).click();
        await page.getByRole('button', { name: /^Add \$/ }).click();
        await page.getByRole('button', { name: /^Pay \$/ }).click();
        await page.getByRole('heading', { name: 'Test Payment Successful!' }).waitFor();
        await capture_as('paid');
        await page.getByRole('link', { name: 'Back to your order' }).click();
        await page.getByText('$', { exact: false }).first().waitFor();
        await page.getByText('Your balance will then last until').waitFor();
        await capture_as('order');
        await page.getByRole('button', { name: 'Create Deployment' }).dblclick();

        await page.waitForURL('**/dashboard**');
        const drawer = detailsOn(page);
        // The sandbox may finish before the browser checks.
        await drawer
          .getByText(/^(Creating\.\.\.|Provisioning\.\.\.|Ready)$/)
          .first()
          .waitFor();
        await capture_as('details-live');
        await drawer.getByText('Ready', { exact: true }).first().waitFor();
        const { clicks, requests } = await steps();
        // The double click counts twice.
        expect(clicks).toBeLessThanOrEqual(CLICKS_MAX + 1);
        expect(requests.length).toBeLessThanOrEqual(REQUESTS_MAX);
        await capture_as('details-ready');
        expect(
          await product.sql(
            'select count(*)::int as n from deployments d join users u on u.id = d.user_id where u.email = $1',
            [email],
          ),
        ).toEqual([{ n: 1 }]);

        await page.goto('/billing');
        await page.getByText('Everything runs until').first().waitFor();
        await capture_as('billing-running');
        await page.goto('/dashboard');
        await page
          .getByRole('link', { name: /details of/i })
          .or(page.locator('a.name'))
          .first()
          .click();
        await drawer.getByRole('button', { name: 'Deactivate' }).click();
        const confirm = page.getByRole('alertdialog');
        await confirm.getByRole('textbox').fill(await nameOf(email));
        await capture_as('deactivate');
        await confirm.getByRole('button', { name: 'Deactivate' }).click();
        await page.getByText('Disabled', { exact: true }).first().waitFor();
        await capture_as('details-gone');

        await page.goto('/billing');
        await page
          .getByText(/^\+\$\d/)
          .first()
          .waitFor();
        await capture_as('billing-after');
        expect(axe).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await until(
          'an empty cloud',
          () => product.sql<{ n: number }>(`select count(*)::int as n from sandbox_servers where state <> 'gone'`),
          ([row]) => row?.n === 0,
        );
        await screen.close();
      },
      LONG_MS,
    );

    const nameOf = async (email: string): Promise<string> =>
      (
        await there().product.sql<{ client_name: string }>(
          'select d.client_name from deployments d join users u on u.id = d.user_id where u.email = $1',
          [email],
        )
      )[0]?.client_name ?? '';
  });
