import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { person, until } from '../journeys/customer';
import { createPayingCustomer } from '../journeys/paying-customer';
import { type Appearance, LONG_MS, productAndBrowser, type Screen } from './browser';
import { logIn } from './customers';
import { screens } from './screens';
import { ADMIN } from './seeded';

const APPEARANCES: readonly Appearance[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** Error that the browser logs for a refused link. */
const REFUSED = [/the server responded with a status of 404/];

const there = productAndBrowser();

/** A conversation from the question to its reopening, on the screens of both sides. */
describe('conversation with support', () => {
  it.each(APPEARANCES)(
    'is started by a customer, annotated, answered, solved and reopened ($width px)',
    async (appearance) => {
      const { product } = there();
      const { open, close, capture } = screens(there(), appearance, { name: 'support', expected: REFUSED });
      const name = `nora${appearance.width}`;
      const subject = `My invoices ${appearance.width}`;
      const nora = await createPayingCustomer(product, name);
      const hers = await open();
      await logIn(hers, nora.email);
      const { page } = hers;
      await openSupport(page);
      const panel = page.getByRole('dialog', { name: 'Contact support' });
      await panel.getByLabel('Subject').fill(subject);
      await panel.getByRole('button', { name: 'Send Email' }).click();
      await panel.getByText('Message is required').waitFor();
      await panel.getByLabel('Message').fill('Where do I find them?\nI have looked everywhere.');
      await capture(hers, 'panel');
      await panel.getByRole('button', { name: 'Send Email' }).click();
      await page.getByText("Support request sent successfully! We'll get back to you soon.").waitFor();
      await page.getByRole('link', { name: 'Open conversation' }).click();
      await page.getByRole('heading', { level: 1, name: subject }).waitFor();
      await capture(hers, 'asked');

      const staff = await open();
      const inbox = await asAdministrator(staff);
      await inbox.getByRole('link', { name: subject }).waitFor();
      await capture(staff, 'inbox');
      await inbox.getByRole('link', { name: subject }).click();
      await inbox.getByRole('button', { name: 'Assign to me' }).click();
      await inbox.getByRole('button', { name: 'Note', exact: true }).click();
      await inbox.getByRole('textbox', { name: 'Note' }).fill('She has paid twice.');
      await inbox.getByRole('button', { name: 'Save note' }).click();
      await inbox.getByText('Note saved.').waitFor();
      await inbox.getByRole('button', { name: 'Reply', exact: true }).click();
      await inbox.getByRole('textbox', { name: 'Reply' }).fill('Under Billing, above the table.');
      await capture(staff, 'answering');
      await inbox.getByRole('button', { name: 'Send reply' }).click();
      await inbox.getByText(`Reply sent to ${nora.email}.`).waitFor();
      await capture(staff, 'answered');

      // Without a reload, because a hint announces a new message.
      await page.getByText('Under Billing, above the table.').waitFor();
      expect(await page.getByText('She has paid twice.').count()).toBe(0);
      const mail = await mailed(product, nora.email, `Re: ${subject}`);
      expect(mail).toContain(`/support?conversation=`);
      expect(mail).not.toContain('She has paid twice.');
      await page.getByRole('button', { name: 'Mark as solved' }).click();
      await page.getByText('Closed', { exact: true }).waitFor();
      await capture(hers, 'solved');
      await page.getByLabel('Your reply').fill('One is missing.');
      await page.getByRole('button', { name: 'Send reply' }).click();
      await page.getByText('Waiting for us').waitFor();
      await inbox.getByText('One is missing.').waitFor();
      await capture(staff, 'reopened');
      await close();
    },
    LONG_MS,
  );

  it(
    'continues for a visitor through the link in an email',
    async () => {
      const { product } = there();
      const { open, close, capture } = screens(
        there(),
        { width: 390, theme: 'light' },
        { name: 'support', expected: REFUSED },
      );
      const visitor = await open();
      const { page } = visitor;
      await page.goto('/pricing');
      await openSupport(page);
      const panel = page.getByRole('dialog', { name: 'Contact support' });
      await panel.getByLabel('Name').fill('Vik');
      await panel.getByLabel('Email').fill('vik@example.org');
      await panel.getByLabel('Subject').fill('Which package');
      await panel.getByLabel('Message').fill('Can I have two domains?');
      await panel.getByRole('button', { name: 'Send Email' }).click();
      await page.getByText(/^Support request sent successfully/).waitFor();
      const link = /\/conversation#\S+/.exec(await mailed(product, 'vik@example.org', 'Your message to'))?.[0] ?? '';
      const admin = person(product, ADMIN.email, ADMIN.password);
      await admin.login();
      const { body } = await admin.call<{ conversations: { id: number; subject: string }[] }>(
        'GET',
        '/support/admin/conversations?search=vik@',
      );
      const answer = { message: 'You can.' };
      await admin.call('POST', `/support/admin/conversations/${body.conversations[0]?.id}/answers`, answer);
      await page.goto(link);
      await page.getByRole('heading', { name: 'Which package' }).waitFor();
      await page.getByText('You can.').waitFor();
      await page.getByLabel('Your reply').fill('How?');
      await page.getByRole('button', { name: 'Send reply' }).click();
      await page.getByRole('listitem').filter({ hasText: 'How?' }).waitFor();
      await capture(visitor, 'visitor');
      await page.goto(`${link.slice(0, -4)}0000`);
      await page.reload();
      await page.getByText(/^This link doesn't lead to a conversation/).waitFor();
      await close();
    },
    LONG_MS,
  );
});

/** Opens the panel with the button in the bar, or on a phone from the menu. */
async function openSupport(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) >= 1200) return page.getByRole('button', { name: 'Support' }).click();
  await page.getByRole('button', { name: /menu/i }).click();
  await page
    .getByRole('button', { name: 'Contact support' })
    .or(page.getByRole('menuitem', { name: 'Contact support' }))
    .click();
}

async function asAdministrator(screen: Screen): Promise<Page> {
  const { page } = screen;
  await logIn(screen, ADMIN.email, ADMIN.password);
  await page.getByRole('button', { name: "Got it, let's get started!" }).click();
  const inBar = page.getByRole('link', { name: /^Inbox/ });
  if ((page.viewportSize()?.width ?? 0) >= 1200) await inBar.click();
  else {
    await page.getByRole('button', { name: /menu/ }).first().click();
    await page.getByRole('menuitem', { name: /^Support Inbox/ }).click();
  }
  await page.getByRole('heading', { name: 'Support Inbox' }).waitFor();
  return page;
}

async function mailed(product: Parameters<typeof person>[0], email: string, subject: string): Promise<string> {
  const [mail] = await until(
    `the mail ${subject}`,
    async () => (await product.mails(email)).filter((each) => each.subject.includes(subject)),
    (mails) => mails.length > 0,
  );
  return mail?.text ?? '';
}
