import { describe, expect, it } from '@jest/globals';
import { seriousViolations } from './axe';
import { LONG_MS, type Appearance, openScreen, type There } from './browser';
import { misfits } from './overflow-check';
import { logIn } from './customers';
import { ADMIN } from './seeded';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** Tests the page of providers for administrators, and how they handle leaks there. */
export const providersInTheBrowser = (there: () => There): void =>
  describe('providers page', () => {
    it.each(APPEARANCES)(
      'shows each provider, keeps one leak and removes another at $width px, $theme',
      async (appearance) => {
        const { product, browser } = there();
        for (const [kind, name, micros] of [
          ['disk', `old-data-${appearance.width}`, 96_000],
          ['server', `moorage-lost-${appearance.width}`, 410_000],
        ] as const)
          await product.sql(
            `insert into cloud_leaks (provider, kind, region, holding_id, name, labels, micros_per_day, state,
               first_seen_at, last_seen_at, times_seen)
             values ('hetzner', $1, 'fsn1', $2, $2, '{"managed-by": "moorage"}', $3, 'confirmed',
               now() - interval '2 hours', now(), 2)`,
            [kind, name, micros],
          );
        const screen = await openScreen(browser, appearance, { baseUrl: product.url, layoutShifts: false });
        const { page } = screen;
        const wrong: string[] = [];
        const capture = async (what: string): Promise<void> => {
          await screen.shot(`providers-${what}`);
          for (const line of [...(await seriousViolations(page)), ...(await misfits(page))])
            wrong.push(`${what}: ${line}`);
        };
        await logIn(screen, ADMIN.email, ADMIN.password);
        await page.getByRole('button', { name: "Got it, let's get started!" }).click();
        await page.goto('/providers');
        await page.locator('.provider-cards section').last().waitFor();
        await page.getByText(`moorage-lost-${appearance.width}`).first().waitFor();
        await capture('page');
        await page.locator('#leaks').scrollIntoViewIfNeeded();
        await capture('leaks');

        for (const [name, button, done] of [
          [`old-data-${appearance.width}`, 'Keep', 'is kept'],
          [`moorage-lost-${appearance.width}`, 'Remove', 'is removed'],
        ] as const) {
          const leak = page.locator('#leaks :is(tbody tr, .data-cards > li)').filter({ hasText: name });
          await leak.getByRole('button', { name: new RegExp(`^${button}`) }).click();
          const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
          await dialog.getByRole('textbox').fill(`${done} by a test of the page`);
          await capture(button.toLowerCase());
          await dialog.getByRole('button', { name: new RegExp(`^${button}`) }).click();
          await dialog.waitFor({ state: 'detached' });
          await leak.waitFor({ state: 'detached' });
        }

        expect(wrong).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });
