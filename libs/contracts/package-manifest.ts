import { ENV_NAMES } from '@moorage/domain';
import { z } from 'zod';

/** The part of `infra/packages/<slug>/manifest.yaml` that people and the api read; what only a server needs is added where it is read. */
const envEntry = z.union([z.enum(ENV_NAMES), z.strictObject({ name: z.enum(ENV_NAMES), hint: z.string().min(1) })]);

/** Name of a value of a package's environment. */
export const envName = z.string().regex(/^[A-Z][A-Z0-9_]{1,59}$/);

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

export const packageFacts = z.object({
  /** Key of the package and name of its folder. */
  name: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/),
  display_name: z.string().min(1),
  package_description: z.string().min(1),
  /** In no catalogue answer, ordered by name, refused in production. */
  hidden: z.boolean().default(false),
  /** What it is built on. */
  base: z.string().regex(/^[a-z0-9-]{1,40}$/),
  /** null: the package has no domain. */
  default_admin_subdomain: z.string().nullable(),
  requires: z.strictObject({
    cpu: z.number(),
    memory_gb: z.number(),
    disk_gb: z.number(),
    arch: z.array(z.enum(['amd64', 'arm64'])),
  }),
  firewall: z.array(z.strictObject({ port: z.int().min(1).max(65_535), proto: z.enum(['tcp', 'udp']) })),
  /** Values for what was left empty; may name another value, `{EMAIL}`. */
  defaults: z.record(envName, z.string().max(200)).default({}),
  dns: z.array(dnsRow).default([]),
  /** What the console sends along as `postgres_host` (decisions 25). */
  postgres_host: z.string().nullable().default(null),
  details: z.array(
    z.strictObject({
      name: z.string().min(1),
      description: z.string(),
      required_env: z.array(envEntry),
      optional_env: z.array(envEntry),
    }),
  ),
});
export type PackageFacts = z.infer<typeof packageFacts>;
