import { describe, expect, it } from '@jest/globals';
import { until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import { seriousViolations } from './axe';
import { type Appearance, LONG_MS, openScreen, type There } from './browser';
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
        await page.evaluate(() => localStorage.setItem('locale', 'de'));
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
