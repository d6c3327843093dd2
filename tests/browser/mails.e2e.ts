import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleMails } from '../services/api';
import { LANGUAGES } from '@moorage/domain';
import type { Browser, Page } from 'playwright-core';
import { seriousViolations } from './axe';
import { LONG_MS, openBrowser, SHOTS } from './browser';
import { misfits } from './overflow-check';

const BRAND = { name: 'Moorage', supportEmail: 'support@moorage.example', publicUrl: 'https://moorage.example' };

const APPEARANCES = LANGUAGES.flatMap((language) =>
  ([390, 700] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((theme) => ({ language, width, theme }) as const),
  ),
);

/** Number of columns on a contact sheet. */
const COLUMNS = 5;

describe('every email', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(APPEARANCES)(
    'fits, is accessible and fetches nothing ($language, $width px, $theme)',
    async ({ language, width, theme }) => {
      const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme: theme });
      const problems: string[] = [];
      page.on('request', (request) => problems.push(`a request to ${request.url()}`));
      const mails = sampleMails(language, BRAND);
      for (const { name, html } of mails) {
        await page.setContent(html);
        for (const line of [...(await misfits(page)), ...(await seriousViolations(page))])
          problems.push(`${name}: ${line}`);
      }
      expect(problems).toEqual([]);
      await contactSheet(page, { mails, width });
      await writeFile(
        join(SHOTS, `mails-${language}-${width}-${theme}.png`),
        await page.screenshot({ fullPage: true }),
      );
      await page.close();
    },
    LONG_MS,
  );
});

async function contactSheet(
  page: Page,
  { mails, width }: { mails: readonly { name: string; html: string }[]; width: number },
): Promise<void> {
  await page.setViewportSize({ width: COLUMNS * (width + 20), height: 844 });
  await page.setContent(`<div style="columns: ${COLUMNS}; column-gap: 20px"></div>`);
  await page.evaluate(
    async ({ mails, width }) => {
      for (const { name, html } of mails) {
        const frame = document.createElement('iframe');
        Object.assign(frame, { title: name, srcdoc: html, width, frameBorder: '0' });
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.firstElementChild?.append(frame);
        await loaded;
        frame.height = String(frame.contentDocument?.documentElement.scrollHeight ?? 0);
      }
    },
    { mails: mails.map(({ name, html }) => ({ name, html })), width },
  );
}
