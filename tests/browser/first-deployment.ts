import { describe, expect, it } from '@jest/globals';
import { until } from '../journeys/customer';
import { choose as chooseRadio } from './choose';
import { seriousViolations } from './axe';
import { LONG_MS, type Appearance, openScreen, type There } from './browser';
import { detailsOn, signUp, topUp, verify } from './customers';

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

        await page.goto('/');
        await page.getByRole('heading', { name: 'Moorage', level: 1 }).waitFor();
        await capture_as('home');
        await page.getByRole('main').getByRole('link', { name: 'Sign Up' }).first().click();
        await page.waitForURL('**/signup');
        await capture_as('signup');

        const email = await signUp(screen, name);
        await page.getByRole('heading', { name: 'Manage Resources' }).waitFor();
        await capture_as('dashboard-empty');
        await verify(product, screen, email);
        await capture_as('verified');
        await topUp(screen, 20);
        await capture_as('billing');

        await page.goto('/create-deployment');
        const next = page.getByRole('button', { name: 'Next' });
        const choose = (choice: string | RegExp): Promise<void> =>
          chooseRadio(page.getByRole('radio', { name: choice }).first());
        await choose(/^Pangolin/);
        await capture_as('wizard-package');
        await next.click();
        await choose(/new server/i);
        await next.click();
        await choose(/Hetzner/);
        await capture_as('wizard-cloud');
        await next.click();
        await choose(/Falkenstein/);
        await capture_as('wizard-region');
        await next.click();
        await choose(/CPX22/i);
        await capture_as('wizard-instance');
        await next.click();
        await page.getByLabel('Domain', { exact: true }).fill(`${name}.sandbox.localhost`);
        await page.getByLabel('Letsencrypt Email').fill(email);
        await capture_as('wizard-config');
        await next.click();
        await choose(/Level 1/);
        await capture_as('wizard-support');
        await next.click();
        await page.getByText('0.85').first().waitFor();
        await capture_as('wizard-review');
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
        await page.getByText('+$20.00').first().waitFor();
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
