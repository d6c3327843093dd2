import { isSchemaReady, roleOf, type Service } from '@moorage/database';
import { type Clock, type Db, isDatabaseAway, type Log, sqlState, StartRefused } from '@moorage/server';

/**
 * Condition that prevents a service from starting, but may resolve automatically because a stack starts its parts in
 * any order.
 */
type Lack = 'server' | 'login' | 'schema';

const WAIT_MS = 60_000;
const CHECK_INTERVAL_MS = 500;
/**
 * SQLSTATEs invalid_password (also for a missing role), invalid_authorization_specification (a role that may not log
 * in) and invalid_catalog_name.
 */
const LOGIN_REFUSED = new Set(['28P01', '28000', '3D000']);

const WAITING: Readonly<Record<Lack, string>> = {
  server: 'waiting for the database server',
  login: 'waiting for a database login',
  schema: 'waiting for the database schema',
};

/**
 * Opens the service's connection once the server responds, `db:init` has created the login and the schema has the
 * required version. A service never migrates automatically (its role could not).
 *
 * @throws StartRefused after waiting for a minute in total.
 */
export async function openWhenReady({
  service,
  open,
  clock,
  log,
  onWait = () => undefined,
}: {
  service: Service;
  open: () => Promise<Db>;
  clock: Clock;
  log: Log;
  /** Called with the condition that it waits for. */
  onWait?: (reason: string) => void;
}): Promise<Db> {
  const deadline = clock.localNow() + WAIT_MS;
  let db: Db | undefined;

  async function check(): Promise<Lack | null> {
    try {
      db ??= await open();
      await refuseForeignLogin(db, service);
    } catch (error) {
      if (LOGIN_REFUSED.has(sqlState(error) ?? '')) return 'login';
      if (isDatabaseAway(error)) return 'server';
      throw error;
    }
    return (await db.read('schema.read', isSchemaReady).catch(() => false)) ? null : 'schema';
  }

  try {
    for (let reported: Lack | null = null; ;) {
      const lack = await check();
      if (lack === null && db !== undefined) return db;
      if (lack !== null && clock.localNow() > deadline) throw new StartRefused(sentenceOf(lack, service));
      if (lack !== null && lack !== reported) {
        log.info(WAITING[lack]);
        onWait(WAITING[lack]);
      }
      reported = lack;
      await clock.sleep(CHECK_INTERVAL_MS);
    }
  } catch (error) {
    await db?.close();
    throw error;
  }
}

function sentenceOf(lack: Lack, service: Service): string {
  const login = `\`npm run ops -- db:login ${service}\` prints the right one`;
  return {
    server: 'The database server of DATABASE_URL did not answer within a minute: start it, or correct the address.',
    login: `The database refused the login of DATABASE_URL for a minute: run \`npm run db:init\`, which creates it; ${login}.`,
    schema: 'The database had no schema of this version for a minute: run `npm run db:init`.',
  }[lack];
}

/** Refuses any login but the service's own, because the owner's login could remove every safeguard. */
async function refuseForeignLogin(db: Db, service: Service): Promise<void> {
  const [login] = await db.read('login.read', (tx) => tx.query<{ name: string }>('select session_user::text as name'));
  if (login?.name === roleOf(service)) return;
  throw new StartRefused(
    `DATABASE_URL: the ${service} logs in as ${roleOf(service)}, not as ${login?.name ?? 'nobody'}; \`npm run ops -- db:login ${service}\` prints its login`,
  );
}
