import { verify } from '@node-rs/argon2';
import { seedAccounts } from '@moorage/testing';
import { emailOf, hashedPassword, loginRequest, PASSWORD } from './api/accounts';
import { load, startServer } from './api/servers';
import { withBenchDatabase } from './database';
import { alternate, figure, option, report } from './measure';

/**
 * Measures logins per second over HTTP against a loop that only verifies the same password hash, two at a time like the
 * api.
 *
 *   npm run bench -- login
 */
const rounds = Number(option('--rounds') ?? 5);
const LOGINS = 400;
const ACCOUNTS = 1_000;
const AT_ONCE = 2;

await withBenchDatabase(async (database) => {
  const hash = await hashedPassword();
  await database.withClient(async (client) => {
    await seedAccounts(client, 2 * ACCOUNTS);
    await client.query('update users set password_hash = $1', [hash]);
  });
  const moorage = await startServer('api-moorage', [database.urlOf('api')]);
  const pairs = await alternate(rounds, {
    ours: () =>
      load(moorage, {
        requests: LOGINS,
        request: (index) => loginRequest(emailOf((index % ACCOUNTS) + 1)),
      }),
    reference: () => verifications(hash),
  });
  await moorage.close();
  for (const { ours, reference } of pairs)
    console.log(`${ours.toFixed(0)} logins/s, ${reference.toFixed(0)} verifications/s`);
  return report('login', [
    figure(
      'vs_argon2',
      pairs.map(({ ours, reference }) => ours / reference),
      { floor: 0.9, aim: 0.95 },
    ),
  ]);
});

/** Returns the number of verifications per second. */
async function verifications(hash: string): Promise<number> {
  let left = LOGINS;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) if (!(await verify(hash, PASSWORD))) throw new Error('the hash does not match');
    }),
  );
  return LOGINS / ((performance.now() - began) / 1_000);
}
