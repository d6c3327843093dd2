import { expect } from '@jest/globals';
import { person, until } from './customer';
import type { Product } from './product';

export const PASSWORD = 'correct horse';

/** Creates a verified account with money over HTTP, for journeys about something else. */
export async function createPayingCustomer(
  product: Product,
  name: string,
  units = 20,
  more: { referral_code?: string } = {},
): Promise<ReturnType<typeof person>> {
  const who = person(product, `${name}@example.com`, PASSWORD);
  const created = await who.call('POST', '/users/', { username: name, email: who.email, password: PASSWORD, ...more });
  expect(created.status).toBe(201);
  const [mail] = await until(
    'the verification mail',
    () => product.mails(who.email),
    (mails) => mails.length > 0,
  );
  const token = /[?&]token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
  expect((await who.call('GET', `/auth/verify-email?token=${token}`)).status).toBe(200);
  await who.login();
  if (units === 0) return who;
  const checkout = await who.call<{ session_id: string }>('POST', '/stripe/create-checkout-session', {
    amount_cents: units * 100,
  });
  await who.call('POST', `/stripe/test-checkout/${checkout.body.session_id}`, { outcome: 'pay' });
  await until(
    'the top-up',
    async () => (await who.call<{ regular_balance: number }>('GET', '/billing/balance')).body,
    ({ regular_balance }) => regular_balance === units,
  );
  return who;
}
