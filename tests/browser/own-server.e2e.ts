import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { fixture, type HostFixture, startHost, onServer, snapshot } from '../real-server/host-fixture';
import { enterRecords } from '../real-server/records';
import { choose } from './choose';
import { seriousViolations } from './axe';
import { openBrowser, openScreen } from './browser';
import { createPayingCustomer } from '../journeys/paying-customer';
import { detailsOn, logIn } from './customers';

/**
 * Maximum duration. This journey runs with the real server (`npm run test:real-server`), not with the other browser
 * journeys.
 */
const LONG_MS = 300_000;
const DOMAIN = 'quay.example.test';

let server: HostFixture;
let product: Product;
let browser: Browser;

beforeAll(async () => {
  server = await startHost();
  product = await startProduct(['all-in-one'], { ...server.lab_settings, TRAEFIK_PLUGINS: 'off' });
  browser = await openBrowser();
}, LONG_MS);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await fixture(['down']);
}, LONG_MS);

describe('wizard for an own server, against a real server', () => {
  it(
    'rejects it before the script ran, accepts it afterwards, deploys, and leaves nothing behind',
    async () => {
      const ada = await createPayingCustomer(product, 'ada');
      const screen = await openScreen(
        browser,
        { width: 1440, theme: 'light' },
        // Error that the browser logs for the refused check.
        { baseUrl: product.url, expected: [/status of 422/] },
      );
      const { page } = screen;
      const untouched = await snapshot();
      await logIn(screen, ada.email);
      await page.goto('/create-deployment?step=package');
      const next = page.getByRole('button', { name: 'Next' });
      await choose(page.locator('input[value=pangolin]'));
      await next.click();
      await choose(page.getByRole('radio', { name: /own/i }));
      await page.getByLabel('IP address').fill(server.server.ip);
      await page.getByRole('button', { name: 'Validate' }).click();
      await page
        .getByText(/refused our key/)
        .first()
        .waitFor({ timeout: 90_000 });
      await screen.shot('own-server-refused');
      expect(await seriousViolations(page)).toEqual([]);

      const script = await page.locator('pre').filter({ hasText: 'PLATFORM_KEY' }).first().innerText();
      await onServer(['sh', '-c', 'cat > docker-compose.yml'], script);
      expect(await onServer(['docker', 'compose', 'up', '--no-log-prefix'])).toContain('Access granted');
      await page.getByRole('button', { name: 'Validate' }).click();
      await page.getByText(server.ssh.host_key_fingerprint).first().waitFor({ timeout: 90_000 });
      await screen.shot('own-server-accepted');
      expect(await seriousViolations(page)).toEqual([]);
      await next.click();

      await page.getByLabel('Domain', { exact: true }).fill(DOMAIN);
      await page.getByLabel('Letsencrypt Email').fill(ada.email);
      await next.click();
      await next.click();
      await page.getByText('$0.12').first().waitFor();
      await page.getByRole('button', { name: 'Create Deployment' }).click();
      await page.waitForURL('**/dashboard**');

      const details = detailsOn(page);
      await details.getByText('Validating DNS...').first().waitFor({ timeout: 180_000 });
      await details.getByText(server.server.ip).first().waitFor();
      await screen.shot('own-server-dns');
      await enterRecords(product, { [`admin.${DOMAIN}`]: server.server.ip, [`traefik.${DOMAIN}`]: server.server.ip });
      await details.getByText('Ready', { exact: true }).first().waitFor({ timeout: 180_000 });
      await screen.shot('own-server-ready');

      await details.getByRole('button', { name: 'Deactivate' }).click();
      const confirm = page.getByRole('alertdialog');
      const [row] = await product.sql<{ client_name: string }>('select client_name from deployments');
      await confirm.getByRole('textbox').fill(row?.client_name ?? '');
      await confirm.getByRole('button', { name: 'Deactivate' }).click();
      await page.getByText('Disabled', { exact: true }).first().waitFor({ timeout: 120_000 });
      expect((await snapshot()).filter((fact) => !fact.includes('docker-compose.yml'))).toEqual(untouched);
      await until(
        'balanced books',
        () => product.sql<{ sum: string }>('select sum(amount_micros)::text as sum from ledger_lines'),
        ([books]) => books?.sum === '0',
      );
      expect(await screen.problems()).toEqual([]);
      await screen.close();
    },
    LONG_MS,
  );
});
