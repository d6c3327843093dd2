import { describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { PASSWORD, createPayingCustomer } from '../journeys/paying-customer';
import { until } from '../journeys/customer';
import { NEEDS_CONFIRMATION } from './account-views';
import { seriousViolations } from './axe';
import { LONG_MS, openScreen, type There } from './browser';
import { logIn } from './customers';

const PERIOD_MS = 30_000;

export const ownAccount = (there: () => There): void =>
  describe('account page', () => {
    it(
      'handles tokens, the second factor, sessions, an export, a new address and the account deletion',
      async () => {
        const { product, browser } = there();
        const nora = await createPayingCustomer(product, 'nora');
        const screen = await openScreen(
          browser,
          { width: 1440, theme: 'light' },
          // Errors that the browser logs for the code that login requires, and for the identity confirmation.
          { baseUrl: product.url, expected: [/the server responded with a status of 40[13]/] },
        );
        const { page } = screen;
        const axe: string[] = [];
        const appearance = async (what: string): Promise<void> => {
          await screen.shot(what);
          for (const line of await seriousViolations(page)) axe.push(`${what}: ${line}`);
        };
        await logIn(screen, nora.email);
        await page.getByRole('button', { name: /account menu/ }).click();
        await page.getByRole('menuitem', { name: 'Account' }).click();
        await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();

        const tokens = page.getByRole('region', { name: 'API tokens' });
        await tokens.getByRole('button', { name: 'New token' }).click();
        await tokens.getByLabel('Label').fill('harbour script');
        await tokens.getByRole('button', { name: 'Create token' }).click();
        const token = await tokens.locator('.mono').filter({ hasText: 'mrg_' }).first().innerText();
        await appearance('account-token');
        const requested = await fetch(`${product.url}/api/deployments/`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(requested.status).toBe(200);
        await tokens.getByRole('button', { name: "I've copied it" }).click();
        await tokens.getByText('harbour script', { exact: true }).waitFor();

        const twoFactor = page.getByRole('region', { name: 'Two-factor authentication' });
        await twoFactor.getByRole('button', { name: 'Turn on' }).click();
        await twoFactor.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
        await appearance('account-qr');
        const app = new TOTP({ secret: Secret.fromBase32(await twoFactor.locator('.mono').innerText()) });
        await twoFactor.getByLabel('Authentication code').fill(app.generate());
        await twoFactor.getByRole('button', { name: 'Confirm' }).click();
        await twoFactor.getByRole('listitem').first().waitFor();
        const codes = await twoFactor.getByRole('listitem').allInnerTexts();
        expect(codes).toHaveLength(10);
        await appearance('account-codes');
        await twoFactor.getByLabel("I've saved these codes").check();
        await twoFactor.getByRole('button', { name: 'Done' }).click();
        await twoFactor.getByText('Recovery codes left').waitFor();

        await logOut(page);
        // The code of this half minute is used up. The next code is accepted too, because clocks differ.
        await logInWith(page, nora.email, app.generate({ timestamp: Date.now() + PERIOD_MS }));
        await logOut(page);
        await logInWith(page, nora.email, codes[0] ?? '');

        await page.goto('/account');
        await twoFactor.getByText('9', { exact: true }).waitFor();
        const sessions = page.getByRole('region', { name: 'Sessions' });
        await sessions.getByText('Password and recovery code').first().waitFor();
        // Turning on two-factor authentication has ended her other session.
        expect((await nora.call('GET', '/auth/me')).status).toBe(401);
        const login = { username: nora.email, password: PASSWORD, otp: codes[2] };
        const { body: elsewhere } = await nora.call<{ access_token: string }>('POST', '/auth/login', login);
        const whoElsewhere = async () =>
          (
            await fetch(`${product.url}/api/auth/me`, {
              headers: { authorization: `Bearer ${elsewhere.access_token}` },
            })
          ).status;
        expect(await whoElsewhere()).toBe(200);
        await page.reload();
        await sessions.getByRole('button', { name: 'End all others' }).click();
        await page.getByText('All other sessions were ended.').waitFor();
        expect(await whoElsewhere()).toBe(401);
        await appearance('account-sessions');

        const data = page.getByRole('region', { name: 'Your data' });
        await data.getByRole('button', { name: 'Request export' }).click();
        const ready = data.getByRole('button', { name: /^Download the export of/ });
        await ready.waitFor();
        await appearance('account-export');
        const [download] = await Promise.all([page.waitForEvent('download'), ready.click()]);
        expect(download.suggestedFilename()).toMatch(/^moorage-export-\d+\.zip$/);

        const profile = page.getByRole('region', { name: 'Profile' });
        await profile.getByRole('button', { name: 'Change Email' }).click();
        const address = 'nora.new@example.com';
        await profile.getByLabel('New email address').fill(address);
        // The session is treated as old, so the console prompts for password and code, and repeats the call.
        await page.route('**/api/users/self/email-change', (route) => route.fulfill(NEEDS_CONFIRMATION), { times: 1 });
        await profile.getByRole('button', { name: 'Send link' }).click();
        const identity = page.getByRole('dialog', { name: "Confirm that it's you" });
        await identity.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await identity.getByRole('button', { name: 'Use a recovery code' }).click();
        await identity.getByLabel('Recovery code').fill(codes[1] ?? '');
        await appearance('account-confirm-identity');
        await identity.getByRole('button', { name: 'Confirm' }).click();
        await profile.getByText(`Pending: ${address}`).waitFor();
        await appearance('account-email-waiting');
        const [mail] = await until(
          'the mail to the new address',
          () => product.mails(address),
          (mails) => mails.length > 0,
        );
        await page.goto(`/verify-email?token=${/[?&]token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1]}`);
        await page.getByRole('button', { name: 'Confirm email address' }).click();
        await page.getByText('Your email address was changed.').waitFor();
        await page.goto('/account');
        await profile.getByText(address).waitFor();

        await page.getByRole('button', { name: 'Delete account' }).click();
        const dialog = page.getByRole('alertdialog');
        await dialog.getByText('$20.00').waitFor();
        await dialog.getByRole('textbox').fill('DELETE');
        await appearance('account-delete');
        await dialog.getByRole('button', { name: 'Delete account' }).click();
        await page.getByText('Your account has been deactivated. You will now be logged out.').waitFor();
        await page.waitForURL((url) => url.pathname === '/');
        const after = await fetch(`${product.url}/api/deployments/`, { headers: { authorization: `Bearer ${token}` } });
        expect(after.status).toBe(401);

        expect(axe).toEqual([]);
        expect(await screen.problems()).toEqual([]);
        await screen.close();
      },
      LONG_MS,
    );
  });

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
}

async function logInWith(page: Page, email: string, code: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.getByLabel('Authentication code').fill(code);
  await page.getByRole('button', { name: 'Login' }).click();
  await page.waitForURL('**/dashboard');
}
