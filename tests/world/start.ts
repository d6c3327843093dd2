import { SUBSCRIPTIONS } from '@moorage/contracts';
import { type Instant, instant } from '@moorage/domain';
import { createWorld, type TestDatabase, testDatabase } from '@moorage/testing';
import { PASSWORD, type Settler } from './people';
import { apiOf, wire } from './processes';

/** Where every history begins: an installation with an administrator and a few people, made once and copied for each seed. */
export interface Beginning {
  readonly url: string;
  readonly at: Instant;
  readonly settlers: readonly Settler[];
  drop(): Promise<void>;
}

const START = instant('2026-11-30T20:00:00Z');

/** One has paid and holds a free credit; one has paid, was invited and must still verify; one has only a credit. */
const PEOPLE = [
  { name: 'ada', pays: 2_000, credit: true, verifies: true, invitedBy: null },
  { name: 'ben', pays: 1_000, credit: false, verifies: false, invitedBy: 'ada' },
  { name: 'cleo', pays: 0, credit: true, verifies: true, invitedBy: 'ben' },
] as const;

export async function begin(): Promise<Beginning> {
  const database = await testDatabase();
  const look = () => Promise.resolve({ busy: false, next: null, due: [] });
  const world = createWorld({ seed: 0, database, subscriptions: SUBSCRIPTIONS, start: START, look });
  await database.sql(`insert into installation (key, created_at) values ('world', $1)`, [
    new Date(START).toISOString(),
  ]);
  const db = await world.open('api', 'beginning');
  const parts = { db, clock: world.clock, random: world.random, network: world.network, onError: () => undefined };
  const wiring = wire('api', parts);
  const api = await apiOf(parts, wiring);
  await api.ensureFirstAdmin({ email: 'admin@people.localhost', password: undefined });

  async function call<T>(method: 'GET' | 'POST', path: string, payload?: object, token?: string): Promise<T> {
    const answer = await api.app.inject({
      method,
      url: `/api${path}`,
      ...(payload === undefined ? {} : { payload }),
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
    if (answer.statusCode >= 400) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
    return answer.json<T>();
  }

  const settlers: Settler[] = [];
  for (const [index, { name, pays, credit, verifies, invitedBy }] of PEOPLE.entries()) {
    const email = `${name}@people.localhost`;
    const referral_code = invitedBy === null ? null : await referralCodeOf(database, invitedBy);
    const { id } = await call<{ id: number }>('POST', '/users', {
      username: name,
      email,
      password: PASSWORD,
      referral_code,
    });
    const { access_token: token } = await call<{ access_token: string }>('POST', '/auth/login', {
      username: email,
      password: PASSWORD,
    });
    const verify_token = await verifyTokenOf(database, wiring, email);
    if (verifies) await call('GET', `/auth/verify-email?token=${verify_token}`);
    if (credit) {
      await db.tx('beginning.credit', (tx) =>
        wiring.ledger.grantCredit(tx, { userId: id, creditType: 'signup', at: START }),
      );
    }
    if (pays > 0) {
      const order = { amount_cents: pays };
      const { session_id } = await call<{ session_id: string }>(
        'POST',
        '/stripe/create-checkout-session',
        order,
        token,
      );
      await call('POST', `/stripe/test-checkout/${session_id}`, { outcome: 'pay' });
    }
    settlers.push({ id, token, address: `85.10.20.${index + 1}`, verify_token: verifies ? null : verify_token });
  }
  await api.close();
  await world.check('always');
  await hangUp(database);
  return { url: database.url, at: START, settlers, drop: () => database.drop() };
}

async function referralCodeOf(database: TestDatabase, name: string): Promise<string> {
  const [row] = await database.sql<{ referral_code: string }>('select referral_code from users where username = $1', [
    name,
  ]);
  if (row === undefined) throw new Error(`${name} has no account yet`);
  return row.referral_code;
}

async function verifyTokenOf(database: TestDatabase, { box }: ReturnType<typeof wire>, email: string): Promise<string> {
  const [mail] = await database.sql<{ cause: string; facts: { key_id: string; nonce: string; ciphertext: string } }>(
    `select cause, facts from mails where recipient = $1 and template = 'verify_email'`,
    [email],
  );
  if (mail === undefined) throw new Error(`no verification mail for ${email}`);
  const { key_id, nonce, ciphertext } = mail.facts;
  const sealed = { key_id, nonce: Buffer.from(nonce, 'base64'), ciphertext: Buffer.from(ciphertext, 'base64') };
  return (JSON.parse(box.open(sealed, `mails/${mail.cause}`)) as { token: string }).token;
}

/** A database can be copied only while nobody is connected to it. */
async function hangUp(database: TestDatabase): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  const other = await testDatabase();
  await other.sql('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name]);
  await other.drop();
}
