import { ADMIN_NAME_KINDS, askedEnv, ENV_NAMES, LANGUAGES } from '@moorage/domain';
import { z } from 'zod';

/** The part of `infra/packages/<slug>/manifest.yaml` that people and the api read; what only a server needs is added where it is read. */

/** A text for people, in every language of the product. */
export const texts = z.record(z.enum(LANGUAGES), z.string().min(1)).meta({ id: 'Texts' });

/** Name of a value that a package may ask its customer for. */
const askedName = z.enum(ENV_NAMES);
const envEntry = z.union([askedName, z.strictObject({ name: askedName, hint: texts })]);

/** Name of a value of a package's environment. */
export const envName = z.string().regex(/^[A-Z][A-Z0-9_]{1,59}$/);

/** Key of a package and name of its folder. */
const packageName = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);

/** SVG path data: commands and numbers. */
const pathData = z.string().regex(/^[Mm][MmLlHhVvCcSsQqTtAaZz0-9 ,.-]{1,399}$/);

/** The package's picture in one colour: paths on a square of 24 by 24, each a line with round ends or a filled shape. */
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

/** A host template: `{ADMIN_SUBDOMAIN}` becomes the value; the domain is put behind it. */
const dnsRow = z.strictObject({
  host: z.string().regex(/^(\*|[a-z0-9-]+|\{[A-Z][A-Z0-9_]*\})$/),
  required: z.boolean(),
  /** A certificate is expected for it. */
  tls: z.boolean(),
  /** Only with a value for this name. */
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

/** Where and with what the customer signs in once it is READY, in order; the first is the package's own dashboard. */
const signInRow = z.strictObject({
  title: texts,
  /** As in `dns`: `{ADMIN_SUBDOMAIN}` becomes the value, the domain is put behind it. */
  host: z.string().regex(/^([a-z0-9-]+|\{[A-Z][A-Z0-9_]*\})$/),
  path: z.string().startsWith('/').default('/'),
  /** Only with a value for this name. */
  when: envName.optional(),
  /** Only without one. */
  unless: envName.optional(),
  /** Who signs in: the value of a name, `{ADMIN_USERNAME}`, or a word, `admin`; absent: nobody has to sign in. */
  user: z
    .string()
    .regex(/^(\{[A-Z][A-Z0-9_]*\}|[A-Za-z0-9_.-]+)$/)
    .optional(),
  /** The secret that is typed in as the password. */
  password: envName.optional(),
  /** The secret that is asked for once, at the very first visit. */
  token: envName.optional(),
});

export const packageFacts = z.object({
  name: packageName,
  display_name: z.string().min(1),
  /** Copies of a newer version are not restored with an older one. */
  catalogue_version: z.int().min(1),
  package_description: texts,
  mark,
  /** In no catalogue answer, ordered by name, refused in production. */
  hidden: z.boolean().default(false),
  /** The package whose templates stand in for those that this folder does not have; its own name: there is none. */
  base: packageName,
  /** What its administrator is called; only where it asks for ADMIN_USERNAME. */
  admin_name: z.enum(ADMIN_NAME_KINDS).optional(),
  /** null: the package has no domain. */
  default_admin_subdomain: z.string().nullable(),
  /** It does not start on less; a smaller size is refused. */
  requires: needs,
  /** What it runs well on: which size the wizard recommends. */
  recommended: needs.optional(),
  /** What it answers on; `when`: only with a value for this name. */
  firewall: z.array(
    z.strictObject({ port: z.int().min(1).max(65_535), proto: z.enum(['tcp', 'udp']), when: envName.optional() }),
  ),
  /** Values for what was left empty; may name another value, `{EMAIL}`. */
  defaults: z.record(envName, z.string().max(200)).default({}),
  dns: z.array(dnsRow).default([]),
  sign_in: z.array(signInRow).default([]),
  /** What the console sends along as `postgres_host` (decisions 25). */
  postgres_host: z.string().nullable().default(null),
  /** The description of its backups for people. */
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
 * The sentences why these facts do not fit their folder, each other or the other packages; empty when they do. `baseOf`: the
 * base of a package, undefined when there is none of that name.
 */
export function factsProblems(
  facts: PackageFacts,
  { folder, baseOf }: { folder: string; baseOf: (name: string) => string | undefined },
): string[] {
  const { name, base, admin_name } = facts;
  const problems: string[] = [];
  if (name !== folder) problems.push(`is named ${name}`);
  if (base !== name) problems.push(...baseProblems(name, base, baseOf));
  const asksForName = askedEnv(facts).some((asked) => asked.name === 'ADMIN_USERNAME');
  if (asksForName && admin_name === undefined) problems.push('asks for ADMIN_USERNAME without an admin_name');
  if (!asksForName && admin_name !== undefined) problems.push('has an admin_name and does not ask for ADMIN_USERNAME');
  return problems;
}

/** Follows the bases to one that stands alone. */
function baseProblems(name: string, base: string, baseOf: (name: string) => string | undefined): string[] {
  const met = new Set([name]);
  for (let next = base; ;) {
    if (met.has(next)) return ['its bases lead back to itself'];
    met.add(next);
    const following = baseOf(next);
    if (following === undefined) return [`its base ${next} is not there`];
    if (following === next) return [];
    next = following;
  }
}
