import {
  ADMIN_NAME_KINDS,
  configurableEnv,
  ENV_NAMES,
  LANGUAGES,
  RELEASE_KINDS,
  releaseProblems,
} from '@moorage/domain';
import { z } from 'zod';

/**
 * Part of `infra/packages/<slug>/manifest.yaml` that users and the api read. Fields used only on servers are added
 * where they are read.
 */

/** A user-visible text in every language of the product. */
export const texts = z.record(z.enum(LANGUAGES), z.string().min(1)).meta({ id: 'Texts' });

/** Name of a value that a package may request from its customer. */
const requestedName = z.enum(ENV_NAMES);
const envEntry = z.union([requestedName, z.strictObject({ name: requestedName, hint: texts })]);

/** Name of a value in a package's environment. */
export const envName = z.string().regex(/^[A-Z][A-Z0-9_]{1,59}$/);

/** Key of a package and name of its folder. */
export const packageName = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);

/** SVG path data, with commands and numbers. */
const pathData = z.string().regex(/^[Mm][MmLlHhVvCcSsQqTtAaZz0-9 ,.-]{1,399}$/);

/**
 * Icon of the package in a single colour. It consists of paths on a square of 24 by 24, each a line with round ends or
 * a filled shape.
 */
export const mark = z
  .array(
    z.union([
      z.strictObject({ d: pathData, stroke: z.number().min(0.5).max(6) }),
      z.strictObject({ d: pathData, fill: z.literal(true) }),
    ]),
  )
  .min(1)
  .max(8)
  .meta({ id: 'Mark' });
export type Mark = z.infer<typeof mark>;

/** A host template. `{ADMIN_SUBDOMAIN}` is replaced by its value, and the domain is appended. */
const dnsRow = z.strictObject({
  host: z.string().regex(/^(\*|[a-z0-9-]+|\{[A-Z][A-Z0-9_]*\})$/),
  required: z.boolean(),
  /** A certificate is expected for this host. */
  tls: z.boolean(),
  /** Applies only if this name has a value. */
  when: envName.optional(),
  probe: z
    .strictObject({
      path: z.string().startsWith('/'),
      expect: z.array(z.int().min(100).max(599)).min(1),
      body: z.string().optional(),
    })
    .optional(),
});

const needs = z.strictObject({
  cpu: z.number(),
  memory_gb: z.number(),
  disk_gb: z.number(),
  arch: z.array(z.enum(['amd64', 'arm64'])),
});

/**
 * Address and credentials with which the customer signs in once it is READY, in order. The first is the package's own
 * dashboard.
 */
const signInRow = z.strictObject({
  title: texts,
  /** Host in the format of `dns`. `{ADMIN_SUBDOMAIN}` is replaced by its value, and the domain is appended. */
  host: z.string().regex(/^([a-z0-9-]+|\{[A-Z][A-Z0-9_]*\})$/),
  path: z.string().startsWith('/').default('/'),
  /** Applies only if this name has a value. */
  when: envName.optional(),
  /** Applies only if this name has no value. */
  unless: envName.optional(),
  /**
   * Username, as a reference to a value such as `{ADMIN_USERNAME}` or a fixed name such as `admin`. Omitted if no
   * sign-in is required.
   */
  user: z
    .string()
    .regex(/^(\{[A-Z][A-Z0-9_]*\}|[A-Za-z0-9_.-]+)$/)
    .optional(),
  /** Secret used as the password. */
  password: envName.optional(),
  /** Secret requested once, at the first visit. */
  token: envName.optional(),
});

/** File that Traefik watches for rules, which the platform writes with a redirect for each further domain. */
const redirectFacts = z.strictObject({
  path: z.string().regex(/^[a-z0-9_-]+(\/[a-z0-9_-]+)*\.yml$/),
  mode: z
    .string()
    .regex(/^0[0-7]{3}$/)
    .transform((text) => Number.parseInt(text, 8)),
  /** Entry points for HTTP and HTTPS. */
  web: z.string().regex(/^[a-z]+$/),
  secure: z.string().regex(/^[a-z]+$/),
  /** Certificate resolver of the router. */
  resolver: z.string().regex(/^[a-z]+$/),
  /** Script that copies the file to a router outside of the deployment's folder. */
  publish: z
    .string()
    .regex(/^([a-z0-9-]+\/)?[a-z0-9-]+\.sh$/)
    .optional(),
});
export type RedirectFacts = z.infer<typeof redirectFacts>;

/** Version of a package, as shown to customers and used in paths of the API. */
export const releaseVersion = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.-]{0,39}$/);
const RELEASES_MAX = 100;

/** A version of the package with everything that belongs together in it. */
const release = z.strictObject({
  version: releaseVersion,
  kind: z.enum(RELEASE_KINDS),
  released_on: z.iso.date(),
  /** Changes that its users notice, each a sentence. */
  changes: z.array(texts).min(1).max(8),
  /** It migrates the data at its first start. */
  migrates: z.boolean().default(false),
  /** Versions from which it can be reached. By default the one before it. */
  from: z.array(releaseVersion).min(1).optional(),
  supported_until: z.iso.date().nullable().default(null),
  /**
   * Images with their tags, and other versions, by the names that templates use. Names that are not listed keep the
   * value of the release before.
   */
  pins: z.record(
    z.string().regex(/^[A-Z][A-Z0-9_]{0,40}_(IMAGE|VERSION)$/),
    z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/:@-]{0,199}$/),
  ),
});
export type ReleaseFacts = z.infer<typeof release>;

export const packageFacts = z.object({
  name: packageName,
  display_name: z.string().min(1),
  /** Backups of a newer version are not restored with an older version. */
  catalogue_version: z.int().min(1),
  package_description: texts,
  /** Versions of the package, the oldest first. A version that a deployment runs must stay in the list. */
  releases: z.array(release).min(1).max(RELEASES_MAX),
  mark,
  /** Excluded from catalogue responses, ordered by name, and rejected in production. */
  hidden: z.boolean().default(false),
  /** Package that provides the templates missing in this folder. The package's own name means none. */
  base: packageName,
  /** Format of its administrator's name. Only set if it requests ADMIN_USERNAME. */
  admin_name: z.enum(ADMIN_NAME_KINDS).optional(),
  /** Null if the package has no domain. */
  default_admin_subdomain: z.string().nullable(),
  /** Minimum resources. Smaller sizes are rejected. */
  requires: needs,
  /** Recommended resources, from which the wizard recommends a size. */
  recommended: needs.optional(),
  /** Open ports. With `when`, a port applies only if this name has a value. */
  firewall: z.array(
    z.strictObject({ port: z.int().min(1).max(65_535), proto: z.enum(['tcp', 'udp']), when: envName.optional() }),
  ),
  /** Defaults for empty values. A default may refer to another value, such as `{EMAIL}`. */
  defaults: z.record(envName, z.string().max(200)).default({}),
  /** Values that can be changed while it runs. The others only take effect at its first start. */
  changeable: z.array(requestedName).default([]),
  dns: z.array(dnsRow).default([]),
  sign_in: z.array(signInRow).default([]),
  /** How its router gets redirects. Without it, the package supports no further domains. */
  redirects: redirectFacts.optional(),
  /** Value that the console sends as `postgres_host` (decision 25). */
  postgres_host: z.string().nullable().default(null),
  /** Description of its backups for users. */
  backup_contents: z
    .strictObject({ included: z.array(texts).max(8), not_included: z.array(texts).max(8) })
    .default({ included: [], not_included: [] }),
  details: z.array(
    z.strictObject({
      name: z.string().min(1),
      description: texts,
      required_env: z.array(envEntry),
      optional_env: z.array(envEntry),
    }),
  ),
});
export type PackageFacts = z.infer<typeof packageFacts>;

/**
 * Returns why these facts do not match their folder, each other or the other packages. The list is empty if they do.
 *
 * @param context `baseOf` returns the base of a package, or undefined for an unknown name
 */
export function factsProblems(
  facts: PackageFacts,
  { folder, baseOf }: { folder: string; baseOf: (name: string) => string | undefined },
): string[] {
  const { name, base, admin_name, changeable } = facts;
  const problems = [...releaseProblems(facts.releases), ...pinProblems(facts.releases)];
  if (name !== folder) problems.push(`name ${name} differs from the folder name`);
  if (base !== name) problems.push(...baseProblems(name, base, baseOf));
  const requiresName = configurableEnv(facts).some((requested) => requested.name === 'ADMIN_USERNAME');
  if (requiresName && admin_name === undefined) problems.push('ADMIN_USERNAME is requested without an admin_name');
  if (!requiresName && admin_name !== undefined) problems.push('admin_name is set but ADMIN_USERNAME is not requested');
  const requested = configurableEnv(facts).map((entry) => entry.name);
  for (const each of changeable.filter((value) => !requested.includes(value)))
    problems.push(`${each} is changeable but not requested`);
  return problems;
}

/** Returns the images and versions of a release by name, including those that it keeps from the releases before it. */
export function pinsOf(releases: readonly ReleaseFacts[], version: string): Readonly<Record<string, string>> {
  const position = releases.findIndex((each) => each.version === version);
  return Object.assign({}, ...releases.slice(0, position + 1).map(({ pins }) => pins)) as Record<string, string>;
}

/** A name that the first release lacks would be missing in a deployment that runs it. */
const pinProblems = ([first, ...later]: readonly ReleaseFacts[]): string[] =>
  later.flatMap(({ version, pins }) =>
    Object.keys(pins)
      .filter((name) => first?.pins[name] === undefined)
      .map((name) => `release ${version} sets ${name}, which the first release does not`),
  );

/** Follows the bases to a package without a base. */
function baseProblems(name: string, base: string, baseOf: (name: string) => string | undefined): string[] {
  const met = new Set([name]);
  for (let next = base; ;) {
    if (met.has(next)) return ['the bases form a cycle'];
    met.add(next);
    const following = baseOf(next);
    if (following === undefined) return [`base ${next} does not exist`];
    if (following === next) return [];
    next = following;
  }
}
