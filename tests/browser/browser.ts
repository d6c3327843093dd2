import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Product, startProduct } from '../journeys/product';

/** The one that CHROMIUM names, or Debian's: first the one without a window, which costs a third less. */
const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** More shift than this while loading is seen by everybody. What happens later is news: a step is done, a list grows. */
const LAYOUT_SHIFT_MAX = 0.05;
const LOADING_MS = 3_000;

/** What has not appeared by then does not appear. A busy machine takes its time. */
const PATIENCE_MS = 60_000;

export const SHOTS = join('dist', 'screenshots');

export type Theme = 'light' | 'dark';

export interface Look {
  readonly width: 390 | 1440;
  readonly theme: Theme;
}

/** Of the journey that `npm test` makes. */
export const MAIN_LOOK: Look = { width: 1440, theme: 'light' };

/** With it, both widths in both themes. */
export const OTHER_LOOKS: readonly Look[] = [
  { width: 390, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'dark' },
];

export async function openBrowser(): Promise<Browser> {
  const executablePath = PLACES.find((place) => place !== undefined && existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      'The browser journeys need Chromium: install it (Debian: apt install chromium-headless-shell) or name it in CHROMIUM.',
    );
  }
  await mkdir(SHOTS, { recursive: true });
  // Chromium's own sandbox does not work for root
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
}

/** An entry of the browser's own measurement; its type is in no library yet. */
interface Shift extends PerformanceEntry {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly sources: readonly { readonly node: Node | null }[];
}

/** A journey that has not ended by then does not end. */
export const LONG_MS = 400_000;

/** Where journeys happen. */
export interface There {
  readonly product: Product;
  readonly browser: Browser;
}

/** One product and one browser for all journeys of a file, one after the other: starting them costs as much as a journey. */
export const productAndBrowser = (settings: Record<string, string> = {}): (() => There) =>
  withBrowser(() => startProduct(['all-in-one'], settings));

/** The same for a product that is started in another way. */
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

/** A person at a screen, and everything that must not happen on it. */
export interface Screen {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Keeps a picture for the run: `dist/screenshots/<name>-<width>-<theme>.png`; `theme`: when it was turned meanwhile. */
  shot(name: string, theme?: Theme): Promise<void>;
  /**
   * Console errors and warnings, refused resources, unhandled rejections, requests to elsewhere, jumps of the layout where
   * they are looked for. `anew`: what is told now is not told again.
   */
  problems(options?: { anew?: boolean }): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * `expected`: messages a journey provokes on purpose (a refused call logs the browser's own line). `kept`: what this
 * browser has kept of an earlier visit. `layoutShifts`: also looks for jumps of the layout. What counts as loading depends on
 * the machine's pace, so `npm test` does not.
 */
export async function openScreen(
  browser: Browser,
  { width, theme }: Look,
  {
    baseUrl,
    expected = [],
    kept = {},
    layoutShifts = true,
  }: { baseUrl: string; expected?: readonly RegExp[]; kept?: { theme?: 'system' }; layoutShifts?: boolean },
): Promise<Screen> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    // the demo stack's own authority
    ignoreHTTPSErrors: baseUrl.startsWith('https:'),
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: theme,
    locale: 'en-GB',
    hasTouch: width === 390,
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
    [Object.entries({ theme, ...kept }), layoutShifts, LOADING_MS] as const,
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
      // Playwright's own puts a style into the page first and packs the picture as small as it goes: twice the work
      const { data } = await debugging.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
      await writeFile(join(SHOTS, `${name}-${width}-${turned}.png`), data, 'base64');
    },
    async problems({ anew = false } = {}) {
      const found = await page.evaluate((ends) => {
        const list = (window as unknown as { __found?: string[] }).__found ?? [];
        return ends ? list.splice(0) : list;
      }, anew);
      const told = anew ? seen.splice(0) : seen;
      return [...told, ...found.filter((line) => !line.startsWith('shift ')), ...shifts(found)];
    },
    close: () => context.close(),
  };
}
