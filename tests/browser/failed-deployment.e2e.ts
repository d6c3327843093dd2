import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { draftOf } from '../journeys/first-deployment';
import { type Product, startProduct } from '../journeys/product';
import { until } from '../journeys/person';
import { seriousViolations } from './axe';
import { openBrowser, openScreen } from './browser';
import { logIn, payingPerson } from './people';

const LONG_MS = 180_000;

let product: Product;
let browser: Browser;

beforeAll(async () => {
  product = await startProduct(['all-in-one']);
  browser = await openBrowser();
}, LONG_MS);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
}, LONG_MS);

describe('a deployment that could not be built', () => {
  it(
    'says in plain words what happened, what it cost and what is left, and can be deleted',
    async () => {
      const ada = await payingPerson(product, 'ada');
      await product.sql(
        `insert into sandbox_faults (provider, call, mode, remaining) values ('hetzner', 'create', 'no_capacity', 100)`,
      );
      const created = await ada.call<{ id: number }>('POST', '/deployments/', draftOf('ada'));
      expect(created.status).toBe(201);
      await until(
        'FAILED',
        async () => (await ada.call<{ status: string }>('GET', `/deployments/${created.body.id}`)).body.status,
        (status) => status === 'FAILED',
        120_000,
      );

      const screen = await openScreen(browser, { width: 1440, theme: 'light' }, { baseUrl: product.url });
      await logIn(screen, ada.email);
      const { page } = screen;
      await page.goto(`/dashboard?deployment=${created.body.id}`);
      await page.getByText('Failed', { exact: true }).first().waitFor();
      await page
        .getByText(/nothing was charged/i)
        .first()
        .waitFor();
      await screen.shot('details-failed');
      expect(await seriousViolations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Delete' }).last().click();
      const confirm = page.getByRole('alertdialog');
      await confirm
        .getByRole('textbox')
        .fill((await ada.call<{ client_name: string }>('GET', `/deployments/${created.body.id}`)).body.client_name);
      await confirm.getByRole('button', { name: 'Delete' }).click();
      await until(
        'an empty list',
        async () => (await ada.call<unknown[]>('GET', '/deployments/')).body.length,
        (left) => left === 0,
      );
      expect(await screen.problems()).toEqual([]);
      await screen.close();
    },
    LONG_MS,
  );
});
