import { BACKUP_MODES, CLOUD_MIXES, CLOUD_NAMES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';
import type { Prices } from './pricing';

/** Backup modes of new servers by provider, and of customers' own servers. */
const backups = z.object({
  new: z.record(z.enum(CLOUD_NAMES), z.enum(BACKUP_MODES)),
  own: z.enum(BACKUP_MODES),
});

/** Settings of this installation that screens need before login. They are public, so they must not contain secrets. */
export const consoleSettings = z
  .object({
    brand: z.object({
      name: z.string(),
      tagline: z.string(),
      support_email: z.string(),
      /** URL of the video player, loaded only on request. Null if there is no video. */
      intro_video_url: z.string().nullable(),
    }),
    /** Pages of the operator outside the console, or null for those that do not exist. */
    links: z.object({
      terms: z.string().nullable(),
      privacy: z.string().nullable(),
      imprint: z.string().nullable(),
      status: z.string().nullable(),
      docs: z.string().nullable(),
      forum: z.string().nullable(),
      changelog: z.string().nullable(),
    }),
    mode: z.enum(['demo', 'production']),
    /** `test` shows checkout as a local page, and no money moves. */
    payments: z.enum(['test', 'stripe']),
    /** `kept` stores emails for their recipients instead of sending them (`GET /mailbox`). */
    mails: z.enum(['kept', 'sent']),
    /** `sandbox` simulates all new servers, `mixed` those of some providers, and `live` none. */
    clouds: z.enum(CLOUD_MIXES),
    /** `off` means that levels 2 and 3 have no backups, and screens must not promise any. */
    backups,
    /** Domain with automatically validated names (`harbour.sandbox.localhost`), or null without a sandbox. */
    sandbox_domain: z.string().nullable(),
    /** Domain below which an order without a domain gets its name, or null if every order needs a domain. */
    platform_domain: z.string().nullable(),
    /** Zones accepted in orders although public DNS does not contain them. */
    allowed_zones: z.array(z.string()),
    /** Customers' own servers may have addresses of private networks here, as in a lab. */
    private_servers: z.boolean(),
    /** Largest single top-up in currency units. */
    checkout_max: z.number(),
    /** Length of a grace period in minutes, or 0 for none. */
    grace_period_minutes: z.int(),
    /** Hours for which the server of a deleted deployment is kept so that the delete can be undone, or 0 for none. */
    delete_undo_hours: z.int(),
    /** Work runs on Bull, and administrators can view its queues (`POST /admin/queues/session`). */
    has_queue_board: z.boolean(),
    /** Public value of the X-API-Key header (decision 16), or null if the header is not checked. */
    client_key: z.string().nullable(),
  })
  .meta({ id: 'ConsoleSettings' });
export type ConsoleSettings = z.infer<typeof consoleSettings>;

/** Public data in the HTML of every page of the console, so that its first render needs no request. */
export interface PageData {
  readonly settings: ConsoleSettings;
  readonly prices: Prices;
}

export const CONSOLE_CALLS = {
  settings: {
    operation: 'getConsoleSettings',
    method: 'GET',
    path: '/console/settings',
    summary: 'Get the public settings of this installation',
    description: 'Settings that the console needs before login.',
    access: 'public',
    without_client_key: true,
    status: 200,
    answer: consoleSettings,
    errors: [],
  },
} as const satisfies Record<string, Call>;
