import { describe, expect, it } from '@jest/globals';
import { until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import { seriousViolations } from './axe';
import { type Appearance, chooseLanguage, LONG_MS, openScreen, type There } from './browser';
import { logIn } from './customers';
import { misfits } from './overflow-check';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'light' },
];

/** Follows, searches, pauses and downloads the logs of a deployment, and restarts a container. */
export const logsInTheBrowser = (there: () => There): void =>
  describe('logs of a deployment in the browser', () => {
    it.each(APPEARANCES)(
      'are followed and searched at $width px, $theme',
      async (appearance) => {
        const { product, browser } = there();
        const isPhone = appearance.width === 390;
        const name = `lou${appearance.width}${appearance.theme}`;
        const lou = await createPayingCustomer(product, name, 60);
        const created = await lou.call<{ id: number }>('POST', '/deployments/', draftOf(name));
        expect(created.status).toBe(201);
        const { id } = created.body;
        await until(
          'READY',
          async () => (await lou.call<{ status: string }>('GET', `/deployments/${id}`)).body,
          ({ status }) => status === 'READY',
          90_000,
        );

        const screen = await openScreen(browser, appearance, { baseUrl: product.url, layoutShifts: false });
        const { page } = screen;
        const wrong: string[] = [];
        const capture = async (what: string): Promise<void> => {
          await screen.shot(`logs-${what}`);
          for (const line of [...(await seriousViolations(page)), ...(await misfits(page))])
            wrong.push(`${what}: ${line}`);
        };
        await logIn(screen, lou.email);
        await page.goto(`/deployments/${id}`);
        await page.getByRole('link', { name: 'Logs' }).waitFor();
        await page.keyboard.press('g');
        await page.keyboard.press('l');
        const log = page.getByRole('list', { name: /^Log(zeilen| lines)/ });
        const lines = log.locator('li');
        await page.getByText('Following. Known passwords and keys are hidden.').waitFor();
        const before = await lines.count();
        await until(
          'a new line',
          () => lines.count(),
          (count) => count > before,
          30_000,
        );
        await capture('following');

        await page.getByRole('searchbox', { name: 'Search logs' }).fill('server started');
        await page.getByText('No older line of the last 7 days matches.').waitFor();
        expect(await lines.allInnerTexts()).toEqual(
          expect.arrayContaining([expect.stringContaining('Server started on port 3001')]),
        );
        await capture('search');
        await page.getByRole('button', { name: 'Clear search' }).click();

        await page.getByRole('button', { name: 'Pause' }).click();
        await page.getByText(/^Paused\. .*new line/).waitFor();
        await capture('paused');
        await page.getByRole('button', { name: 'Jump to newest' }).click();
        await page.getByText('Following. Known passwords and keys are hidden.').waitFor();

        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Download' }).click();
        expect((await saved).suggestedFilename()).toMatch(/^logs-.*Z\.txt$/);

        if (isPhone) await page.getByText('Containers', { exact: true }).click();
        const restart = page.getByRole('button', { name: 'Restart pangolin' });
        await restart.waitFor();
        await capture('containers');
        await restart.click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Restart container' }).waitFor();
        await capture('restart');
        await page.getByRole('alertdialog').getByRole('button', { name: 'Restart container' }).click();
        await page.getByText('pangolin is being restarted.').waitFor();

        await chooseLanguage(screen, 'de');
        await page.reload();
        await page.getByText('Neue Zeilen erscheinen sofort.').waitFor();
        await page.getByRole('searchbox', { name: 'Logs durchsuchen' }).fill('server started');
        await lines.filter({ hasText: 'Server started' }).first().waitFor();
        await page.getByRole('searchbox', { name: 'Logs durchsuchen' }).fill('');
        await capture('following-de');

        expect(wrong).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });
