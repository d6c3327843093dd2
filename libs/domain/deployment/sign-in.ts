import type { Texts } from '../language';
import { ipLink } from './access-link';
import { type AskedValues, type Conditional, hostName, isAskedFor, withDefaults } from './wanted-hosts';

/** A row of a manifest's `sign_in`: where and with what its customer signs in. */
export interface SignInRow extends Conditional {
  readonly title: Texts;
  /** As in `dns`: `{ADMIN_SUBDOMAIN}` becomes the value, the domain is put behind it. */
  readonly host: string;
  readonly path: string;
  /** The value of a name, `{ADMIN_USERNAME}`, or a word, `admin`. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
}

export interface SignIn {
  readonly row: SignInRow;
  readonly address: string;
  /** null: nobody has to sign in. */
  readonly user: string | null;
  /** Env names of the secrets, never their values. */
  readonly password: string | null;
  readonly token: string | null;
}

/** In the manifest's order; without a domain each address is that of the server, and none is known before there is one. */
export function signIns(
  facts: { readonly defaults: AskedValues; readonly sign_in: readonly SignInRow[] },
  values: AskedValues,
  { ip }: { readonly ip: string | null },
): SignIn[] {
  const all = withDefaults(facts, values);
  const has = (name: string): boolean => (all.get(name) ?? '') !== '';
  const valueOf = (text: string): string => {
    const name = namedBy(text);
    return name === null ? text : (all.get(name) ?? '');
  };
  const domain = valueOf('{DOMAIN}');
  const originOf = (host: string): string | null =>
    domain === '' ? ipLink(ip) : `https://${hostName(valueOf(host), domain)}`;
  return facts.sign_in.flatMap((row) => {
    if (!isAskedFor(row, has)) return [];
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

/** The user name is the same for every customer of the package, and so nobody's. */
export const isFixedUser = ({ user }: SignInRow): boolean => user !== undefined && namedBy(user) === null;

const namedBy = (text: string): string | null => /^\{([A-Z][A-Z0-9_]*)\}$/.exec(text)?.[1] ?? null;
