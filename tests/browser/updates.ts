import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DeploymentUpdatesAnswer } from '@moorage/contracts';
import { type Person, until } from '../journeys/customer';
import { draftOf } from '../journeys/first-deployment';
import { createPayingCustomer } from '../journeys/paying-customer';
import {
  type Appearance,
  LONG_MS,
  MAIN_APPEARANCE,
  openScreen,
  OTHER_APPEARANCES,
  type Screen,
  type There,
} from './browser';
import { logIn } from './customers';
import { inBothLanguages } from './screens';
import { ADMIN } from './seeded';

const APPEARANCES = [MAIN_APPEARANCE, ...OTHER_APPEARANCES];
const NEXT = '1.24.0-2';
/** Image that only the next version has. */
const NEW_IMAGE = 'traefik:v3.7.14';
/** Maximum time of an update that is undone, with all attempts of its health check. */
const UNDONE_MS = 200_000;

/** Rolls a version out, updates one deployment to it, and sees the update of another one being undone. */
export const updatesInTheBrowser = (there: () => There): void =>
  describe('updates in the browser', () => {
    let wren: Person;
    /** A deployment that is updated, and one in which the next version never becomes healthy. */
    let good: number;
    let unhealthy: number;
    const open = async (appearance: Appearance, email = wren.email, password?: string): Promise<Screen> => {
      const { product, browser } = there();
      const screen = await openScreen(browser, appearance, { baseUrl: product.url, layoutShifts: false });
      await logIn(screen, email, password);
      return screen;
    };
    const ended = (id: number, what: string): Promise<unknown> =>
      until(
        what,
        async () => (await wren.call<{ status: string }>('GET', `/deployments/${id}`)).body,
        ({ status }) => status === 'READY',
        UNDONE_MS,
      );

    beforeAll(async () => {
      const { product } = there();
      wren = await createPayingCustomer(product, 'wren', 60);
      const created = [];
      for (const name of ['wren', 'wrens']) {
        const draft = draftOf(name);
        const { status, body } = await wren.call<{ id: number }>('POST', '/deployments/', draft);
        expect(status).toBe(201);
        await ended(body.id, 'READY');
        created.push(body.id);
      }
      [good = 0, unhealthy = 0] = created;
    }, LONG_MS);

    it(
      'a version is rolled out by an administrator, ring by ring',
      async () => {
        const screen = await open(MAIN_APPEARANCE, ADMIN.email, ADMIN.password);
        const { page } = screen;
        await page.goto('/releases');
        await page.getByRole('button', { name: "Got it, let's get started!" }).click();
        for (const button of ['Offer to administrators', 'Offer to 5 %', 'Offer to 25 %', 'Offer to all']) {
          await page.goto('/releases');
          await page
            .getByRole('table', { name: 'Pangolin', exact: true })
            .getByRole('button', { name: button })
            .click();
          await page.getByRole('alertdialog').getByRole('button', { name: button }).click();
          await page.getByText(`Version ${NEXT} is offered to more deployments.`).waitFor();
        }
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );

    it('images are compared with their registries', () =>
      // The registries themselves are out of reach of a test.
      there().product.sql(
        `insert into image_checks (image, attempted_at, checked_at, newest, missing_from, missing_to) values
           ('docker.io/traefik:v3.7.14', now(), now(), 'v3.7.15', null, null),
           ('docker.io/fosrl/gerbil:1.5.2', now(), now(), null, now() - interval '2 days', now())`,
      ));

    it.each(APPEARANCES)(
      'the rollout is shown to administrators at $width px, $theme',
      async (appearance) => {
        const screen = await open(appearance, ADMIN.email, ADMIN.password);
        await screen.page.goto('/releases');
        await screen.page.getByRole('button', { name: "Got it, let's get started!" }).click();
        await inBothLanguages(screen, 'updates', async (capture) => {
          await screen.page.goto('/releases');
          await screen.page.getByText('1.24.0-2').first().waitFor();
          await capture('releases');
        });
      },
      LONG_MS,
    );

    it.each(APPEARANCES)(
      'the next version is shown with its consequences, and a window is chosen, at $width px, $theme',
      async (appearance) => {
        const screen = await open(appearance);
        const { page } = screen;
        await inBothLanguages(screen, 'updates', async (capture) => {
          await page.goto(`/deployments/${good}`);
          await page.locator('.version-sec .update-facts').scrollIntoViewIfNeeded();
          await capture('version');
          await page.locator('.version-sec .btn.primary').click();
          await page.getByRole('alertdialog').waitFor();
          await capture('dialog');
          await page.keyboard.press('Escape');
          await page.goto(`/deployments/${good}/settings`);
          await page.locator('.updates-sec .btn').first().click();
          await page.locator('.updates-sec form').scrollIntoViewIfNeeded();
          await capture('settings');
        });
      },
      LONG_MS,
    );

    it(
      'a deployment is updated with the button',
      async () => {
        const screen = await open(MAIN_APPEARANCE);
        const { page } = screen;
        await page.goto(`/deployments/${good}`);
        await page.getByRole('button', { name: 'Update now' }).click();
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: `Update to ${NEXT}` })
          .click();
        await page.getByText(`The update to ${NEXT} is running.`).waitFor();
        await screen.shot('updates-running');
        await page
          .getByText('This is the newest version that we offer for this deployment.')
          .waitFor({ timeout: UNDONE_MS });
        await page.getByText(`Pangolin ${NEXT}`).waitFor();
        await screen.shot('updates-done');
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );

    describe('that wait for a reboot of the server', () => {
      const reboot = async () =>
        (await wren.call<DeploymentUpdatesAnswer>('GET', `/deployments/${good}/updates`)).body.reboot;

      beforeAll(async () => {
        await there().product.sql(
          `update sandbox_servers set host = jsonb_set(host, '{marks,reboot_required}', '"2026-11-28T03:12:00.000Z"')
           where labels ->> 'deployment' = (select ref from deployments where id = $1)`,
          [good],
        );
        await until('the next check of the server', reboot, (need) => need !== null, UNDONE_MS);
      }, LONG_MS);

      it(
        'are planned for the window',
        async () => {
          const screen = await open(MAIN_APPEARANCE);
          const { page } = screen;
          await page.goto(`/deployments/${good}`);
          await page.getByRole('button', { name: 'Reboot in the window' }).click();
          await screen.shot('updates-reboot-dialog');
          await page.getByRole('alertdialog').getByRole('button', { name: 'Plan the reboot' }).click();
          await page.getByText('The reboot is planned for the window').waitFor();
          expect(await screen.problems()).toEqual([]);
          await screen.close();
        },
        LONG_MS,
      );

      it.each(APPEARANCES)(
        'are shown with their plan at $width px, $theme',
        async (appearance) => {
          const screen = await open(appearance);
          const { page } = screen;
          await inBothLanguages(screen, 'updates', async (capture) => {
            await page.goto(`/deployments/${good}`);
            await page.locator('.version-sec .note .btn').first().scrollIntoViewIfNeeded();
            await capture('reboot');
            await page.goto(`/deployments/${good}/settings`);
            await page.locator('.updates-sec dl').scrollIntoViewIfNeeded();
            await capture('reboot-settings');
          });
        },
        LONG_MS,
      );

      it(
        'are finished by a reboot',
        async () => {
          const screen = await open(MAIN_APPEARANCE);
          const { page } = screen;
          await page.goto(`/deployments/${good}`);
          await page.getByRole('button', { name: 'Reboot now' }).click();
          await page.getByRole('alertdialog').getByRole('button', { name: 'Reboot now' }).click();
          await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
          await page.getByText(/^Reboot(ing)? the server$/).waitFor();
          await screen.shot('updates-rebooting');
          await ended(good, 'the end of the reboot');
          expect(await reboot()).toBeNull();
          await page.goto(`/deployments/${good}/activity`);
          await page.getByText('Server rebooted').first().waitFor();
          expect(await screen.problems()).toEqual([]);
          await screen.close();
        },
        LONG_MS,
      );
    });

    describe('that had to be undone', () => {
      beforeAll(async () => {
        const { product } = there();
        await product.sql(
          `update sandbox_servers set host = jsonb_set(host, '{marks,unhealthy}', to_jsonb($2::text))
           where labels ->> 'deployment' = (select ref from deployments where id = $1)`,
          [unhealthy, NEW_IMAGE],
        );
        expect((await wren.call('POST', `/deployments/${unhealthy}/update`, { version: NEXT })).status).toBe(200);
        // The health check gives up after eight minutes. A running attempt may overwrite the time at which it began.
        await until(
          'the undo',
          async () => {
            await product.sql(
              `update runs set step_started_at = step_started_at - interval '9 minutes'
               where deployment_id = $1 and plan = 'update' and state = 'running' and steps[position + 1] = 'check-health'`,
              [unhealthy],
            );
            return product.sql(`select id from runs where deployment_id = $1 and plan = 'undo-update'`, [unhealthy]);
          },
          (undone) => undone.length > 0,
          UNDONE_MS,
        );
        await ended(unhealthy, 'the previous version');
      }, LONG_MS);

      it.each(APPEARANCES)(
        'are explained, with their steps, at $width px, $theme',
        async (appearance) => {
          const screen = await open(appearance);
          const { page } = screen;
          await inBothLanguages(screen, 'updates', async (capture) => {
            await page.goto(`/deployments/${unhealthy}`);
            await page.locator('.version-sec .update-facts').waitFor();
            await page.locator('.version-sec').scrollIntoViewIfNeeded();
            await capture('undone');
            await page.goto(`/deployments/${unhealthy}/activity`);
            await page.locator('.deployment-cols button[aria-expanded]').first().click();
            await page.locator('.tl li').last().waitFor();
            await capture('undone-steps');
          });
        },
        LONG_MS,
      );
    });
  });
