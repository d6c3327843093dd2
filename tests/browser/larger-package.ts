import { describe, expect, it } from '@jest/globals';
import { createPayingCustomer } from '../journeys/paying-customer';
import { seriousViolations } from './axe';
import { LONG_MS, openScreen, type There } from './browser';
import { choose } from './choose';
import { detailsOn, logIn } from './customers';

const DOMAIN = 'harbour.sandbox.localhost';

export const largerPackage = (there: () => There): void =>
  describe('package with required and optional values, on a phone', () => {
    it(
      'is ordered, starts, and shows where to log in',
      async () => {
        const { product, browser } = there();
        const grace = await createPayingCustomer(product, 'grace');
        const screen = await openScreen(
          browser,
          { width: 390, theme: 'light' },
          {
            baseUrl: product.url,
            // The details are rearranged when the deployment is ready. The records move down and the sign-in moves up.
            layoutShifts: false,
          },
        );
        const { page } = screen;
        const axe: string[] = [];
        const appearance = async (what: string): Promise<void> => {
          await screen.shot(what);
          for (const line of await seriousViolations(page)) axe.push(`${what}: ${line}`);
        };
        await logIn(screen, grace.email);

        await page.goto('/create-deployment?step=package');
        const next = page.locator('.forward');
        const take = (value: string): Promise<void> => choose(page.locator(`input[value="${value}"]`));
        for (const value of ['pangolin-plus', 'new', 'hetzner', 'fsn1']) {
          await take(value);
          await next.click();
        }
        await page.getByText('Recommended', { exact: true }).first().waitFor();
        await appearance('larger-instance');
        await take('cpx22');
        await next.click();

        await page.getByRole('heading', { name: 'Required' }).waitFor();
        await page.getByRole('heading', { name: 'Optional' }).waitFor();
        // The button is disabled, explains why, and still leads to the field.
        await next.click({ force: true });
        // Missing values are reported at their fields.
        await page.locator('input[aria-invalid=true]').first().waitFor();
        await appearance('larger-config-missing');
        for (const [field, value] of Object.entries({
          domain: DOMAIN,
          admin_email: grace.email,
          admin_username: grace.email,
          admin_password: 'Harbour-Light-7-North',
          crowdsec_enrollment_key: 'clx1y2z3a4b5c6d7e8f9g0h1i',
          static_page_subdomain: 'www',
        }))
          await page.locator(`input[name=${field}]`).fill(value);
        await appearance('larger-config');
        await next.click();
        await take('1');
        await next.click();
        await page.locator('.review').waitFor();
        await appearance('larger-review');
        await page.getByRole('button', { name: 'Create Deployment' }).click();

        await page.waitForURL('**/dashboard**');
        const details = detailsOn(page);
        await details.getByText('Ready', { exact: true }).first().waitFor();
        const block = details.locator('#sign-in');
        await block.getByText(`admin.${DOMAIN}`).first().waitFor();
        expect(await block.getByText(`logs.${DOMAIN}`).count()).toBeGreaterThan(0);
        await block.getByText(grace.email).first().waitFor();
        await block.getByRole('button', { name: /^Show/ }).first().click();
        await block.getByText('Harbour-Light-7-North').waitFor();
        await appearance('larger-sign-in');

        // The browser reaches the simulated server by its own name.
        const [popup] = await Promise.all([
          page.context().waitForEvent('page'),
          block.getByRole('link', { name: `admin.${DOMAIN}` }).click(),
        ]);
        await popup.getByText('Pangolin+').first().waitFor();
        await popup.close();

        expect(axe).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });
