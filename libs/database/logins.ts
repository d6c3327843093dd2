import { hasStoredKey, loadOrCreateKey, PostgresDb, type Random, scramVerifier, sqlState } from '@moorage/server';
import { roleOf, SERVICES, type Service } from './grants';

/** Passwords of the services. Only migrations log in as the owner. */
export type ServicePasswords = Readonly<Record<Service, string>>;

/** Source of the passwords, which are configured or stored in the data folder. */
export interface LoginSettings {
  readonly DATABASE_SERVICE_PASSWORDS?: ServicePasswords | undefined;
  readonly DATA_DIR: string;
}

const fileOf = (service: Service): string => `database-${service}.key`;

/**
 * Returns the login URL of a service at the server and database of `url`. A URL that already belongs to the service is
 * returned unchanged.
 */
export function loginUrl(url: string, service: Service, password: string): string {
  const login = new URL(url);
  if (login.username === roleOf(service)) return url;
  login.username = roleOf(service);
  login.password = encodeURIComponent(password);
  return login.href;
}

/**
 * Returns DATABASE_SERVICE_PASSWORDS, otherwise the passwords in DATA_DIR. They are stored in a file per service and
 * created at the first call.
 */
export async function servicePasswords(settings: LoginSettings, random: Random): Promise<ServicePasswords> {
  const given = settings.DATABASE_SERVICE_PASSWORDS;
  if (given !== undefined) return given;
  const stored = SERVICES.map(async (service) => {
    const password = await loadOrCreateKey({ folder: settings.DATA_DIR, name: fileOf(service), bytes: 32, random });
    return [service, password] as const;
  });
  return Object.fromEntries(await Promise.all(stored)) as Record<Service, string>;
}

/** Returns whether this installation already has passwords, so that none would be created. */
async function knowsServicePasswords(settings: LoginSettings): Promise<boolean> {
  if (settings.DATABASE_SERVICE_PASSWORDS !== undefined) return true;
  const stored = SERVICES.map((service) => hasStoredKey({ folder: settings.DATA_DIR, name: fileOf(service) }));
  return (await Promise.all(stored)).every(Boolean);
}

/**
 * Returns the login URL of a service for code that has the owner's URL, which is an operator's command or the
 * all-in-one.
 *
 * @throws Error if the passwords were created by another installation
 */
export async function serviceUrl(
  { settings, url, random }: { settings: LoginSettings; url: string; random: Random },
  service: Service,
): Promise<string> {
  if (new URL(url).username === roleOf(service)) return url;
  if (!(await knowsServicePasswords(settings))) {
    throw new Error(
      `the password of ${roleOf(service)} is not stored in this DATA_DIR: set DATABASE_SERVICE_PASSWORDS, or run the command where db:init ran`,
    );
  }
  return loginUrl(url, service, (await servicePasswords(settings, random))[service]);
}

/**
 * Creates the logins, or sets them to the passwords of this installation. Passwords created elsewhere are left
 * unchanged.
 */
export async function ensureLogins({
  settings,
  url,
  random,
}: {
  settings: LoginSettings;
  url: string;
  random: Random;
}): Promise<void> {
  if (!(await knowsServicePasswords(settings)) && (await hasLogins(url))) return;
  await setLogins(url, await servicePasswords(settings, random), random);
}

/** Returns whether every service already has a login, from this or another installation. Runs as the owner. */
async function hasLogins(url: string): Promise<boolean> {
  return asOwner(url, async (query) => {
    const roles = await query<{ rolname: string }>(
      'select rolname from pg_roles where rolcanlogin and rolname = any($1)',
      [SERVICES.map(roleOf)],
    );
    return roles.length === SERVICES.length;
  });
}

/**
 * Lets each service log in with its password and removes all other rights (membership in other roles, creating roles or
 * databases). Runs as the owner, after the grants, which create the roles.
 */
export async function setLogins(url: string, passwords: ServicePasswords, random: Random): Promise<void> {
  await asOwner(url, async (query) => {
    // Serialised, because roles belong to the whole server and two processes may start at once.
    await query('select pg_advisory_xact_lock(760513)');
    for (const service of SERVICES) {
      const verifier = scramVerifier(passwords[service], random);
      await query(
        `alter role ${roleOf(service)} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${verifier}'`,
      ).catch((error: unknown) => {
        if (sqlState(error) !== '42501') throw error;
        throw new Error(`the database owner may not set the password of ${roleOf(service)}: it needs CREATEROLE`, {
          cause: error,
        });
      });
    }
  });
}

type Query = <R extends object>(sql: string, params?: readonly (readonly string[])[]) => Promise<R[]>;

async function asOwner<T>(url: string, run: (query: Query) => Promise<T>): Promise<T> {
  const db = await PostgresDb.open({ url, connections_max: 1 });
  try {
    return await db.tx('logins', (tx) => run((sql, params) => tx.query(sql, params)));
  } finally {
    await db.close();
  }
}
