import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { accountPages, newcomerAccountPages, supportPages } from './account-views';
import { seriousViolations } from './axe';
import { type Appearance, chooseLanguage, LONG_MS, openScreen, productAndBrowser, type Theme } from './browser';
import { dashboardPages, deploymentPages } from './deployments-views';
import { misfits } from './overflow-check';
import { administratorPages, fewDaysPages, moneyPages } from './money-views';
import { logIn } from './customers';
import { addresses, overlays } from './router';
import { ADMIN, seed, type Seeded, SETTINGS } from './seeded';
import { newcomerPages, type Reported, type View, visitorPages } from './views';
import { wizardPages } from './wizard-views';

const WIDTHS = [1440, 390] as const;
const NARROWEST = 320;
/** Errors that the browser logs for calls refused on purpose. */
const REFUSED = [/the server responded with a status of 4\d\d/];

const there = productAndBrowser(SETTINGS);
let reported: Reported;

beforeAll(async () => {
  const { product } = there();
  reported = { product, seeded: await seed(product) };
}, LONG_MS);

interface TestCaller {
  readonly email: (seeded: Seeded) => string;
  readonly password?: string;
  readonly views: (reported: Reported) => readonly View[];
}

const EVERYBODY: Readonly<Record<string, TestCaller | Pick<TestCaller, 'views'>>> = {
  'a visitor': { views: visitorPages },
  'a new user': {
    email: ({ newcomer }) => newcomer,
    views: (all) => [...newcomerPages(all), ...newcomerAccountPages()],
  },
  'a user with deployments in every state, on the dashboard': {
    email: ({ ada }) => ada.email,
    views: dashboardPages,
  },
  'a user with deployments in every state, on their pages': { email: ({ ada }) => ada.email, views: deploymentPages },
  'a user with deployments in every state, who orders and pays': {
    email: ({ ada }) => ada.email,
    views: (all) => [...wizardPages(), ...moneyPages(), ...supportPages(all)],
  },
  'a user with balance for a few days': {
    email: ({ cy }) => cy.email,
    views: (all) => [...fewDaysPages(all), ...accountPages()],
  },
  'an administrator': { email: () => ADMIN.email, password: ADMIN.password, views: administratorPages },
};

/** Changes the theme in place, because a user who follows the system's theme sees the system's changes. */
async function turn(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
}

/**
 * Checks every view of one user at one width in English, and on a phone also in German. On the narrowest screen it checks
 * only that everything fits. Returns the problems by view.
 */
async function visitPages(
  who: TestCaller | Pick<TestCaller, 'views'>,
  width: Appearance['width'],
): Promise<readonly string[]> {
  const { product, browser } = there();
  const screen = await openScreen(
    browser,
    { width, theme: 'light' },
    { baseUrl: product.url, expected: REFUSED, stored: { theme: 'system' }, layoutShifts: width !== NARROWEST },
  );
  const { page } = screen;
  const wrong: string[] = [];
  if ('email' in who) await logIn(screen, who.email(reported.seeded), who.password);
  else await page.goto('/cancel');
  // A view begins in the theme in which the previous view ended, because changing the theme takes as long as opening a
  // view.
  let theme: Theme = 'light';
  // German is longer, and what fits on a phone fits everywhere.
  for (const locale of width === 1440 ? (['en'] as const) : (['en', 'de'] as const)) {
    await chooseLanguage(screen, locale);
    await page.goto('/cancel');
    // Its HTML is a placeholder, and a view begins where the last has been shown.
    await page.locator('main h1').first().waitFor();
    for (const { name, show, only } of who.views(reported)) {
      if (only !== undefined && (only === 1440) !== (width === 1440)) continue;
      const note = (lines: readonly string[]): void => {
        for (const line of lines) wrong.push(`${name} at ${width}, ${locale}: ${line}`);
      };
      const capture = async (): Promise<void> => {
        await screen.shot(`every-${name}`, theme);
        if (theme === 'light') note(await seriousViolations(page));
        // Only colours have changed, and they are the same on a phone.
        else if (width === 1440) note(await seriousViolations(page, { rules: ['color-contrast'] }));
      };
      try {
        await show(page);
        note(await misfits(page));
        if (locale === 'en' && width !== NARROWEST) {
          await capture();
          theme = theme === 'light' ? 'dark' : 'light';
          await turn(page, theme);
          await capture();
        } else await screen.shot(`every-${name}-${locale}`, theme);
      } catch (error) {
        note([String(error)]);
        await screen.shot(`every-${name}-${locale}-stuck`, theme);
      }
      note(await screen.problems({ anew: true }));
    }
    theme = 'light';
    await turn(page, theme);
  }
  await screen.close();
  return wrong;
}

describe('every page and overlay of the console', () => {
  it('is covered by the views below', async () => {
    const views = Object.values(EVERYBODY).flatMap(({ views }) => views(reported));
    const seen = new Set(views.map(({ at }) => at));
    expect([...seen].filter((at) => at !== '*').sort()).toEqual([...(await addresses())].sort());
    const opened = views.flatMap(({ opens }) => (opens === undefined ? [] : [opens]));
    expect([...new Set(opened)].sort()).toEqual([...(await overlays())].sort());
  });

  it.each(Object.keys(EVERYBODY))(
    'renders correctly for %s, at both widths and in both themes, in English and in German',
    async (name) => {
      const who = EVERYBODY[name];
      if (who === undefined) throw new Error(`nobody is called ${name}`);
      const found = await Promise.all(WIDTHS.map((width) => visitPages(who, width)));
      expect(found.flat()).toEqual([]);
    },
    LONG_MS,
  );

  it.each(Object.keys(EVERYBODY))(
    'fits a screen of 320 px for %s, in English and in German',
    async (name) => {
      const who = EVERYBODY[name];
      if (who === undefined) throw new Error(`nobody is called ${name}`);
      expect(await visitPages(who, NARROWEST)).toEqual([]);
    },
    2 * LONG_MS,
  );
});
