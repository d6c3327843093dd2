import { describe, expect, it } from '@jest/globals';
import { until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import { seriousViolations } from './axe';
import { LONG_MS, type Appearance, openScreen, type There } from './browser';
import { detailsOn, logIn } from './customers';
import { misfits } from './overflow-check';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** Opens a deployment's page from the dashboard, visits its tabs, renames and locks it, and ends it there. */
export const deploymentPageInTheBrowser = (there: () => There): void =>
  describe("a deployment's page in the browser", () => {
    it.each(APPEARANCES)(
      'opens from the panel, has an address per tab, and ends with the deployment at $width px, $theme',
      async (appearance) => {
        const { product, browser } = there();
        const name = `dora${appearance.width}`;
        const dora = await createPayingCustomer(product, name, 60);
        const created = await dora.call<{ id: number }>('POST', '/deployments/', draftOf(name));
        expect(created.status).toBe(201);
        const { id } = created.body;
        const statusIs = (wanted: string): Promise<unknown> =>
          until(
            wanted,
            async () => (await dora.call<{ status: string }>('GET', `/deployments/${id}`)).body.status,
            (status) => status === wanted,
            60_000,
          );
        await statusIs('READY');

        const screen = await openScreen(browser, appearance, {
          baseUrl: product.url,
          // Notes appear above the cards while the deployment ends.
          layoutShifts: false,
        });
        const { page } = screen;
        const wrong: string[] = [];
        const capture = async (what: string): Promise<void> => {
          await screen.shot(`deployment-${what}`);
          for (const line of [...(await seriousViolations(page)), ...(await misfits(page))])
            wrong.push(`${what}: ${line}`);
        };
        const tab = (label: string) =>
          page.getByRole('navigation', { name: 'Deployment' }).getByRole('link', { name: label });
        const card = (title: string) => page.getByRole('region', { name: title, exact: true });

        await logIn(screen, dora.email);
        await page.goto(`/dashboard?deployment=${id}`);
        await detailsOn(page).getByRole('link', { name: 'Open page' }).click();
        await page.waitForURL(`**/deployments/${id}`);
        await card('Cost').getByText('a day').first().waitFor();
        expect(await page.getByRole('link', { name: 'Open', exact: true }).getAttribute('href')).toContain('http');
        await capture('overview');

        await tab('Access').click();
        await page.waitForURL(`**/deployments/${id}/access`);
        await card('Login')
          .getByRole('button', { name: /^Show .*Password$/ })
          .first()
          .click();
        await card('Login')
          .getByRole('button', { name: /^Hide .*Password$/ })
          .first()
          .waitFor();
        // At the top, the app bar covers no button.
        await page.evaluate(() => scrollTo(0, 0));
        await capture('access');

        await tab('Activity').click();
        await page.getByRole('button', { name: 'Show steps' }).click();
        await page.locator('.tl li').last().waitFor();
        await capture('activity');

        await page.keyboard.press('g');
        await page.keyboard.press('s');
        await page.waitForURL(`**/deployments/${id}/settings`);
        const field = card('Name').getByRole('textbox');
        await field.fill(`${name} at sea`);
        await card('Name').getByRole('button', { name: 'Save name' }).click();
        await page.getByRole('heading', { level: 1, name: `${name} at sea` }).waitFor();
        const end = card('Deletion').getByRole('button', { name: 'Deactivate' });
        await card('Protection').getByRole('switch').click();
        await end.and(page.locator('[aria-disabled=true]')).waitFor();
        await capture('settings');
        await card('Protection').getByRole('switch').click();
        await end.and(page.locator(':not([aria-disabled])')).waitFor();

        await page.reload();
        await end.click();
        const confirm = page.getByRole('alertdialog');
        await confirm.getByRole('textbox').fill(`${name} at sea`);
        await confirm.getByRole('button', { name: 'Deactivate' }).click();
        await page.waitForURL(`**/deployments/${id}`);
        await statusIs('DESTROYED');
        await page.getByRole('button', { name: 'Create again' }).waitFor();
        await tab('Settings').waitFor({ state: 'detached' });
        await capture('over');

        expect(wrong).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });
