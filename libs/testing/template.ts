import { migrate } from '@moorage/database';
import { setTestLogins } from './test-logins';

/** Makes the database at this owner's URL the template of `testDatabase`. */
export async function useAsTemplate(url: string): Promise<void> {
  await migrate(url);
  await setTestLogins(url);
  process.env.TEST_DATABASE_URL = url;
}
