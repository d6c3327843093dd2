import { person, until } from './person';
import type { Product } from './product';

/** Somebody who has signed up, confirmed the address, logged in and paid in this much. */
export async function payingPerson(
  product: Product,
  name: string,
  amountCents: number,
): Promise<ReturnType<typeof person>> {
  const someone = person(product, `${name}@example.com`, 'correct horse');
  const { email, password } = someone;
  const signedUp = await someone.call('POST', '/users/', { username: name, email, password });
  if (signedUp.status !== 201) throw new Error(`sign-up: ${signedUp.status} ${JSON.stringify(signedUp.body)}`);
  await someone.login();
  const [mail] = await until(
    'the verification mail',
    () => product.mails(email),
    (mails) => mails.length > 0,
  );
  const token = /[?&]token=([A-Za-z0-9_-]+)/.exec(mail?.text ?? '')?.[1];
  await someone.call('GET', `/auth/verify-email?token=${token}`);
  const checkout = await someone.call<{ session_id: string }>('POST', '/stripe/create-checkout-session', {
    amount_cents: amountCents,
  });
  await someone.call('POST', `/stripe/test-checkout/${checkout.body.session_id}`, { outcome: 'pay' });
  await until(
    'the top-up',
    async () => (await someone.call<{ regular_balance: number }>('GET', '/billing/balance')).body.regular_balance,
    (units) => units === amountCents / 100,
  );
  return someone;
}
