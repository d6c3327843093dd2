import { INCIDENT_KINDS } from '@moorage/domain';
import { z } from 'zod';
import { message } from './message';

const instant = z.iso.datetime();

/** A problem of a running deployment, past or present. */
export const incident = z
  .object({
    id: z.int(),
    kind: z.enum(INCIDENT_KINDS),
    /** `alarm` means that visitors are affected or soon will be. */
    severity: z.enum(['alarm', 'warning']),
    /** Container or host name that it concerns, or null for the whole deployment. */
    subject: z.string().nullable(),
    message,
    /** Remedy. */
    remedy: message,
    began_at: instant,
    /** Null while it continues. */
    ended_at: instant.nullable(),
    /** Number of times it returned within minutes of its end. */
    returned: z.int(),
    /** Another open incident explains this one, so it needs no action of its own. */
    is_explained: z.boolean(),
    /** Action that helps, if there is one. The console has a button for it. */
    action: z
      .enum(['start_server', 'restart', 'show_logs', 'show_records', 'change_size', 'create_from_backup'])
      .nullable(),
  })
  .meta({ id: 'Incident' });
export type IncidentAnswer = z.infer<typeof incident>;
