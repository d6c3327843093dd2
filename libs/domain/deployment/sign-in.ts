import type { Texts } from '../language';
import { ipLink } from './access-link';
import { type EnvInputs, type Conditional, hostName, isRequested, referenceIn, withDefaults } from './wanted-hosts';

/** An entry of a manifest's `sign_in`, with the address and credentials for signing in. */
export interface SignInRow extends Conditional {
  readonly title: Texts;
  /** Host in the format of `dns`. `{ADMIN_SUBDOMAIN}` is replaced by its value, and the domain is appended. */
  readonly host: string;
  readonly path: string;
  /** Reference to a value, such as `{ADMIN_USERNAME}`, or a fixed name, such as `admin`. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
}

export interface SignIn {
  readonly row: SignInRow;
  readonly address: string;
  /** Null if no sign-in is required. */
  readonly user: string | null;
  /** Env names of the secrets, never their values. */
  readonly password: string | null;
  readonly token: string | null;
}

/**
 * Returns the sign-ins in the manifest's order. Without a domain each address is that of the server, and the list is
 * empty until the server has one.
 */
export function signIns(
  facts: { readonly defaults: EnvInputs; readonly sign_in: readonly SignInRow[] },
  values: EnvInputs,
  { ip }: { readonly ip: string | null },
): SignIn[] {
  const all = withDefaults(facts, values);
  const has = (name: string): boolean => (all.get(name) ?? '') !== '';
  const valueOf = (text: string): string => {
    const name = referenceIn(text);
    return name === null ? text : (all.get(name) ?? '');
  };
  const domain = valueOf('{DOMAIN}');
  const originOf = (host: string): string | null =>
    domain === '' ? ipLink(ip) : `https://${hostName(valueOf(host), domain)}`;
  return facts.sign_in.flatMap((row) => {
    if (!isRequested(row, has)) return [];
    const origin = originOf(row.host);
    if (origin === null) return [];
    const user = row.user === undefined ? '' : valueOf(row.user);
    return {
      row,
      address: `${origin}${row.path}`,
      user: user === '' ? null : user,
      password: row.password ?? null,
      token: row.token ?? null,
    };
  });
}

/** Returns whether the username is the same for every customer of the package, so that it is not personal. */
export const isFixedUser = ({ user }: SignInRow): boolean => user !== undefined && referenceIn(user) === null;
