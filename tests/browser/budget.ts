import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import type { Product } from '../journeys/product';
import { LONG_MS, type There } from './browser';

/** Slow 4G as Lighthouse defines it. Bytes per second, and milliseconds until a response begins. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
const LOADS = 3;

/** Limits by figure. Times in milliseconds; a layout shift has no unit. */
const EVERY_PAGE = { 'layout shift': 0.02, interaction: 200 };
const BUDGETS = {
  landing: { ...EVERY_PAGE, 'largest content': 1_800 },
  dashboard: { ...EVERY_PAGE, 'largest content': 2_500 },
};

interface MeasuredPage {
  readonly path: string;
  /** Local storage of the browser. */
  readonly stored: Readonly<Record<string, string>>;
  /** Waits until the page shows its data. */
  readonly loaded: (page: Page) => Promise<unknown>;
  /** Interactions that are measured, by name, in this order. */
  readonly interactions: Readonly<Record<string, (page: Page) => Promise<unknown>>>;
}

/** Figures of one load. */
interface Load {
  readonly content: number;
  readonly shift: number;
  /** Slowest response of each interaction. */
  readonly interactions: Readonly<Record<string, number>>;
}

/** What the page records about itself. */
interface Recorded {
  content: number;
  shift: number;
  interaction: number;
}

/** Entries of the browser's measurements. No library has their types yet. */
interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
}
interface Interaction extends PerformanceEntry {
  readonly interactionId: number;
}

/**
 * Checks what the first visit of the landing page and of the dashboard costs on a phone with slow 4G and a quarter of
 * this machine's speed: the time until the largest content is painted (LCP), the sum of layout shifts (CLS), and the
 * slowest response to an interaction (INP). Every load starts a new browser profile against the built product. Of each
 * figure, and of each interaction, the best of three loads counts, because other work on the machine only adds time.
 */
export const budgets = (there: () => There): void =>
  describe('first visit over slow 4G with a slow processor', () => {
    let stored: Readonly<Record<string, string>>;
    beforeAll(async () => {
      stored = await customerWithDeployment(there().product);
    }, LONG_MS);

    it(
      'shows the landing page within its budget',
      () =>
        keepsBudget(there(), 'landing', {
          path: '/',
          stored: {},
          loaded: (page) =>
            page
              .getByRole('main')
              .getByRole('link', { name: /^Pangolin / })
              .first()
              .waitFor(),
          interactions: {
            'opening the menu': (page) => page.getByRole('button', { name: 'Menu' }).click(),
            'changing the theme': (page) => page.getByRole('button', { name: 'Dark' }).click(),
            'going to the prices': async (page) => {
              await page.getByRole('main').getByRole('link', { name: 'View pricing' }).click();
              await page.getByRole('heading', { level: 1, name: /pricing/i }).waitFor();
            },
          },
        }),
      LONG_MS,
    );

    it(
      'shows the dashboard within its budget',
      () =>
        keepsBudget(there(), 'dashboard', {
          path: '/dashboard',
          stored,
          loaded: (page) => page.locator('a.name').first().waitFor(),
          interactions: {
            searching: (page) => page.getByRole('searchbox').first().press('b'),
            'opening a deployment': async (page) => {
              await page.locator('a.name').first().click();
              await page.getByRole('dialog').waitFor();
            },
          },
        }),
      LONG_MS,
    );

    it(
      'keeps what was entered in the login before its scripts have loaded',
      async () => {
        const { page, context } = await openSlowly(there(), {});
        const errors: string[] = [];
        page.on('pageerror', ({ message }) => errors.push(message));
        await page.goto('/login', { waitUntil: 'commit' });
        await page.getByLabel('Email').fill('ada@example.com');
        await page.getByLabel('Password', { exact: true }).fill('not the password');
        await page.getByRole('button', { name: 'Login' }).click();
        await page
          .getByRole('alert')
          .getByText(/password/i)
          .waitFor();
        expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
        expect(errors).toEqual([]);
        await context.close();
      },
      LONG_MS,
    );
  });

/** Creates a customer with one deployment that is ready, and returns the local storage of their browser. */
async function customerWithDeployment(product: Product): Promise<Readonly<Record<string, string>>> {
  const customer = await createPayingCustomer(product, 'budget', 100);
  const { body } = await customer.call<{ id: number }>('POST', '/deployments/', draftOf('budget'));
  await until(
    'a deployment that is ready',
    () => customer.call<{ status: string }>('GET', `/deployments/${body.id}`),
    (answer) => answer.body.status === 'READY',
  );
  const login = new URLSearchParams({ username: customer.email, password: customer.password });
  const { body: session } = await customer.call<{ access_token: string }>('POST', '/auth/login', login);
  const { body: user } = await customer.call('GET', '/auth/me');
  return { access_token: session.access_token, user: JSON.stringify(user) };
}

async function keepsBudget(there: There, name: keyof typeof BUDGETS, measured: MeasuredPage): Promise<void> {
  const loads: Load[] = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await measure(there, measured));
  const best = (figure: (load: Load) => number): number => Math.min(...loads.map(figure));
  const budget = BUDGETS[name];
  const figures = [
    { figure: 'largest content', value: best(({ content }) => content), limit: budget['largest content'] },
    { figure: 'layout shift', value: best(({ shift }) => shift), limit: budget['layout shift'] },
    ...Object.keys(measured.interactions).map((interaction) => ({
      figure: interaction,
      value: best(({ interactions }) => interactions[interaction] ?? 0),
      limit: budget.interaction,
    })),
  ];
  expect(
    figures
      .filter(({ value, limit }) => value > limit)
      .map(({ figure, value, limit }) => `${figure}: ${value}, at most ${limit}`),
  ).toEqual([]);
}

/** Opens an empty page in a new browser profile on a slow phone. */
async function openSlowly(
  { product, browser }: There,
  stored: Readonly<Record<string, string>>,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    hasTouch: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const debugging = await context.newCDPSession(page);
  await debugging.send('Network.enable');
  await debugging.send('Network.emulateNetworkConditions', SLOW_4G);
  await debugging.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(record, stored);
  return { page, context };
}

/** Loads and uses a page. */
async function measure(there: There, measured: MeasuredPage): Promise<Load> {
  const { page, context } = await openSlowly(there, measured.stored);
  await page.goto(measured.path);
  await measured.loaded(page);
  const { content } = await recorded(page);
  const interactions: Record<string, number> = {};
  for (const [name, interact] of Object.entries(measured.interactions)) {
    await interact(page);
    interactions[name] = (await recorded(page)).interaction;
  }
  const { shift } = await recorded(page);
  await context.close();
  return { content, shift, interactions };
}

/** Runs in the page before its own scripts, and records its figures. */
function record(stored: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  const figures: Recorded = { content: 0, shift: 0, interaction: 0 };
  Object.assign(window, { __figures: figures });
  const observe = (type: string, note: (entry: PerformanceEntry) => void): void => {
    const options = { type, buffered: true, durationThreshold: 16 };
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe(options);
  };
  observe('largest-contentful-paint', ({ startTime }) => {
    figures.content = startTime;
  });
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as Shift;
    if (!hadRecentInput) figures.shift += value;
  });
  observe('event', (entry) => {
    const { interactionId, duration } = entry as Interaction;
    if (interactionId > 0) figures.interaction = Math.max(figures.interaction, duration);
  });
}

/** Returns the figures so far, after the next two frames. The next interaction is counted from zero. */
const recorded = (page: Page): Promise<Recorded> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const figures = (window as unknown as { __figures: Recorded }).__figures;
    const found = { ...figures };
    figures.interaction = 0;
    return found;
  });
