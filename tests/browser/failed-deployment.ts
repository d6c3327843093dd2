import { describe, expect, it } from '@jest/globals';
import { draftOf } from '../journeys/first-deployment';
import { until } from '../journeys/customer';
import { seriousViolations } from './axe';
import { LONG_MS, openScreen, type There } from './browser';
import { createPayingCustomer } from '../journeys/paying-customer';
import { logIn } from './customers';

/** Leaves Hetzner without servers, so no later journey can order there. */
export const failedDeployment = (there: () => There): void =>
  describe('deployment that could not be created', () => {
    it(
      'explains what happened, what it cost and what is left, and can be deleted',
      async () => {
        const { product, browser } = there();
        const eve = await createPayingCustomer(product, 'eve');
        await product.sql(
          `insert into sandbox_faults (provider, call, mode, remaining) values ('hetzner', 'create', 'no_capacity', 100)`,
        );
        const created = await eve.call<{ id: number }>('POST', '/deployments/', draftOf('eve'));
        expect(created.status).toBe(201);
        await until(
          'FAILED',
          async () => (await eve.call<{ status: string }>('GET', `/deployments/${created.body.id}`)).body.status,
          (status) => status === 'FAILED',
          120_000,
        );

        const screen = await openScreen(browser, { width: 1440, theme: 'light' }, { baseUrl: product.url });
        await logIn(screen, eve.email);
        const { page } = screen;
        await page.goto(`/dashboard?deployment=${created.body.id}`);
        await page.getByText('Failed', { exact: true }).first().waitFor();
        await page
          .getByText(/weren't charged/i)
          .first()
          .waitFor();
        await page.getByRole('button', { name: /^Order .* in Helsinki/ }).waitFor();
        await screen.shot('details-failed');
        expect(await seriousViolations(page)).toEqual([]);

        await page.getByRole('button', { name: 'Delete' }).last().click();
        const confirm = page.getByRole('alertdialog');
        await confirm
          .getByRole('textbox')
          .fill((await eve.call<{ client_name: string }>('GET', `/deployments/${created.body.id}`)).body.client_name);
        await confirm.getByRole('button', { name: 'Delete' }).click();
        await until(
          'an empty list',
          async () => (await eve.call<unknown[]>('GET', '/deployments/')).body.length,
          (left) => left === 0,
        );
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });
