import { hash } from '@node-rs/argon2';
import type { HttpRequest, Server } from './servers';

export const PASSWORD = 'a password of benchmarks';

/** Email address of an account of `seedAccounts`. */
export const emailOf = (id: number): string => `user${id}@example.org`;

/** Hashes with the library's own parameters, which are those of the product. */
export const hashedPassword = (): Promise<string> => hash(PASSWORD);

export const loginRequest = (email: string): HttpRequest => ({
  path: '/api/auth/login',
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ username: email, password: PASSWORD }).toString(),
});

/** Logs in and returns the headers of the session's requests. */
export async function loggedIn(
  server: Pick<Server, 'request'>,
  email: string,
): Promise<Readonly<Record<string, string>>> {
  const { access_token } = JSON.parse(await server.request(loginRequest(email))) as { access_token: string };
  return { authorization: `Bearer ${access_token}` };
}
