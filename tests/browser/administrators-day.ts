import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { draftOf } from '../journeys/first-deployment';
import { PASSWORD, createPayingCustomer } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import { seriousViolations } from './axe';
import { type Appearance, LONG_MS, openScreen, type There } from './browser';
import { logIn } from './customers';
import { ADMIN } from './seeded';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** Typical work of an administrator on user accounts in a day, by mouse alone. */
export const administratorsDay = (there: () => There): void =>
  describe("administrator's day", () => {
    it.each(APPEARANCES)(
      'creates, promotes, adjusts, impersonates, deactivates, reactivates and deletes an account ($width px)',
      async (appearance) => {
        const { product, browser } = there();
        const olga = await createPayingCustomer(product, `olga${appearance.width}`);
        const name = `olga${appearance.width}`;
        const ordered = await olga.call<{ id: number }>('POST', '/deployments/', {
          ...draftOf(name),
          support_level: 1,
        });
        expect(ordered.status).toBe(201);
        await until(
          'a running deployment',
          async () => (await olga.call<{ status: string }>('GET', `/deployments/${ordered.body.id}`)).body.status,
          (status) => status === 'READY',
        );
        const screen = await openScreen(browser, appearance, {
          baseUrl: product.url,
          // Errors that the browser logs for a blocked deactivation and for an ended account.
          expected: [/the server responded with a status of 4(01|03|09)/],
        });
        const { page } = screen;
        const axe: string[] = [];
        const capture = async (what: string): Promise<void> => {
          await screen.shot(`people-${what}`);
          for (const line of await seriousViolations(page)) axe.push(`${what}: ${line}`);
        };

        await logIn(screen, ADMIN.email, ADMIN.password);
        const welcome = page.getByRole('dialog', { name: 'Welcome, Administrator!' });
        await welcome.getByText('npm run db:init').waitFor();
        await capture('welcome');
        await welcome.getByRole('button', { name: "Got it, let's get started!" }).click();
        await page.reload();
        await page.goto('/users');

        const created = `harbour.master.${appearance.width}`;
        await page.getByRole('button', { name: 'Create New User' }).click();
        const creating = page.getByRole('dialog', { name: 'Create New User' });
        await creating.getByLabel('Username').fill(created);
        await creating.getByLabel('Email').fill(`${created}@example.com`);
        await creating.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await capture('create');
        await creating.getByRole('button', { name: 'Create User' }).click();
        await rowOf(page, created).waitFor();
        await page.getByRole('switch', { name: `Admin, ${created}` }).click();
        await page.getByRole('button', { name: 'Make administrator' }).click();
        await page.getByText(`${created} is now an administrator.`).waitFor();
        await page.getByRole('switch', { name: `Admin, ${created}` }).click();
        await page.getByRole('button', { name: 'Remove role' }).click();
        await page.getByText(`${created} is no longer an administrator.`).waitFor();

        await choose(page, created, 'Adjust Balance');
        const adjusting = page.getByRole('dialog', { name: `Adjust the balance of ${created}` });
        await adjusting.getByLabel('Amount in USD').fill('-1');
        await adjusting.getByLabel('Description').fill('booked twice');
        await adjusting.getByRole('button', { name: 'Save' }).click();
        await adjusting.getByRole('alert').waitFor();
        await capture('adjust-refused');
        await adjusting.getByLabel('Amount in USD').fill('12.5');
        await adjusting.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Balance adjusted successfully').waitFor();
        await rowOf(page, created).getByText('$12.50').waitFor();
        await capture('list');

        await search(page, name);
        await rowOf(page, name).getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
        await page.getByRole('region', { name: 'History' }).waitFor();
        await page.getByRole('region', { name: 'Emails' }).getByText('Verify your email address').waitFor();
        await capture('person');
        await page.getByRole('button', { name: 'View as' }).click();
        await page.getByLabel('Reason').fill('they asked why the certificate is late');
        await capture('view-as');
        await page.getByRole('button', { name: `View as ${name}` }).click();
        const banner = page.getByText(`You are viewing as ${name}.`);
        await banner.waitFor();
        await page.locator('a.name, .data-cards > li').first().waitFor();
        await capture('viewing');
        await page.goto('/account');
        await banner.waitFor();
        expect(await page.getByRole('region', { name: 'API tokens' }).count()).toBe(0);
        await page.getByRole('button', { name: 'Stop viewing' }).click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
        await page.getByText('they asked why the certificate is late').waitFor();

        await page.goto('/users');
        await search(page, name);
        await choose(page, name, 'Deactivate');
        const ending = page.getByRole('alertdialog', { name: `Deactivate ${name}?` });
        await ending.getByText('1 active deployment').first().waitFor();
        await capture('deactivate-blocked');
        await ending.getByRole('button', { name: 'Remove all deployments' }).click();
        const removing = page.getByRole('alertdialog', { name: `Remove all deployments of ${name}?` });
        await removing.getByLabel(/^To confirm, type/).fill(name);
        await removing.getByLabel(/^Reason/).fill('She moves to another provider.');
        await removing.getByRole('button', { name: 'Remove all' }).click();
        await ending.getByText(/refunded/).waitFor();
        await ending.getByRole('button', { name: 'Adjust Balance' }).click();
        await page.getByRole('dialog').getByLabel('Description').fill('Paid back by bank transfer');
        await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
        await ending.getByText(/can no longer log in/).waitFor();
        await capture('deactivate');
        await ending.getByRole('button', { name: 'Deactivate' }).click();
        await page.getByText(`${name} has been deactivated.`).waitFor();
        expect((await olga.call('GET', '/auth/me')).status).toBe(401);

        await page.getByRole('switch', { name: 'Show deactivated users' }).click();
        const renamed = new RegExp(`^deactivated_\\d+_${name}$`);
        await rowOf(page, renamed).waitFor();
        await capture('deactivated');
        await until(
          'an empty server',
          () => product.sql<{ status: string }>('select status from deployments where id = $1', [ordered.body.id]),
          ([row]) => row?.status === 'DESTROYED',
        );
        const old = (await rowOf(page, renamed).getByRole('link', { name: renamed }).innerText()).trim();
        await choose(page, old, 'Delete');
        const erasing = page.getByRole('alertdialog', { name: `Delete ${old} permanently?` });
        await erasing.getByRole('textbox').fill('DELETE');
        await capture('delete');
        await erasing.getByRole('button', { name: 'Delete' }).click();
        await page.getByText('The personal data of this account was permanently deleted.').waitFor();
        await rowOf(page, renamed).waitFor({ state: 'detached' });
        expect(await product.sql('select 1 from users where email = $1', [olga.email])).toEqual([]);

        expect(axe).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });

/** Finds a row of the table, or a card on a phone. */
const rowOf = (page: Page, name: string | RegExp): Locator =>
  page.locator('tbody tr, main li').filter({ has: page.getByRole('link', { name, exact: true }) });

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search by username, email or ID' }).fill(text);
  await rowOf(page, text).waitFor();
}

async function choose(page: Page, name: string, what: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: what }).click();
}
