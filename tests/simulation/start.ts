import { SUBSCRIPTIONS } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, type Instant, instant, Money } from '@moorage/domain';
import { type StackPackages, readPackages } from '@moorage/provisioner';
import { createReusableDatabase, type ReusableDatabase, type TestDatabase } from '@moorage/testing';
import { createWorld } from './world/world';
import { install } from './installation';
import { readState, prepareInspection, statusesOf } from './read-state';
import { createOutside, type OutsideState } from './external-systems';
import { ADMIN_PASSWORD, PASSWORD, type Settler } from './actors';
import { API_SETTINGS, type Wiring } from './processes';

/**
 * Initial state of every history, which is an installation with an administrator and a few users, created once and
 * copied for each seed.
 */
export interface Beginning {
  readonly stage: ReusableDatabase;
  readonly at: Instant;
  readonly settlers: readonly Settler[];
  readonly outside: OutsideState;
  readonly packs: StackPackages;
}

const HETZNER = { server_type: 'new', cloud_provider: 'hetzner', region: 'fsn1', instance_type: 'cpx22' };
const PANGOLIN = {
  package: 'pangolin',
  domain: 'ada.people.localhost',
  admin_email: 'ada@people.localhost',
  admin_password: ADMIN_PASSWORD,
};
const START = instant('2026-11-30T20:00:00Z');

/**
 * Initial users. The first has paid, has free credits and runs two deployments. The second has paid, was invited and
 * still has to verify. The third uses only free credits, on her own machine.
 */
const PEOPLE = [
  { name: 'ada', pays: 2_000, credit: true, verifies: true, invitedBy: null },
  { name: 'ben', pays: 1_000, credit: false, verifies: false, invitedBy: 'ada' },
  { name: 'cleo', pays: 0, credit: true, verifies: true, invitedBy: 'ben' },
] as const;

export async function begin(): Promise<Beginning> {
  const stage = await createReusableDatabase();
  const { database } = stage;
  await prepareInspection(database);
  const world = createWorld({
    seed: 0,
    stage,
    subscriptions: SUBSCRIPTIONS,
    start: START,
    readState: (now) => readState(database, now),
    faults: { lost: 0, doubled: 0, refused: 0, crash: 0, crash_inside: 0, leap: 0 },
  });
  const { scheduler, clock, random } = world;
  await database.sql(`insert into installation (key, created_at) values ('world', $1)`, [
    new Date(START).toISOString(),
  ]);
  const outside = createOutside({ scheduler, clock, random, database });
  outside.heal();
  const packs = await readPackages(API_SETTINGS.packagesFolder);
  const { current, db } = await install(world, { outside, packs });
  const { api, wiring } = current();
  await api.ensureFirstAdmin({ email: 'admin@people.localhost', password: undefined });

  async function call<T>(
    method: 'GET' | 'POST',
    path: string,
    payload?: object,
    { token, remoteAddress }: { token?: string; remoteAddress?: string } = {},
  ): Promise<T> {
    const answer = await api.app.inject({
      method,
      remoteAddress,
      url: `/api${path}`,
      ...(payload === undefined ? {} : { payload }),
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
    if (answer.statusCode >= 400) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
    return answer.json<T>();
  }

  async function settle(
    { name, pays, credit, verifies, invitedBy }: (typeof PEOPLE)[number],
    index: number,
  ): Promise<Settler> {
    const email = `${name}@people.localhost`;
    const referral_code = invitedBy === null ? null : await referralCodeOf(database, invitedBy);
    const account = { username: name, email, password: PASSWORD, referral_code };
    const { id } = await call<{ id: number }>('POST', '/users', account, {
      // Users are not in the same network as the user who invited them.
      remoteAddress: `100.64.${index}.9`,
    });
    const credentials = { username: email, password: PASSWORD };
    const { access_token: token } = await call<{ access_token: string }>('POST', '/auth/login', credentials);
    const verify_token = await verifyTokenOf(database, wiring, email);
    if (verifies) await call('GET', `/auth/verify-email?token=${verify_token}`);
    if (credit) {
      for (const at of [START - 5 * DAY_MS, START]) {
        await db.tx('beginning.credit', (tx) =>
          wiring.ledger.grantCredit(tx, { userId: id, creditType: 'signup', at, amount: Money.of(2.6) }),
        );
      }
    }
    if (pays > 0) {
      const order = { amount_cents: pays };
      const { session_id } = await call<{ session_id: string }>('POST', '/stripe/create-checkout-session', order, {
        token,
      });
      await call('POST', `/stripe/test-checkout/${session_id}`, { outcome: 'pay' });
    }
    return { id, token, address: `85.10.20.${index + 1}`, verify_token: verifies ? null : verify_token };
  }

  const settlers: Settler[] = [];
  for (const [index, who] of PEOPLE.entries()) settlers.push(await settle(who, index));
  const [ada, , cleo] = settlers;
  if (ada === undefined || cleo === undefined) throw new Error('nobody settled');

  outside.setRecords('ada.people.localhost', true);
  outside.addOwnServer(cleo.address);
  const orders = scheduler.start({ process: 'api', name: 'first orders' }, async () => {
    await call(
      'POST',
      '/deployments',
      { ...HETZNER, ...PANGOLIN, client_id: 'first-1', support_level: 2 },
      { token: ada.token },
    );
    await call(
      'POST',
      '/deployments',
      { ...HETZNER, package: 'test-page', client_id: 'first-2' },
      { token: ada.token },
    );
    const own = { server_type: 'vps', vps_ip_address: cleo.address };
    await call('POST', '/servers/validate-vps', { ip_address: cleo.address }, { token: cleo.token });
    await call('POST', '/deployments', { ...own, package: 'test-page', client_id: 'first-3' }, { token: cleo.token });
  });
  await world.quiet(2 * HOUR_MS);
  await orders;
  await world.quiet(2 * HOUR_MS);
  await world.check('quiet');
  const statuses = await statusesOf(database);
  if (statuses.ACTIVE !== 2 || statuses.READY !== 1) throw new Error(`the beginning: ${JSON.stringify(statuses)}`);
  await api.close();
  await stage.store();
  return { stage, at: clock.at, settlers, outside: outside.snapshot(), packs };
}

async function referralCodeOf(database: TestDatabase, name: string): Promise<string> {
  const [row] = await database.sql<{ referral_code: string }>('select referral_code from users where username = $1', [
    name,
  ]);
  if (row === undefined) throw new Error(`${name} has no account yet`);
  return row.referral_code;
}

async function verifyTokenOf(database: TestDatabase, { box }: Wiring, email: string): Promise<string> {
  const [mail] = await database.sql<{ cause: string; facts: { key_id: string; nonce: string; ciphertext: string } }>(
    `select cause, facts from mails where recipient = $1 and template = 'verify_email'`,
    [email],
  );
  if (mail === undefined) throw new Error(`no verification mail for ${email}`);
  const { key_id, nonce, ciphertext } = mail.facts;
  const sealed = { key_id, nonce: Buffer.from(nonce, 'base64'), ciphertext: Buffer.from(ciphertext, 'base64') };
  return (JSON.parse(box.open(sealed, `mails/${mail.cause}`)) as { token: string }).token;
}
