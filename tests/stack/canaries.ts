import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { draftOf } from '../journeys/first-deployment';
import { type Person, person, until } from '../journeys/customer';
import { readSecret, type Stack } from './stack';

/** Secrets of the stack that consist of a single word, unlike configuration files or files with several secrets. */
const STACK_SECRETS = [
  'postgres_password',
  'kafka_password',
  'redis_password',
  ...['api', 'provisioner', 'billing'].flatMap((service) => [`kafka_password_${service}`, `redis_password_${service}`]),
  'jwt_secret',
  'admin_password',
  'grafana_password',
];

/**
 * Uses everything in the product that is secret. A user signs up, confirms by email, creates an API token, turns on
 * two-factor authentication, deploys with a custom password, reveals the generated secrets, and resets the password.
 * Returns every secret involved, including those of the stack.
 */
export async function journeyOfSecrets(stack: Stack, name: string): Promise<string[]> {
  const secrets = await stackSecrets(stack);
  const first = 'first canary of a person';
  const second = 'second canary of a person';
  const bob = person(stack, `${name}@example.com`, first);
  expect((await bob.call('POST', '/users/', { username: name, email: bob.email, password: first })).status).toBe(201);
  const verification = await tokenOfMail(stack, bob, 'verify-email');
  expect((await bob.call('GET', `/auth/verify-email?token=${verification}`)).status).toBe(200);
  const access = await signIn(bob, first);
  secrets.push(first, second, verification, access);
  const call = <T>(method: string, path: string, body?: unknown) =>
    bob.call<T>(method, path, body, { authorization: `Bearer ${access}` });

  const token = await call<{ token: string }>('POST', '/users/self/api-tokens', { label: 'ci' });
  expect(token.status).toBe(201);
  const app = await call<{ secret: string }>('POST', '/users/self/two-factor', { password: first });
  const codeAt = async (): Promise<string> =>
    new TOTP({ secret: Secret.fromBase32(app.body.secret) }).generate({ timestamp: await stackNow(stack) });
  const confirmed = await call<{ recovery_codes: string[] }>('POST', '/users/self/two-factor/confirm', {
    otp: await codeAt(),
  });
  expect(confirmed.status).toBe(200);
  const [used = ''] = confirmed.body.recovery_codes;
  const renewed = await call<{ recovery_codes: string[] }>('POST', '/users/self/two-factor/recovery-codes', {
    password: first,
    otp: used,
  });
  expect(renewed.status).toBe(200);
  secrets.push(token.body.token, app.body.secret, ...confirmed.body.recovery_codes, ...renewed.body.recovery_codes);

  const checkout = await call<{ session_id: string }>('POST', '/stripe/create-checkout-session', {
    amount_cents: 2000,
  });
  await call('POST', `/stripe/test-checkout/${checkout.body.session_id}`, { outcome: 'pay' });
  const postgres = 'Canary-of-an-order-7';
  const created = await call<{ id: number }>('POST', '/deployments/', {
    ...draftOf(name),
    postgres_password: postgres,
  });
  expect(created.status).toBe(201);
  const path = `/deployments/${created.body.id}`;
  await until(
    'READY',
    async () => (await call<{ status: string }>('GET', path)).body.status,
    (status) => status === 'READY',
  );
  const revealed = await call<{ secrets: { value: string }[] }>('POST', `${path}/reveal-secrets`);
  secrets.push(postgres, ...revealed.body.secrets.map(({ value }) => value));

  expect((await bob.call('POST', '/auth/forgot-password', { email: bob.email })).status).toBe(200);
  const reset = await tokenOfMail(stack, bob, 'reset-password');
  expect((await bob.call('POST', '/auth/reset-password', { token: reset, new_password: second })).status).toBe(200);
  const again = await signIn(bob, second, renewed.body.recovery_codes[0]);
  secrets.push(reset, again);
  const deleted = await bob.call('DELETE', path, undefined, { authorization: `Bearer ${again}` });
  expect(deleted.status).toBe(200);
  await until(
    'DESTROYED',
    () => stack.sql<{ status: string }>('select status from deployments where id = $1', [created.body.id]),
    ([row]) => row?.status === 'DESTROYED',
  );
  return [...new Set(secrets)];
}

async function stackSecrets(stack: Stack): Promise<string[]> {
  const words = await Promise.all(STACK_SECRETS.map((name) => readSecret(stack.folder, name)));
  const services = (await readSecret(stack.folder, 'database_service_passwords')).trim().split(',');
  const rings = await Promise.all(
    ['secrets_keys', 'account_secrets_keys'].map((name) => readSecret(stack.folder, name)),
  );
  const keys = rings.map((ring) => ring.trim().split(':')[1] ?? '');
  return [...words.map((word) => word.trim()), ...services.map((login) => login.split(':')[1] ?? ''), ...keys];
}

async function signIn(bob: Person, password: string, otp?: string): Promise<string> {
  const form = new URLSearchParams({ username: bob.email, password, ...(otp === undefined ? {} : { otp }) });
  const answer = await bob.call<{ access_token: string }>('POST', '/auth/login', form);
  expect(answer.status).toBe(200);
  return answer.body.access_token;
}

async function tokenOfMail(stack: Stack, { email }: Person, of: string): Promise<string> {
  const found = await until(
    `the mail with a link: ${of}`,
    async () =>
      (await stack.mails(email)).flatMap(
        ({ text }) => new RegExp(`${of}[^\\s]*[?&]token=([\\w-]+)`).exec(text)?.[1] ?? [],
      ),
    (tokens) => tokens.length > 0,
  );
  return found.at(-1) ?? '';
}

/** Returns the time of the stack. Its clock is shifted to noon. */
async function stackNow({ folder }: Stack): Promise<number> {
  const { LAB_CLOCK_OFFSET_MS = '0' } = parseEnv(await readFile(join(folder, '.env'), 'utf8'));
  return Date.now() + Number(LAB_CLOCK_OFFSET_MS);
}
