import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import { LONG_MS, type Appearance, openScreen, type There } from './browser';
import { choose } from './choose';
import { misfits } from './overflow-check';
import { logIn } from './customers';
import { seriousViolations } from './axe';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** Sets up a customer's own bucket, copies the newest backup into it, and removes it. */
async function setUpBucket(page: Page, capture: (what: string) => Promise<void>): Promise<void> {
  const card = page.locator('#bucket');
  await card.getByRole('button', { name: 'Set up a bucket' }).click();
  const form = page.getByRole('dialog', { name: 'Set up a bucket' });
  for (const [label, value] of [
    ['Address', 's3.example.com'],
    ['Region', 'eu-central-1'],
    ['Bucket', 'janes-backups'],
    ['Access key ID', 'AKIAEXAMPLE'],
    ['Secret access key', 'wJalrXUtnFEMI'],
  ] as const)
    await form.getByRole('textbox', { name: label }).fill(value);
  await capture('bucket-form');
  await form.getByRole('button', { name: 'Save and check' }).click();
  const saved = page.getByRole('dialog', { name: 'The password for your copies' });
  await saved.getByText('Repository password', { exact: true }).waitFor();
  await capture('bucket-password');
  await saved.getByRole('button', { name: 'I have copied it' }).click();
  await card.getByText(/^Last copy/).waitFor();
  await capture('bucket-copied');
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove bucket' }).click();
  await card.getByRole('button', { name: 'Set up a bucket' }).waitFor();
}

/** Backs up, restores and undoes it, and orders a new deployment from a copy, also after the original is gone. */
export const backupsInTheBrowser = (there: () => There): void =>
  describe('backups in the browser', () => {
    it.each(APPEARANCES)(
      'are created, restored, undone and turned into a new deployment at $width px, $theme',
      async (appearance) => {
        const { product, browser } = there();
        const name = `bea${appearance.width}`;
        const bea = await createPayingCustomer(product, name, 60);
        const created = await bea.call<{ id: number }>('POST', '/deployments/', { ...draftOf(name), support_level: 2 });
        expect(created.status).toBe(201);
        const { id } = created.body;
        const statusOf = async (of: number): Promise<string> =>
          (await bea.call<{ status: string }>('GET', `/deployments/${of}`)).body.status;
        await until(
          'READY',
          () => statusOf(id),
          (status) => status === 'READY',
          60_000,
        );

        const screen = await openScreen(browser, appearance, {
          baseUrl: product.url,
          // Running jobs appear and disappear above the list.
          layoutShifts: false,
        });
        const { page } = screen;
        const wrong: string[] = [];
        const capture = async (what: string): Promise<void> => {
          await screen.shot(`backups-${what}`);
          for (const line of [...(await seriousViolations(page)), ...(await misfits(page))])
            wrong.push(`${what}: ${line}`);
        };
        await logIn(screen, bea.email);

        await page.goto(`/dashboard?deployment=${id}`);
        await page.getByRole('link', { name: 'All backups' }).click();
        await page.waitForURL(`**/deployments/${id}/backups`);
        await page.getByText('These backups are simulated.').waitFor();
        await page.getByText('No backup yet.').waitFor();
        await capture('none');

        await page.getByRole('button', { name: 'Back up now' }).click();
        await page.getByText('On request').waitFor();
        const restore = page.getByRole('button', { name: /^Restore the backup of today/ });
        await restore.first().waitFor();
        await page.getByRole('button', { name: 'Back up now' }).waitFor();
        await capture('one');

        await page.getByRole('button', { name: /^Download the backup of today/ }).click();
        expect(await downloaded(page, capture)).toContain('config/db/db.sqlite');

        await setUpBucket(page, capture);

        await restore.first().click();
        const dialog = page.getByRole('dialog', { name: /^Restore the backup of today/ });
        await dialog.getByText('The current data is backed up first').waitFor();
        await capture('restore');
        await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
        const bar = page.locator('.undo-bar');
        await bar.getByText(/^Restored to today/).waitFor();
        await page.getByText('Before a restore').waitFor();
        await capture('restored');

        await bar.getByRole('button', { name: 'Undo restore' }).click();
        const undo = page.getByRole('alertdialog', { name: 'Undo the restore?' });
        await capture('undo');
        await undo.getByRole('button', { name: 'Undo restore' }).click();
        await undo.waitFor({ state: 'detached' });
        await bar.waitFor({ state: 'detached' });
        await until(
          'the data from before',
          () => statusOf(id),
          (status) => status === 'READY',
          60_000,
        );

        await orderFrom(page, 'Restore the backup of today', { name: `${name}-copy`, domain: `${name}-copy` }, capture);
        const copied = await newest(bea, `${name}-copy`);
        await until(
          'READY',
          () => statusOf(copied),
          (status) => status === 'READY',
          60_000,
        );

        expect((await bea.call('DELETE', `/deployments/${id}`)).status).toBeLessThan(300);
        await until(
          'DESTROYED',
          () => statusOf(id),
          (status) => status === 'DESTROYED',
          60_000,
        );
        await page.goto(`/deployments/${id}/backups`);
        await page.getByText('Its last backup is kept until').waitFor();
        await capture('gone');
        await orderFrom(
          page,
          'Create a new deployment from it: the backup of today',
          { name: `${name}-again` },
          capture,
        );
        const again = await newest(bea, `${name}-again`);
        expect((await bea.call<{ domain: string }>('GET', `/deployments/${again}`)).body.domain).toBe(
          `${name}.sandbox.localhost`,
        );

        expect(wrong).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });

/**
 * Prepares an archive, downloads it, and opens it with the password and the command that the dialog shows. Returns the
 * list of its files.
 */
async function downloaded(page: Page, capture: (what: string) => Promise<void>): Promise<string> {
  const dialog = page.getByRole('dialog', { name: /^Download the backup of today/ });
  await dialog.getByRole('button', { name: 'Prepare archive' }).click();
  await dialog.getByText(/^The archive is ready/).waitFor();
  await capture('download');
  const shown = await dialog.locator('.download-secret code').allInnerTexts();
  const [password = '', command = ''] = shown.map((text) => text.trim());
  const begun = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  const folder = await mkdtemp(join(tmpdir(), 'moorage-archive-'));
  try {
    const download = await begun;
    await download.saveAs(join(folder, download.suggestedFilename()));
    const words = command.replace(/ \| tar .*$/, ' -pass env:ARCHIVE_PASSWORD | tar -tz');
    const env = { ...process.env, ARCHIVE_PASSWORD: password };
    const { stdout } = await promisify(execFile)('sh', ['-c', words], { cwd: folder, env });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Orders a new deployment from the newest copy. Without a domain it uses the domain of the original. */
async function orderFrom(
  page: Page,
  button: string,
  { name, domain }: { name: string; domain?: string },
  capture: (what: string) => Promise<void>,
): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(`^${button}`) })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const answer = dialog.locator('input[value=create]');
  if (domain !== undefined) await choose(answer);
  await dialog.getByText('Your balance will then last until').waitFor();
  await dialog.getByLabel('Name').fill(name);
  if (domain !== undefined) await dialog.locator('input[type=text]').last().fill(`${domain}.sandbox.localhost`);
  await capture(domain === undefined ? 'create-again' : 'create');
  await dialog.getByRole('button', { name: 'Create deployment' }).click();
  await page.waitForURL('**/dashboard**');
  await page.getByRole('heading', { name, level: 2 }).waitFor();
}

async function newest(who: Awaited<ReturnType<typeof createPayingCustomer>>, name: string): Promise<number> {
  const { body } = await who.call<{ id: number; client_name: string }[]>('GET', `/deployments/?search=${name}`);
  const found = body.find(({ client_name: called }) => called === name);
  if (found === undefined) throw new Error(`There is no deployment ${name}.`);
  return found.id;
}
