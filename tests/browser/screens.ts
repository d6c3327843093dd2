import { expect } from '@jest/globals';
import { seriousViolations } from './axe';
import { type Appearance, chooseLanguage, openScreen, type Screen, type There } from './browser';
import { misfits } from './overflow-check';

/**
 * Opens the screens of a journey, and checks that none of them had a problem. `expected` lists errors that the browser
 * logs for calls refused on purpose.
 */
export function screens(
  { product, browser }: There,
  appearance: Appearance,
  { name, expected }: { name: string; expected: readonly RegExp[] },
) {
  const opened: Screen[] = [];
  const axe: string[] = [];
  return {
    open: async (): Promise<Screen> => {
      const screen = await openScreen(browser, appearance, { baseUrl: product.url, expected });
      opened.push(screen);
      return screen;
    },
    capture: async (screen: Screen, what: string): Promise<void> => {
      await screen.shot(`${name}-${what}`);
      for (const line of await seriousViolations(screen.page)) axe.push(`${what}: ${line}`);
    },
    close: async (): Promise<void> => {
      expect(axe).toEqual([]);
      for (const screen of opened) {
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      }
    },
  };
}

/**
 * Visits screens in English and in German, and closes them. Everything must fit, and neither axe nor the browser may
 * complain. Screenshots are named after `name`.
 */
export async function inBothLanguages(
  screen: Screen,
  name: string,
  visit: (capture: (what: string) => Promise<void>, locale: 'en' | 'de') => Promise<void>,
): Promise<void> {
  const { page } = screen;
  const wrong: string[] = [];
  for (const locale of ['en', 'de'] as const) {
    await chooseLanguage(screen, locale);
    await visit(async (what) => {
      await screen.shot(`${name}-${what}-${locale}`);
      for (const line of [...(await seriousViolations(page)), ...(await misfits(page))])
        wrong.push(`${what}, ${locale}: ${line}`);
    }, locale);
  }
  expect(wrong).toEqual([]);
  expect(await screen.problems()).toEqual([]);
  await screen.close();
}
