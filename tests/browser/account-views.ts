import type { Page } from 'playwright-core';
import { go, type Reported, type View } from './views';

/**
 * Mocks a response once, without changing data, because the same user is shown twice at the same time, and again in
 * another language.
 */
const answers = (page: Page, path: string, status: number, body: object): Promise<unknown> =>
  page.route(`**/api/users/self/${path}`, (route) => route.fulfill({ status, json: body }), { times: 1 });

/**
 * Reloads the page. A mocked response that the console has cached would otherwise be replaced by the real one while it
 * is shown.
 */
const loaded =
  (address: string, then: (page: Page) => Promise<unknown>) =>
  async (page: Page): Promise<void> => {
    await page.goto('/cancel');
    await page.goto(address);
    await then(page);
  };

const changing = (row: number) =>
  go('/account', async (page) => {
    await page.locator('#profile [aria-expanded]').nth(row).click();
    await page.locator('#profile form').scrollIntoViewIfNeeded();
  });

const scanning = async (page: Page): Promise<void> => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const otpauth_url = `otpauth://totp/Moorage:mara?issuer=Moorage&secret=${secret}`;
  await answers(page, 'two-factor', 201, { secret, otpauth_url });
  await go('/account#two-factor', async () => page.locator('#two-factor .btn').click())(page);
  await page.locator('#two-factor .qr svg').waitFor();
};

/** Server response to a sensitive call when the session is older than ten minutes. */
export const NEEDS_CONFIRMATION = {
  status: 403,
  json: { detail: "Confirm that it's you.", code: 'REAUTHENTICATION_REQUIRED', errors: [] },
};

/** Account page of a user with running deployments. */
export const accountPages = (): readonly View[] => [
  {
    name: 'account',
    at: '/account',
    show: go('/account', (page) => page.locator('#sessions :is(tbody tr, .data-cards li)').first().waitFor()),
  },
  {
    name: 'activity',
    at: '/activity',
    show: go('/activity', (page) => page.locator('main :is(tbody tr, .data-cards li)').first().waitFor()),
  },
  { name: 'account-username', at: '/account', show: changing(0) },
  { name: 'account-email', at: '/account', show: changing(1) },
  {
    name: 'account-password',
    at: '/account',
    async show(page) {
      await changing(2)(page);
      await page.locator('#profile input[type=password]').nth(1).fill('another horse');
      await page.locator('#profile .strength').waitFor();
    },
  },
  {
    name: 'account-confirm-identity',
    at: '/account',
    opens: 'ui/form/form-dialog.tsx',
    async show(page) {
      await page.route('**/api/users/self/two-factor', (route) =>
        route.request().method() === 'POST' ? route.fulfill(NEEDS_CONFIRMATION) : route.continue(),
      );
      await go('/account#two-factor', async () => page.locator('#two-factor .btn').click())(page);
      await page.getByRole('dialog').locator('input[type=password]').waitFor();
      await page.unroute('**/api/users/self/two-factor');
    },
  },
  { name: 'account-two-factor-scan', at: '/account', show: scanning },
  {
    name: 'account-recovery-codes',
    at: '/account',
    async show(page) {
      const codes = Array.from({ length: 10 }, (_, index) => `abcd-efgh-jkmn-pqr${index}`);
      await answers(page, 'two-factor/confirm', 200, { recovery_codes: codes });
      await page.locator('#two-factor input').fill('123456');
      await page.locator('#two-factor [type=submit]').click();
      await page.locator('#two-factor .codes').waitFor();
    },
  },
  {
    name: 'account-token-form',
    at: '/account',
    show: go('/account#tokens', async (page) => {
      await page.locator('#tokens [aria-expanded]').click();
      await page.locator('#tokens form').scrollIntoViewIfNeeded();
    }),
  },
  {
    name: 'account-token-made',
    at: '/account',
    async show(page) {
      const token = {
        id: 9,
        label: 'nightly backup of the harbour master',
        scope: 'write',
        created_at: '2026-11-25T08:00:00.000Z',
        expires_at: '2027-02-23T08:00:00.000Z',
        last_used_at: null,
      };
      await answers(page, 'api-tokens', 201, { ...token, token: `mrg_${'a1B2c3D4'.repeat(5)}` });
      await page.locator('#tokens input').fill(token.label);
      // The list is fetched again after the token was created.
      await page.locator('#tokens [type=submit]').click();
      await page.locator('#tokens h3').waitFor();
    },
  },
  {
    name: 'account-revoke',
    at: '/account',
    opens: 'ui/confirm-dialog.tsx',
    async show(page) {
      await answers(page, 'api-tokens', 200, [
        {
          id: 9,
          label: 'nightly backup of the harbour master',
          scope: 'write',
          created_at: '2026-11-25T08:00:00.000Z',
          expires_at: null,
          last_used_at: null,
        },
      ]);
      await loaded('/account#tokens', async (shown) => {
        await shown.locator('#tokens :is(td, .data-cards) button').click();
        await shown.locator('[role=alertdialog]').waitFor();
      })(page);
    },
  },
  {
    name: 'account-mails',
    at: '/account',
    show: loaded('/account#mails', (page) => page.locator('#mails li').first().waitFor()),
  },
  {
    name: 'account-data',
    at: '/account',
    async show(page) {
      const row = { created_at: '2026-11-25T08:00:00.000Z', expires_at: '2026-12-02T08:00:00.000Z' };
      await answers(page, 'exports', 200, [
        { ...row, id: 3, state: 'preparing', ready_at: null, size_bytes: null },
        { ...row, id: 2, state: 'ready', ready_at: '2026-11-25T08:01:00.000Z', size_bytes: 1_284_120 },
        { ...row, id: 1, state: 'failed', ready_at: null, size_bytes: null },
      ]);
      await loaded('/account#data', (shown) => shown.locator('#data :is(td, .data-cards) button').waitFor())(page);
    },
  },
  {
    name: 'account-delete-refused',
    at: '/account',
    show: loaded('/account#danger', async (page) => {
      await page.locator('#danger button').click();
      await page.locator('[role=alertdialog] a').waitFor();
    }),
  },
];

/** Account page of a user who has just signed up. */
export const newcomerAccountPages = (): readonly View[] => [
  { name: 'support-nothing', at: '/support', show: go('/support', (page) => page.locator('.empty').waitFor()) },
  { name: 'account-unverified', at: '/account', show: go('/account', (page) => page.locator('.verify').waitFor()) },
  {
    name: 'account-delete',
    at: '/account',
    opens: 'ui/confirm-dialog.tsx',
    async show(page) {
      await page.locator('#danger button').click();
      await page.locator('[role=alertdialog] input').fill('DELETE');
    },
  },
];

/** Support conversations of a user. */
export const supportPages = ({ seeded: { conversations } }: Reported): readonly View[] => {
  const conversation = (id: number, then = '.thread li') =>
    go(`/support?conversation=${id}`, (page) => page.locator(`.conversation ${then}`).first().waitFor());
  return [
    {
      name: 'support-conversations',
      at: '/support',
      show: go('/support', async (page) => {
        await page.locator('#conversations :is(tbody tr, .data-cards li)').first().waitFor();
        await page.locator('#desk dl').waitFor();
      }),
    },
    { name: 'support-conversation', at: '/support', show: conversation(conversations.open, '.due') },
    {
      name: 'support-reply-refused',
      at: '/support',
      async show(page) {
        await page.locator('.conversation form .btn').click();
        await page.locator('.conversation [aria-invalid=true]').waitFor();
      },
    },
    { name: 'support-answered', at: '/support', show: conversation(conversations.answered, '.theirs') },
    {
      name: 'support-not-mine',
      at: '/support',
      show: go('/support?conversation=999999', (page) => page.locator('main [role=alert]').waitFor()),
    },
  ];
};
