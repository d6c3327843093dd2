import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import { type Product, startProduct } from '../journeys/product';
import { type Appearance, LONG_MS, MAIN_APPEARANCE, openBrowser, OTHER_APPEARANCES, type Screen } from './browser';
import { detailsOn, logIn } from './customers';
import { screens } from './screens';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/**
 * Amount paid. It covers half of today and six more days of the draft's size at Level 1 (0.8544 a day), but not the
 * seventh.
 */
const UNITS = 6;

const FIRST_DAY = new Date().setUTCHours(0, 0, 0, 0);
/** Time at which the first charge that is not covered is due. */
const END = FIRST_DAY + 7 * DAY_MS;
const END_DATE = dateOf(END);

let product: Product;
let browser: Browser;
/** Customer who loses the deployment. The other customer pays in the last hour. */
let lost: Customer;
let stored: Customer;

interface Customer {
  readonly email: string;
  readonly id: number;
}

beforeAll(async () => {
  browser = await openBrowser();
  product = await startProduct(['all-in-one'], { LAB_CLOCK_OFFSET_MS: offsetTo(FIRST_DAY + 12 * HOUR_MS) });
  lost = await customer('lena');
  stored = await customer('kai');
}, LONG_MS);
afterAll(async () => {
  await browser.close();
  await product.stop();
}, LONG_MS);

/** Each test continues where the previous day ended. */
describe('balance that runs out', () => {
  it(
    'shows a hint and a button for another week when it is a week away',
    async () => {
      await inEveryAppearance('week', async (screen, capture) => {
        const { page } = screen;
        await barAndDashboardShow(page);
        await page
          .locator('.note.brass')
          .getByRole('button', { name: /^Add \$[\d.]+ and run until / })
          .waitFor();
        await capture(screen, 'week');
        await page.goto('/create-deployment?step=package');
        const price = page.locator('.dockprice').or(page.locator('.effect strong')).first();
        await price.waitFor();
        if (await page.locator('.dockprice').isVisible()) await price.click();
        await page.locator(`.effect strong[title^="${exactDay(END)}"]`).waitFor();
        await capture(screen, 'week-wizard');
        await detailsShow(page);
        await page.goto(`/deployments/${lost.id}/settings`);
        const level = page.getByRole('region', { name: 'Support level' });
        await level.getByRole('button', { name: 'Change', exact: true }).click();
        await level.getByRole('radio', { name: /Professional/ }).click();
        await level.locator('.quote s').filter({ hasText: END_DATE }).waitFor();
        await level.locator('.quote').scrollIntoViewIfNeeded();
        await capture(screen, 'week-level');
      });
    },
    LONG_MS,
  );

  it(
    'shows a warning that names what stops when it is two and a half days away',
    async () => {
      await itIs(FIRST_DAY + 4 * DAY_MS + 12 * HOUR_MS);
      await inEveryAppearance('days', async (screen, capture) => {
        const { page } = screen;
        await barAndDashboardShow(page);
        await page
          .locator('.note.port')
          .getByRole('button', { name: /^Add \$[\d.]+ and run until / })
          .waitFor();
        await capture(screen, 'days');
        await page.goto('/billing');
        await page.locator('.until-line strong').filter({ hasText: END_DATE }).waitFor();
        await capture(screen, 'days-billing');
        await detailsShow(page);
      });
    },
    LONG_MS,
  );

  it(
    'shows a warning when it is twelve hours away',
    async () => {
      await itIs(FIRST_DAY + 6 * DAY_MS + 12 * HOUR_MS);
      await inEveryAppearance('hours', async (screen, capture) => {
        await barAndDashboardShow(screen.page);
        await capture(screen, 'hours');
        await detailsShow(screen.page);
      });
    },
    LONG_MS,
  );

  it(
    'shows a countdown on every page with the amount that prevents it when it is due',
    async () => {
      await itIs(END + 20 * MINUTE_MS);
      await until(
        'the charges that are not covered',
        () => product.sql('select 1 from meters where grace_period_day is not null'),
        (rows) => rows.length === 2,
      );
      await inEveryAppearance('unpaid', async (screen, capture) => {
        const { page } = screen;
        await page.getByText('Payment due: the balance does not cover a charge').waitFor();
        await page
          .locator('.countdown')
          .first()
          .filter({ hasText: / left$/ })
          .waitFor();
        await page.locator('main .st.unpaid').first().waitFor();
        await capture(screen, 'unpaid');
        await opensDetails(page);
        await detailsOn(page).getByText('Payment due: your balance is too low.').waitFor();
        await capture(screen, 'unpaid-details');
        await page.goto('/billing');
        await page
          .locator('.note.hold')
          .getByRole('button', { name: /^Add \$1\.00 · until / })
          .waitFor();
        await capture(screen, 'unpaid-billing');
        await page.goto('/create-deployment');
        await page.locator('.note.hold').waitFor();
        await capture(screen, 'unpaid-wizard');
      });
    },
    LONG_MS,
  );

  it(
    'is postponed with one click and the saved card',
    async () => {
      const { open, close, capture } = screens({ product, browser }, MAIN_APPEARANCE, { name: 'end', expected: [] });
      const screen = await open();
      const { page } = screen;
      await page.clock.install({ time: now() });
      await logIn(screen, stored.email);
      await page
        .locator('.note.hold')
        .getByRole('button', { name: /^Add \$1\.00 · until / })
        .click();
      await page.getByText('$1.00').first().waitFor();
      await page.getByRole('button', { name: /pay/i }).click();
      await page.getByRole('heading', { name: 'Test Payment Successful!' }).waitFor();
      await until(
        'the charge',
        () => product.sql('select 1 from meters where grace_period_day is not null'),
        (rows) => rows.length === 1,
      );
      await page.goto('/dashboard');
      await page.locator('.runbox strong').waitFor();
      await page.locator('.note.hold').waitFor({ state: 'detached' });
      await capture(screen, 'kept');
      await close();
    },
    LONG_MS,
  );

  it(
    'shows an unpaid customer what was removed until dismissed, and leaves a paid deployment running',
    async () => {
      await itIs(END + 90 * MINUTE_MS);
      await until(
        'the end of what is not paid',
        () => product.sql<{ status: string }>('select status from deployments order by id'),
        (rows) => rows[0]?.status === 'DESTROYED' && rows[1]?.status === 'READY',
        60_000,
      );
      await inEveryAppearance('over', endIsShown('over'));
    },
    LONG_MS,
  );

  it(
    'is still shown after three days, then dismissed and created again',
    async () => {
      await itIs(END + 3 * DAY_MS);
      await inEveryAppearance('later', endIsShown('later'));
      const { open, close, capture } = screens({ product, browser }, MAIN_APPEARANCE, { name: 'end', expected: [] });
      const screen = await open();
      const { page } = screen;
      await page.clock.install({ time: now() });
      await logIn(screen, lost.email);
      await page.locator('.note.ended').getByRole('button', { name: 'Create again' }).click();
      await page.waitForURL('**/create-deployment**');
      await page.locator('.effect').waitFor();
      await capture(screen, 'again');
      await page.goto('/dashboard');
      await page.getByRole('button', { name: /^Dismiss the notice about/ }).click();
      await page.locator('.note.ended').waitFor({ state: 'detached' });
      await page.reload();
      await page.locator('.runbox strong').waitFor();
      expect(await page.locator('.note.ended').count()).toBe(0);
      await capture(screen, 'dismissed');
      await close();
    },
    LONG_MS,
  );
});

const endIsShown = (moment: string) => async (screen: Screen, capture: AppearanceShots) => {
  const { page } = screen;
  await page
    .locator('.note.ended')
    .getByText(/ was deleted on /)
    .waitFor();
  await capture(screen, moment);
  await opensDetails(page);
  await detailsOn(page)
    .getByText(/ was deleted on .* because your balance was too low\.$/)
    .waitFor();
  await detailsOn(page)
    .getByText(/^Ran for .* Total cost: .*\.$/)
    .waitFor();
  await capture(screen, `${moment}-details`);
};

type AppearanceShots = (screen: Screen, what: string) => Promise<void>;

/** Opens the dashboard of the losing customer in every screen size and theme. */
async function inEveryAppearance(
  what: string,
  then: (screen: Screen, capture: AppearanceShots) => Promise<void>,
): Promise<void> {
  for (const appearance of [MAIN_APPEARANCE, ...OTHER_APPEARANCES] as readonly Appearance[]) {
    const { open, close, capture } = screens({ product, browser }, appearance, { name: 'end', expected: [] });
    const screen = await open();
    await screen.page.clock.install({ time: now() });
    await logIn(screen, lost.email);
    await then(screen, capture);
    await close().catch((error: unknown) => {
      throw new Error(`${what}, ${appearance.width} px, ${appearance.theme}`, { cause: error });
    });
  }
}

async function barAndDashboardShow(page: Page): Promise<void> {
  await page.locator('.runbox strong').filter({ hasText: END_DATE }).waitFor();
  expect(await page.locator('a.until').getAttribute('title')).toBe(`Balance lasts until ${END_DATE}`);
}

async function detailsShow(page: Page): Promise<void> {
  await opensDetails(page);
  await detailsOn(page).getByText(`Your balance lasts until ${END_DATE}.`).waitFor();
}

async function opensDetails(page: Page): Promise<void> {
  await page.goto(`/dashboard?deployment=${lost.id}`);
  await detailsOn(page).getByRole('heading', { level: 2 }).waitFor();
}

async function customer(name: string): Promise<Customer> {
  const who = await createPayingCustomer(product, name, UNITS);
  const created = await who.call<{ id: number }>('POST', '/deployments/', draftOf(name));
  expect(created.status).toBe(201);
  const { id } = created.body;
  await until(
    'READY',
    () => product.sql<{ status: string }>('select status from deployments where id = $1', [id]),
    ([row]) => row?.status === 'READY',
    60_000,
  );
  return { email: who.email, id };
}

let offset = 0;

function offsetTo(at: number): string {
  offset = at - Date.now();
  return String(offset);
}

const now = (): number => Date.now() + offset;

/** Stops the product, and starts it again at this time. */
async function itIs(at: number): Promise<void> {
  for (const { child, ended } of product.processes) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  }
  await product.spawn('all-in-one', { LAB_CLOCK_OFFSET_MS: offsetTo(at) });
}

/** Formats a date like the console (`Tue 1 Dec, 00:00 UTC`), with the year only if it differs. */
function dateOf(at: number): string {
  const year =
    new Date(at).getUTCFullYear() === new Date(FIRST_DAY).getUTCFullYear() ? {} : { year: 'numeric' as const };
  const part = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...year,
  });
  return `${part.format(at).replace(/,/g, '')}, 00:00 UTC`;
}

/** Formats a date as at the start of titles (`1 Dec 2026`). */
const exactDay = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at);
