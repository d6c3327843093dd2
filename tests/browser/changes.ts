import { describe, expect, it } from '@jest/globals';
import { until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import { seriousViolations } from './axe';
import { type Appearance, chooseLanguage, LONG_MS, openScreen, type There } from './browser';
import { choose } from './choose';
import { logIn } from './customers';
import { misfits } from './overflow-check';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGHrx5ezV/6ObVhpU63nRAYMUC3jWjVEMBRgASUTqDkN mara@laptop';

/** Changes the configuration, the domain, the SSH keys and the size of a running deployment in its settings. */
export const changesInTheBrowser = (there: () => There): void =>
  describe('changes of a running deployment in the browser', () => {
    it.each(APPEARANCES)(
      'configuration, domain, SSH keys and size at $width px, $theme',
      async (appearance) => {
        const { product, browser } = there();
        const name = `tess${appearance.width}`;
        const tess = await createPayingCustomer(product, name, 60);
        const created = await tess.call<{ id: number }>('POST', '/deployments/', draftOf(name));
        expect(created.status).toBe(201);
        const { id } = created.body;
        const read = async () =>
          (
            await tess.call<{ status: string; domain: string; instance_type: string; daily_cost: number }>(
              'GET',
              `/deployments/${id}`,
            )
          ).body;
        const ready = () => until('READY', read, ({ status }) => status === 'READY', 90_000);
        await ready();

        const screen = await openScreen(browser, appearance, { baseUrl: product.url, layoutShifts: false });
        const { page } = screen;
        const wrong: string[] = [];
        const capture = async (what: string): Promise<void> => {
          await screen.shot(`changes-${what}`);
          for (const line of [...(await seriousViolations(page)), ...(await misfits(page))])
            wrong.push(`${what}: ${line}`);
        };
        const card = (title: string) => page.getByRole('region', { name: title, exact: true });
        await logIn(screen, tess.email);
        await page.goto(`/deployments/${id}/settings`);

        const configuration = card('Configuration');
        await configuration.getByRole('button', { name: 'Change configuration' }).click();
        await configuration.getByRole('textbox', { name: /Letsencrypt Email/ }).fill(`harbour-${name}@example.com`);
        await configuration.getByRole('textbox', { name: /Traefik Subdomain/ }).fill('router');
        await configuration.getByText('2 changes, not applied').waitFor();
        await configuration.getByText(`router.${name}.sandbox.localhost`).waitFor();
        await capture('configuration');
        await configuration.getByRole('button', { name: 'Apply 2 changes' }).click();
        await page.getByText('Restarting...').first().waitFor();
        await capture('applying');
        await ready();
        await configuration.getByText(`harbour-${name}@example.com`).waitFor();

        const domain = page.getByRole('region', { name: /^Domains?$/ });
        await domain.getByRole('button', { name: /^Change/ }).click();
        await domain.getByRole('textbox', { name: 'New domain' }).fill(`nodns.${name}.sandbox.localhost`);
        await domain.getByRole('button', { name: 'Change domain' }).click();
        await domain.getByText(/^The new configuration was not applied/).waitFor({ timeout: 90_000 });
        await ready();
        await domain.getByText(/^Certificate valid/).waitFor();
        await domain.scrollIntoViewIfNeeded();
        await capture('domain-failed');

        // A change that failed does not count for the limit of one per fifteen minutes.
        await domain.getByRole('button', { name: /^Change/ }).click();
        await domain.getByRole('textbox', { name: 'New domain' }).fill(`${name}-other.sandbox.localhost`);
        await domain.getByText(`admin.${name}-other.sandbox.localhost`).waitFor();
        await capture('domain');
        await domain.getByRole('button', { name: 'Change domain' }).click();
        await until(
          'the domain',
          read,
          ({ status, domain: now }) => status === 'READY' && now === `${name}-other.sandbox.localhost`,
          90_000,
        );

        const keys = card('SSH keys');
        await keys.getByRole('button', { name: 'Add key' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('textbox', { name: 'Name' }).fill("Mara's laptop");
        await dialog.getByRole('textbox', { name: 'Public key' }).fill(KEY);
        await capture('key');
        await dialog.getByRole('button', { name: 'Add key' }).click();
        await keys.getByText("Mara's laptop").waitFor();

        const before = await read();
        const size = card('Size and place');
        await size.getByRole('button', { name: 'Change size' }).click();
        await choose(size.getByRole('radio', { name: /CPX32/ }));
        await size.getByText('Way back').waitFor();
        await capture('size');
        await size.getByRole('button', { name: 'Resize to CPX32' }).click();
        const after = await until(
          'the size',
          read,
          ({ status, instance_type: now }) => status === 'READY' && now === 'cpx32',
          90_000,
        );
        expect(after.daily_cost).toBeGreaterThan(before.daily_cost);
        await page.evaluate(() => scrollTo(0, 0));
        await capture('settings');
        await chooseLanguage(screen, 'de');
        await page.reload();
        await page.getByRole('heading', { name: 'Konfiguration' }).waitFor();
        await capture('settings-de');

        expect(wrong).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });

/** Adds a domain to a running deployment, moves it to another region, and undoes its delete. */
export const movesInTheBrowser = (there: () => There): void =>
  describe('a deployment with a second domain in the browser', () => {
    it.each(APPEARANCES)(
      'is moved, deleted and restored at $width px, $theme',
      async (appearance) => {
        const { product, browser } = there();
        const name = `odin${appearance.width}`;
        const odin = await createPayingCustomer(product, name, 60);
        const created = await odin.call<{ id: number }>('POST', '/deployments/', draftOf(name));
        expect(created.status).toBe(201);
        const { id: old } = created.body;
        const statusOf = async (id: number) =>
          (await odin.call<{ status: string }>('GET', `/deployments/${id}`)).body.status;
        const becomes = (id: number, wanted: string) =>
          until(
            `${wanted} of ${id}`,
            () => statusOf(id),
            (status) => status === wanted,
            90_000,
          );
        await becomes(old, 'READY');

        const screen = await openScreen(browser, appearance, { baseUrl: product.url, layoutShifts: false });
        const { page } = screen;
        const wrong: string[] = [];
        const capture = async (what: string): Promise<void> => {
          await screen.shot(`moves-${what}`);
          for (const line of [...(await seriousViolations(page)), ...(await misfits(page))])
            wrong.push(`${what}: ${line}`);
        };
        const card = (title: string) => page.getByRole('region', { name: title, exact: true });
        const dialog = page.getByRole('dialog');
        const alert = page.getByRole('alertdialog');
        await logIn(screen, odin.email);
        await page.goto(`/deployments/${old}/settings`);

        const domains = card('Domains');
        await domains.getByRole('button', { name: 'Add domain' }).click();
        await dialog.getByRole('textbox', { name: 'Domain' }).fill(`${name}-too.sandbox.localhost`);
        await capture('add-domain');
        await dialog.getByRole('button', { name: 'Add domain' }).click();
        await domains.getByText(`Redirects to admin.${name}.sandbox.localhost`).waitFor();
        await until(
          'the certificate of the second domain',
          () => domains.getByText(/^Certificate valid/).count(),
          (count) => count === 2,
          90_000,
        );
        await capture('domains');

        await card('Move and clone').getByRole('button', { name: 'Move to another place' }).click();
        await dialog.getByLabel('Region').selectOption('hel1');
        await dialog.getByLabel('Size').selectOption('cpx22');
        await dialog.getByText('a day').first().waitFor();
        await capture('move');
        await dialog.getByRole('button', { name: 'Move', exact: true }).click();
        await page.waitForURL(/deployment=\d+/);
        const [, moved = ''] = /deployment=(\d+)/.exec(page.url()) ?? [];
        const id = Number(moved);
        expect(id).not.toBe(old);
        await page.goto(`/deployments/${old}`);
        await page.getByText('This deployment is being moved.').waitFor();
        await capture('moving');
        await becomes(id, 'READY');
        await page.getByText('This deployment has moved.').waitFor();
        await capture('moved');
        await page.getByRole('button', { name: 'Remove the old server now' }).first().click();
        await alert.or(dialog).getByRole('button', { name: 'Remove the old server now' }).click();
        await until(
          'the end of the old server',
          () => statusOf(old),
          (status) => status.startsWith('DESTROY'),
          90_000,
        );

        await page.goto(`/deployments/${id}/settings`);
        await card('Deletion').getByRole('button', { name: 'Deactivate' }).click();
        const { client_name: title } = (await odin.call<{ client_name: string }>('GET', `/deployments/${id}`)).body;
        await alert.getByRole('textbox').fill(title);
        await capture('delete');
        await alert.getByRole('button', { name: 'Deactivate' }).click();
        await page.goto(`/deployments/${id}`);
        await page.getByText(/^Deleted\. The server is kept until/).waitFor();
        await capture('kept');
        await page.getByRole('button', { name: 'Restore' }).first().click();
        await becomes(id, 'READY');

        expect(wrong).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });
