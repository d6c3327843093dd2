import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Product, startProduct } from '../journeys/product';

/** Browser named by CHROMIUM, or Debian's. The headless shell comes first, because it takes a third less time. */
const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Maximum layout shift while loading, above which users notice it. Later shifts are caused by news, such as a finished
 * step or a longer list.
 */
const LAYOUT_SHIFT_MAX = 0.05;
const LOADING_MS = 3_000;

/** Maximum time until something appears, long enough for a busy machine. */
const PATIENCE_MS = 60_000;

export const SHOTS = join('dist', 'screenshots');

export type Theme = 'light' | 'dark';

export interface Appearance {
  /** The phone of a design, the desktop of a design, and the narrowest screen that the console supports. */
  readonly width: 390 | 1440 | 320;
  readonly theme: Theme;
}

/** Screen of the journey in `npm test`. */
export const MAIN_APPEARANCE: Appearance = { width: 1440, theme: 'light' };

/** Remaining combinations of both widths and both themes. */
export const OTHER_APPEARANCES: readonly Appearance[] = [
  { width: 390, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'dark' },
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      'The browser journeys require Chromium: install it (Debian: apt install chromium-headless-shell) or set CHROMIUM to its path.',
    );
  }
  await mkdir(SHOTS, { recursive: true });
  // Chromium's own sandbox does not work for root.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** Chooses the language of the pages that the screen opens from now on. */
export const chooseLanguage = ({ page, context }: Screen, language: 'en' | 'de'): Promise<void> =>
  context.addCookies([{ name: 'locale', value: language, url: new URL('/', page.url()).href }]);

/** An entry of the browser's layout measurement. No library has its type yet. */
interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** Maximum duration of a journey in milliseconds. */
export const LONG_MS = 400_000;

/** Product and browser of the journeys. */
export interface There {
  readonly product: Product;
  readonly browser: Browser;
}

/**
 * Starts one product and one browser for all journeys of a file, in turn, because starting them costs as much as a
 * journey.
 */
export const productAndBrowser = (settings: Record<string, string> = {}): (() => There) =>
  withBrowser(() => startProduct(['all-in-one'], settings));

/** Starts a browser and a product that is started in another way. */
export function withBrowser<P extends Product>(
  start: () => Promise<P>,
): () => { readonly product: P; readonly browser: Browser } {
  let product: P | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    product = await start();
    browser = await openBrowser();
  }, LONG_MS);
  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  }, LONG_MS);
  return () => {
    if (product === undefined || browser === undefined) throw new Error('asked for before the tests began');
    return { product, browser };
  };
}

/** A user's screen, which also records problems. */
export interface Screen {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Saves a screenshot as `dist/screenshots/<name>-<width>-<theme>.png`. `theme` is needed if it was changed meanwhile.
   */
  shot(name: string, theme?: Theme): Promise<void>;
  /**
   * Returns console errors and warnings, refused resources, unhandled rejections, requests to other hosts, and layout
   * shifts if these are checked. With `anew` the reported problems are not reported again.
   */
  problems(options?: { anew?: boolean }): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Opens a screen.
 *
 * @param options
 * - `expected`: messages that a journey provokes on purpose (browsers log refused calls)
 * - `kept`: storage of the browser from an earlier visit
 * - `layoutShifts`: also checks for layout shifts. What counts as loading depends on the speed of the machine, so `npm
 *   test` does not check them.
 */
export async function openScreen(
  browser: Browser,
  { width, theme }: Appearance,
  {
    baseUrl,
    expected = [],
    stored = {},
    layoutShifts = true,
  }: { baseUrl: string; expected?: readonly RegExp[]; stored?: { theme?: 'system' }; layoutShifts?: boolean },
): Promise<Screen> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    // The certificate authority of the demo stack.
    ignoreHTTPSErrors: baseUrl.startsWith('https:'),
    viewport: { width, height: width === 1440 ? 900 : 844 },
    colorScheme: theme,
    locale: 'en-GB',
    hasTouch: width !== 1440,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const debugging = await context.newCDPSession(page);
  const seen: string[] = [];
  const note = (text: string): void => {
    if (!expected.some((pattern) => pattern.test(text))) seen.push(text);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) note(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== new URL(baseUrl).origin) note(`a request to ${url.origin}`);
  });
  await page.addInitScript(
    ([choices, observeShifts, loadingMs]) => {
      for (const [key, choice] of choices) if (localStorage.getItem(key) === null) localStorage.setItem(key, choice);
      const found: string[] = [];
      Object.assign(window, { __found: found });
      document.addEventListener('securitypolicyviolation', (event) =>
        found.push(`policy: ${event.violatedDirective} ${event.blockedURI}`),
      );
      window.addEventListener('unhandledrejection', (event) => found.push(`unhandled: ${String(event.reason)}`));
      if (!observeShifts) return;
      let arrived = 0;
      const push = history.pushState.bind(history);
      history.pushState = (...args) => {
        arrived = performance.now();
        push(...args);
      };
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources, startTime } of list.getEntries() as Shift[]) {
          if (startTime > arrived + loadingMs) continue;
          const who = sources.map(({ node }) => (node instanceof Element ? `${node.nodeName}.${node.className}` : '?'));
          if (!hadRecentInput) found.push(`shift ${value.toFixed(4)} ${location.pathname} ${who.join(', ')}`);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    },
    [Object.entries({ theme, ...stored }), layoutShifts, LOADING_MS] as const,
  );
  const shifts = (found: readonly string[]): string[] => {
    const byPage = new Map<string, number>();
    for (const line of found) {
      const [, value, path] = /^shift ([\d.]+) (\S+)/.exec(line) ?? [];
      if (value !== undefined && path !== undefined) byPage.set(path, (byPage.get(path) ?? 0) + Number(value));
    }
    return [...byPage]
      .filter(([, sum]) => sum > LAYOUT_SHIFT_MAX)
      .map(
        ([path, sum]) =>
          `the layout of ${path} moved by ${sum.toFixed(3)}:\n${found.filter((line) => line.startsWith('shift ') && line.includes(` ${path} `)).join('\n')}`,
      );
  };
  return {
    page,
    context,
    async shot(name, turned = theme) {
      // Playwright's own screenshot first adds a style to the page and compresses as much as possible, which takes
      // twice as long.
      const { data } = await debugging.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
      await writeFile(join(SHOTS, `${name}-${width}-${turned}.png`), data, 'base64');
    },
    async problems({ anew = false } = {}) {
      const found = await page.evaluate((ends) => {
        const list = (window as unknown as { __found?: string[] }).__found ?? [];
        return ends ? list.splice(0) : list;
      }, anew);
      const reported = anew ? seen.splice(0) : seen;
      return [...reported, ...found.filter((line) => !line.startsWith('shift ')), ...shifts(found)];
    },
    close: () => context.close(),
  };
}
