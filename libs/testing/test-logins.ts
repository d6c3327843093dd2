import pg from 'pg';
import { roleOf, type Service, SERVICES } from '../database/grants';

/** Passwords of the services on the tests' own server, which only this machine can reach. */
export const TEST_PASSWORDS: Readonly<Record<Service, string>> = {
  api: 'test-api',
  provisioner: 'test-provisioner',
  billing: 'test-billing',
};

/**
 * Sets the logins like `setLogins`. It is separate because Jest loads its global set-up without the workspace's
 * aliases.
 */
export async function setTestLogins(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const service of SERVICES)
      await client.query(`alter role ${roleOf(service)} login password '${TEST_PASSWORDS[service]}'`);
  } finally {
    await client.end();
  }
}
