import { BACKUP_MODES, CLOUD_MIXES, CLOUD_NAMES } from '@moorage/domain';
import { z } from 'zod';
import type { Call } from './call';

/** The backup mode of new servers by provider, and of customers' own servers. */
const backups = z.object({
  new: z.record(z.enum(CLOUD_NAMES), z.enum(BACKUP_MODES)),
  own: z.enum(BACKUP_MODES),
});

/** What a screen must know of this installation before anybody has logged in. Public: nothing of it is a secret. */
export const consoleSettings = z
  .object({
    brand: z.object({
      name: z.string(),
      tagline: z.string(),
      support_email: z.string(),
      /** Address of the player; null: there is no video. Loaded only when somebody asks for it. */
      intro_video_url: z.string().nullable(),
    }),
    mode: z.enum(['demo', 'production']),
    /** `test`: checkout is a local page and no money moves. */
    payments: z.enum(['test', 'stripe']),
    /** `kept`: mails are not sent but kept here, each for the person it is to (`GET /mailbox`). */
    mails: z.enum(['kept', 'sent']),
    /** `sandbox`: new servers are simulated; `mixed`: at some providers; `live`: nowhere. */
    clouds: z.enum(CLOUD_MIXES),
    /** `off`: levels 2 and 3 have no backups there, and nothing may promise them. */
    backups,
    /** Names below it validate by themselves (`harbour.sandbox.localhost`); null without a sandbox. */
    sandbox_domain: z.string().nullable(),
    /** Zones whose names may be ordered although the public DNS does not have them. */
    allowed_zones: z.array(z.string()),
    /** Currency units: the largest single top-up. */
    checkout_max: z.number(),
    /** How long a charge that is not covered waits for a top-up; 0: not at all. */
    grace_period_minutes: z.int(),
    /** Work runs on Bull, and administrators can look at its queues (`POST /admin/queues/session`). */
    has_queue_board: z.boolean(),
    /** The public value of the X-API-Key header (decisions 16); null: the header is not looked at. */
    client_key: z.string().nullable(),
  })
  .meta({ id: 'ConsoleSettings' });
export type ConsoleSettings = z.infer<typeof consoleSettings>;

export const CONSOLE_CALLS = {
  settings: {
    operation: 'getConsoleSettings',
    method: 'GET',
    path: '/console/settings',
    summary: 'Get the public settings of this installation',
    description: 'What a screen needs before login.',
    access: 'public',
    without_client_key: true,
    status: 200,
    answer: consoleSettings,
    errors: [],
  },
} as const satisfies Record<string, Call>;
