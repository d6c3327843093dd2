import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import type { Product } from '../journeys/product';
import {
  type Appearance,
  LONG_MS,
  MAIN_APPEARANCE,
  openScreen,
  OTHER_APPEARANCES,
  type Screen,
  type There,
} from './browser';
import { logIn } from './customers';
import { inBothLanguages } from './screens';
import { ADMIN } from './seeded';
import { storeHistory } from './watched';

/** Two rounds of the checks, which run once a minute. */
const ROUNDS_MS = 200_000;

const APPEARANCES = [MAIN_APPEARANCE, ...OTHER_APPEARANCES];

/**
 * Reads the metrics and the health of a deployment, switches its server off behind the product's back, and starts it
 * again with the button.
 */
export const watchingInTheBrowser = (there: () => There): void =>
  describe('a watched deployment in the browser', () => {
    let id: number;
    let owner: string;
    const open = async (appearance: Appearance, email = owner, password?: string): Promise<Screen> => {
      const { product, browser } = there();
      const screen = await openScreen(browser, appearance, { baseUrl: product.url, layoutShifts: false });
      await logIn(screen, email, password);
      return screen;
    };

    beforeAll(async () => {
      const { product } = there();
      const wren = await createPayingCustomer(product, 'wren', 60);
      const created = await wren.call<{ id: number }>('POST', '/deployments/', draftOf('wren'));
      expect(created.status).toBe(201);
      id = created.body.id;
      owner = wren.email;
      await until(
        'READY',
        async () => (await wren.call<{ status: string }>('GET', `/deployments/${id}`)).body,
        ({ status }) => status === 'READY',
        90_000,
      );
      await storeHistory(product, id);
      await checkNow(product, id, {
        what: 'every check',
        of: `select 1 from reachability where deployment_id = $1 and response_ms is not null and host is not null`,
      });
    }, LONG_MS);

    describe('that runs', () => {
      it.each(APPEARANCES)(
        'shows its metrics and its health at $width px, $theme',
        async (appearance) => {
          const screen = await open(appearance);
          const { page } = screen;
          await inBothLanguages(screen, 'watching', async (capture, locale) => {
            const words = WORDS[locale];
            await page.goto(`/deployments/${id}/metrics`);
            await page.getByText(words.was_down).waitFor();
            await page.getByText(words.was_filling).waitFor();
            await charts(screen);
            await capture('metrics');
            await page.locator('.charts').scrollIntoViewIfNeeded();
            await page.locator('#disk').scrollIntoViewIfNeeded();
            await capture('charts');
            await page.locator('#response .btn').click();
            await page.locator('#response table').scrollIntoViewIfNeeded();
            await capture('numbers');
            await page.goto(`/deployments/${id}/metrics?period=30d`);
            await charts(screen);
            await page.locator('#disk').scrollIntoViewIfNeeded();
            await capture('charts-30d');
            await page.goto(`/deployments/${id}`);
            await page.locator('.health .figure .spark').nth(3).waitFor();
            await capture('health');
          });
        },
        LONG_MS,
      );
    });

    describe('whose server is switched off', () => {
      beforeAll(async () => {
        const { product } = there();
        await product.sql(
          `update sandbox_servers set quirks = quirks || jsonb_build_object('stopped_at', (extract(epoch from now()) * 1000)::bigint)
           where labels ->> 'deployment' = (select ref from deployments where id = $1)`,
          [id],
        );
        await checkNow(product, id, {
          what: 'the incidents of the server',
          of: `select 1 from incidents where deployment_id = $1 and kind in ('server_off', 'down') and ended_at is null
             having count(*) = 2 and exists (select 1 from reachability where deployment_id = $1 and host_failure is not null)`,
        });
      }, LONG_MS);

      it.each(APPEARANCES)(
        'says so, with what helps, at $width px, $theme',
        async (appearance) => {
          const screen = await open(appearance);
          const { page } = screen;
          await inBothLanguages(screen, 'watching', async (capture, locale) => {
            const words = WORDS[locale];
            await page.goto(`/deployments/${id}`);
            await page.getByRole('alert').getByText(words.is_off).waitFor();
            await page.locator('.health .figure.alarm').waitFor();
            await capture('off');
            await page.goto(`/deployments/${id}/metrics`);
            await page.locator('.incident-feed').getByText(words.is_explained).waitFor();
            await charts(screen);
            await capture('off-metrics');
            await page.locator('.incident-feed').getByRole('button', { name: words.start }).click();
            await page.getByRole('alertdialog').getByRole('button', { name: words.start }).waitFor();
            await capture('off-start');
            await page.keyboard.press('Escape');
            await page.goto(`/dashboard?deployment=${id}`);
            await page.locator('.drawer .note').getByText(words.is_off).waitFor();
            await capture('off-drawer');
          });
        },
        LONG_MS,
      );

      it.each(APPEARANCES)(
        'is listed for administrators at $width px, $theme',
        async (appearance) => {
          const screen = await open(appearance, ADMIN.email, ADMIN.password);
          const { page } = screen;
          await page.goto('/admin-incidents');
          await page.getByRole('button', { name: "Got it, let's get started!" }).click();
          await inBothLanguages(screen, 'watching', async (capture, locale) => {
            const words = WORDS[locale];
            await page.goto('/admin-incidents');
            await page.locator('.incident-groups').getByText(words.group).waitFor();
            await page.getByText(words.is_off).waitFor();
            await capture('admin');
            await page.locator('.incident-groups a').first().click();
            await page.waitForURL(/kind=server_off/);
            await page.getByText(words.is_off).waitFor();
            await capture('admin-filtered');
          });
        },
        LONG_MS,
      );
    });

    describe('whose server was started with the button', () => {
      beforeAll(async () => {
        const { product } = there();
        const screen = await open(MAIN_APPEARANCE);
        const { page } = screen;
        await page.goto(`/deployments/${id}`);
        await page.getByRole('alert').getByRole('button', { name: 'Start server' }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Start server' }).click();
        await page.getByText('Starting the server of').first().waitFor();
        await screen.shot('watching-starting');
        await screen.close();
        await until(
          'READY',
          () => product.sql<{ status: string }>('select status from deployments where id = $1', [id]),
          ([row]) => row?.status === 'READY',
          90_000,
        );
        await checkNow(product, id, {
          what: 'the end of the incidents',
          of: `select 1 from reachability r where deployment_id = $1 and host_failure is null and state = 'reachable'
             and not exists (select 1 from incidents i where i.deployment_id = r.deployment_id and i.ended_at is null)`,
        });
      }, LONG_MS);

      it.each(APPEARANCES)(
        'shows the incident with its end at $width px, $theme',
        async (appearance) => {
          const screen = await open(appearance);
          const { page } = screen;
          await inBothLanguages(screen, 'watching', async (capture, locale) => {
            const words = WORDS[locale];
            await page.goto(`/deployments/${id}/metrics`);
            await page.locator('.incident-feed .ended').getByText(words.was_off).waitFor();
            await charts(screen);
            await capture('ended');
          });
        },
        LONG_MS,
      );
    });
  });

const WORDS = {
  en: {
    was_down: "It didn't respond at its address.",
    was_filling: 'The disk was 82 % full.',
    is_off: 'The server is switched off at Hetzner.',
    was_off: 'The server was switched off at Hetzner.',
    is_explained: 'Another open incident is the cause.',
    start: 'Start server',
    group: '1 of 1 deployments at Hetzner has a server that is switched off',
  },
  de: {
    was_down: 'Das Deployment antwortete nicht unter seiner Adresse.',
    was_filling: 'Die Festplatte war zu 82 % voll.',
    is_off: 'Der Server ist bei Hetzner ausgeschaltet.',
    was_off: 'Der Server war bei Hetzner ausgeschaltet.',
    is_explained: 'Die Ursache ist eine andere offene Störung.',
    start: 'Server starten',
    group: '1 von 1 Deployments bei Hetzner: Server ausgeschaltet',
  },
} as const;

/** Waits until all charts are drawn. */
const charts = ({ page }: Screen): Promise<void> => page.locator('.chart-card canvas').nth(3).waitFor();

/** Has the deployment checked and its server compared with the provider's list until `of` returns a row. */
async function checkNow(product: Product, id: number, { what, of }: { what: string; of: string }): Promise<void> {
  await until(
    what,
    async () => {
      await product.sql(
        `update reachability set due_at = least(due_at, now()), host_due_at = least(host_due_at, now()),
           names_due_at = least(names_due_at, now()) where deployment_id = $1`,
        [id],
      );
      await product.sql(
        `update work set due_at = now() where kind = 'reconcile-servers' and key = 'hetzner' and due_at > now()`,
        [],
      );
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return product.sql(of, [id]);
    },
    (rows) => rows.length === 1,
    ROUNDS_MS,
  );
}
