import { envName, packageFacts } from '@moorage/contracts';
import { z } from 'zod';

/**
 * The whole of `infra/packages/<slug>/manifest.yaml`: what people and the api read (packageFacts) and what a server needs.
 * Unknown keys are refused, so that a misspelt one stops the start.
 */
const slug = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/);
/** Words that reach a script: nothing a shell would look at twice. */
const plainWord = z.string().regex(/^[A-Za-z0-9._:/=@-]{1,200}$/);
const filePath = z
  .string()
  .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*\/?$/)
  .refine((path) => !path.split('/').includes('..'), 'stays in the folder');
const mode = z
  .string()
  .regex(/^0[0-7]{3}$/)
  .transform((text) => Number.parseInt(text, 8));
const part = z.enum(['stack', 'all']);
/** `when`: only with a value for this name; `unless`: only without one. */
const condition = { when: envName.optional(), unless: envName.optional() };

/** Every kind of proof of life that a manifest may ask for; infra/host/stack.sh knows them. */
const healthRow = z.union([
  /** A command in a container exits 0. */
  z.strictObject({ name: slug, part, container: slug, exec: z.array(plainWord).min(1), ...condition }),
  /** A file of the project is there and not empty. */
  z.strictObject({ name: slug, part, file: filePath, ...condition }),
  /** A container's log lacks these words. */
  z.strictObject({
    name: slug,
    part,
    container: slug,
    log_lacks: z.string().regex(/^[A-Za-z0-9 .:_-]{3,80}$/),
    ...condition,
  }),
]);

/**
 * Made by the platform where the wizard left it empty: `hex`, `token` (a-z0-9) or `password`, of so many characters;
 * `base64_key`: so many bytes as `base64:...`, as Laravel takes its APP_KEY.
 */
const secretRow = z.strictObject({
  name: envName,
  kind: z.enum(['hex', 'token', 'password', 'base64_key']),
  length: z.int().min(16).max(128),
  ...condition,
});

export type SecretKind = z.infer<typeof secretRow>['kind'];

/** A script, found as a template is, run on the server as it is. */
const step = z.strictObject({ name: slug, script: z.string().regex(/^([a-z0-9-]+\/)?[a-z0-9-]+\.sh$/) });
const firstStep = step.extend({
  /** A failure is noted in the log and fails no deployment. */
  optional: z.boolean().default(false),
});

/** A folder of the package's own outside of ours: two names deep, so that a removal can never reach what is everybody's. */
const hostFolder = z.string().regex(/^\/data\/[a-z0-9-]+\/$/);
const owner = z.int().min(0).max(65_533).default(0);

/** What a package takes of a server beside our folder and its containers: noted there before it is taken, and gone with a removal. */
const hostNeeds = z.strictObject({
  folders: z.array(z.strictObject({ path: hostFolder, mode, owner })).default([]),
  /** What else of the host is put into a container. */
  mounts: z.array(z.strictObject({ service: slug, path: z.enum(['/var/run/docker.sock', '/proc']) })).default([]),
  /** The stack logs in to its own server as root: where the private key lies, in one of `folders`, and whose it is. */
  login: z
    .strictObject({ key: z.string().regex(/^\/data\/[a-z0-9-]+(\/[A-Za-z0-9@_-][A-Za-z0-9.@_-]*)+$/), owner })
    .optional(),
  /** Containers that the stack itself starts: by their names, and by a label. */
  starts: z
    .strictObject({
      containers: z.array(slug).default([]),
      label: z
        .string()
        .regex(/^[a-z0-9.-]+=[a-z0-9.-]+$/)
        .optional(),
    })
    .optional(),
});
export type HostNeeds = z.infer<typeof hostNeeds>;

/** A path in our folder, or below a folder that the package has outside of it. */
const copiedPath = z.union([
  filePath,
  z.string().regex(/^\/data\/[a-z0-9-]+(\/[A-Za-z0-9.@_-]*[A-Za-z0-9@_-]){1,8}\/?$/),
]);

const volumeName = z.string().regex(/^[a-z0-9_-]{1,60}$/);

/** The contents of a copy, and how they are made consistent first. Files that the platform renders are never part of a copy. */
const backupNeeds = z.strictObject({
  dumps: z
    .array(
      z.union([
        /** An online copy of an SQLite file. `optional`: it may not be there. */
        z.strictObject({ name: slug, sqlite: filePath, optional: z.boolean().default(false) }),
        /** `pg_dump` in a running container. */
        z.strictObject({ name: slug, postgres: slug, user: slug, database: slug }),
      ]),
    )
    .default([]),
  /** Named volumes of the project; `stop`: the service that is stopped while its volume is copied. */
  volumes: z.array(z.strictObject({ name: volumeName, stop: slug.optional() })).default([]),
  /** None lies within another: each is moved as a whole when a copy is put in place. */
  paths: z.array(copiedPath).default([]),
  /** A folder (`path/`) is empty in a copy; a file stays as it is on the server when a copy is put in place. */
  exclude: z.array(copiedPath).default([]),
  /** Volumes that are in no copy: what is in them is made again. */
  volumes_left_out: z.array(volumeName).default([]),
  /** Services that go on running while restored data is put in place, because its databases are restored through them. */
  keep_running: z.array(slug).default([]),
});
export type BackupNeeds = z.infer<typeof backupNeeds>;

/** Rows of one path are parts of one file: maps merge, lists append, else the later row's value stands. */
const fileRow = z.strictObject({
  /** A file beside the manifest or that of one of its bases; `package/file`: beside that of another package. */
  template: z.string().regex(/^([a-z0-9-]+\/)?[a-z0-9_.-]+$/),
  path: filePath,
  mode,
  /** `env`: a map of names and texts, written as an env file. */
  format: z.enum(['compose', 'yaml', 'text', 'json', 'env']),
  ...condition,
});

export const manifest = packageFacts
  .extend({
    /** Oldest Docker Engine. */
    docker: z.string().regex(/^\d{1,2}\.\d{1,2}$/),
    wireguard: z.boolean().default(false),
    /** Where its parts come from, beside the registries of its images. */
    hosts: z.array(z.string().regex(/^[a-z0-9.-]+$/)).default([]),
    secrets: z.array(secretRow).default([]),
    /** Container names that are fixed and so must be free. */
    containers: z.array(slug).min(1),
    /** Services that are not started until DNS is right. */
    acme_gate: z.array(slug).default([]),
    /** The container whose log holds the authority's words. */
    router: slug.optional(),
    health: z.array(healthRow).default([]),
    /** Before every start: what has to lie outside of our folder. */
    prepare: z.array(step).default([]),
    /** Once after the first start. */
    first_steps: z.array(firstStep).default([]),
    /** When DNS is right, and after every restart; told `yes` when the router has to be made anew, else `no`. */
    router_steps: z.array(step).default([]),
    host: hostNeeds.default({ folders: [], mounts: [] }),
    backup: backupNeeds.default({
      dumps: [],
      volumes: [],
      paths: [],
      exclude: [],
      volumes_left_out: [],
      keep_running: [],
    }),
    /** Names that go into `.env`, for Compose to put in. */
    env: z.array(envName).default([]),
    folders: z.array(z.strictObject({ path: filePath, mode })).default([]),
    files: z.array(fileRow).min(1),
  })
  .strict();

export type Manifest = z.infer<typeof manifest>;
export type FileRow = z.infer<typeof fileRow>;
