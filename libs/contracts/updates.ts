import {
  AUTOMATIC_UPDATES,
  RELEASE_KINDS,
  RINGS,
  ROLLOUT_STATES,
  SHAPE_MESSAGES,
  UPDATE_WINDOW_HOURS_MAX,
} from '@moorage/domain';
import { z } from 'zod';
import { actReason } from './account-fields';
import type { Call } from './call';
import { deployment } from './deployments';
import { entityId, shortText } from './fields';
import { issueText, message } from './message';
import { packageName, releaseVersion, texts } from './package-manifest';

const params = z.object({ id: entityId });
const instant = z.iso.datetime();

export const release = z
  .object({
    version: z.string(),
    kind: z.enum(RELEASE_KINDS),
    released_on: z.iso.date(),
    /** Changes that users notice, each a sentence in every language. */
    changes: z.array(texts),
    /** It changes the data at its first start, so that older versions can't read it any more. */
    migrates: z.boolean(),
    /** Last day on which its makers fix security problems. Null if they have not announced one. */
    supported_until: z.iso.date().nullable(),
  })
  .meta({ id: 'Release' });
export type ReleaseAnswer = z.infer<typeof release>;

const DAYS_OF_WEEK = 7;

export const updateSettings = z
  .object({
    /** Kinds of versions that are installed in the window without being asked for. Each includes the ones before it. */
    automatic: z.enum(AUTOMATIC_UPDATES),
    /** The version stays, whatever `automatic` says. */
    is_held: z.boolean(),
    /** Days of the week on which the window begins, 0 for Sunday. */
    days: z
      .array(
        z
          .int()
          .min(0)
          .max(DAYS_OF_WEEK - 1),
      )
      .min(1)
      .max(DAYS_OF_WEEK)
      .refine((days) => new Set(days).size === days.length, issueText(SHAPE_MESSAGES.twice)),
    /** Hour at which the window begins, in its time zone. */
    hour: z.int().min(0).max(23),
    /** Length of the window. */
    hours: z.int().min(1).max(UPDATE_WINDOW_HOURS_MAX),
    /** IANA name such as `Europe/Berlin`. */
    time_zone: shortText(60),
  })
  .meta({ id: 'UpdateSettings' });
export type UpdateSettingsAnswer = z.infer<typeof updateSettings>;

export const deploymentUpdates = z
  .object({
    /** The version that runs. Null if its package no longer lists it. */
    running: release.nullable(),
    /** The version that runs was withdrawn. It is no longer offered, but restoring a backup can return to it. */
    is_withdrawn: z.boolean(),
    /** Newer versions that are offered for the deployment, the oldest first. */
    newer: z.array(release),
    /** The newest of them that can be reached in one step. Null if there is none. */
    next: z.string().nullable(),
    /** A restore can be undone now, but no longer after an update. */
    ends_undo: z.boolean(),
    /**
     * A version of a kind that is installed automatically is offered, but is not installed without being asked for,
     * because a version of another kind comes before it.
     */
    waits_for_owner: z.boolean(),
    /** A backup is taken before. */
    backs_up: z.boolean(),
    /** Expected time in seconds during which the deployment can't be reached. */
    unreachable_s: z.int(),
    settings: updateSettings,
    /** Beginning and end of the open or next window. */
    window: z.object({ from: instant, to: instant }),
    /** Security updates of the server that wait for a reboot. Null if there are none. */
    reboot: z
      .object({
        since: instant.nullable(),
        /** At most ten packages that want it. */
        packages: z.array(z.string()),
        /** It is planned for the window. */
        is_planned: z.boolean(),
      })
      .nullable(),
    /** The latest update. */
    last: z
      .object({
        state: z.enum(['running', 'undoing', 'done', 'failed']),
        from: z.string(),
        to: z.string(),
        is_automatic: z.boolean(),
        requested_at: instant,
        finished_at: instant.nullable(),
        /** It was undone. Otherwise a failed update had not begun. */
        was_undone: z.boolean(),
        failure: message.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'DeploymentUpdates' });
export type DeploymentUpdatesAnswer = z.infer<typeof deploymentUpdates>;

/** An image of a version, as its registry last described it. */
export const releaseImage = z
  .object({
    image: z.string(),
    /** Newer tag of the same shape. Only of the newest version of a package. */
    newest: z.string().nullable(),
    /** The registry did not find it in two checks at least 20 hours apart. */
    is_withdrawn: z.boolean(),
    /** Its tag was pushed again with other content within the last week. */
    was_moved: z.boolean(),
    /** The last check got no usable response. */
    is_unreachable: z.boolean(),
    /** Time of the last usable response. Null if there was none. */
    checked_at: instant.nullable(),
  })
  .meta({ id: 'ReleaseImage' });
export type ReleaseImageAnswer = z.infer<typeof releaseImage>;

export const releaseRollout = release
  .extend({
    package: z.string(),
    package_name: z.string(),
    ring: z.enum(RINGS),
    /** `stopped` after failures, `withdrawn` for good. */
    state: z.enum(ROLLOUT_STATES),
    /** It is the oldest version, which everybody has who was not updated. It can't be withdrawn. */
    is_first: z.boolean(),
    /** Null if nothing was decided about it yet. */
    changed_at: instant.nullable(),
    /** Name of the administrator. Null if nothing was decided, or if failures stopped it. */
    changed_by: z.string().nullable(),
    /** Deployments that run it now. */
    deployments: z.int(),
    /** Updates to it that are under way, that succeeded, and that had to be undone since the last decision to roll. */
    running: z.int(),
    done: z.int(),
    undone: z.int(),
    /** Its images that have been compared with their registries. Empty while `REGISTRY_CHECKS` is off. */
    images: z.array(releaseImage),
  })
  .meta({ id: 'ReleaseRollout' });
export type ReleaseRolloutAnswer = z.infer<typeof releaseRollout>;

export const UPDATES_CALLS = {
  read: {
    operation: 'readUpdates',
    method: 'GET',
    path: '/deployments/{id}/updates',
    summary: 'Read the versions for a deployment',
    description: 'Returns the running version, newer versions with their changes, the window and the latest update.',
    access: 'user',
    params,
    status: 200,
    answer: deploymentUpdates,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE'],
  },
  update: {
    operation: 'updateDeployment',
    method: 'POST',
    path: '/deployments/{id}/update',
    summary: 'Update a deployment to a newer version',
    description:
      'Backs up the data if backups are on, downloads the new version, stops the software, copies its data on the server and starts the new version. If it does not become healthy, the previous version returns with the data from before.',
    access: 'verified',
    params,
    body: z.object({ version: releaseVersion, reason: actReason.nullish() }),
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID'],
  },
  settings: {
    operation: 'changeUpdateSettings',
    method: 'PUT',
    path: '/deployments/{id}/update-settings',
    summary: 'Choose when a deployment is updated automatically',
    description:
      'Sets the kinds of versions that are installed automatically, the window, and whether the version is held.',
    access: 'verified',
    params,
    body: updateSettings.extend({ reason: actReason.nullish() }),
    status: 200,
    answer: deploymentUpdates,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID'],
  },
  reboot: {
    operation: 'rebootServer',
    method: 'POST',
    path: '/deployments/{id}/reboot',
    summary: 'Reboot the server of a deployment',
    description:
      'Reboots now, in the open or next window, or no longer (`never`). A planned reboot waits for updates and backups, and is dropped when the server no longer needs it. Own servers are never rebooted.',
    access: 'verified',
    params,
    body: z.object({ when: z.enum(['now', 'window', 'never']), reason: actReason.nullish() }),
    status: 200,
    answer: deployment,
    errors: ['NOT_FOUND', 'DEPLOYMENT_STATE', 'FIELDS_INVALID'],
  },
  rollouts: {
    operation: 'listReleaseRollouts',
    method: 'GET',
    path: '/admin/releases',
    summary: 'List the rollouts of versions',
    description: 'Newest first within a package, with the outcome of their updates.',
    access: 'admin',
    status: 200,
    answer: z.array(releaseRollout),
    errors: [],
  },
  decide: {
    operation: 'decideReleaseRollout',
    method: 'PUT',
    path: '/admin/releases/{package}/{version}',
    summary: 'Change the rollout of a version',
    description:
      'Rings are `own` (deployments of administrators), `few` (5 %), `quarter` (25 %) and `all`. New deployments get the newest version of the ring `all`. A rollout stops by itself at the second update that had to be undone.',
    access: 'admin',
    params: z.object({ package: packageName, version: releaseVersion }),
    body: z.object({
      ring: z.enum(RINGS),
      state: z.enum(ROLLOUT_STATES),
      /** `changed_at` from the list. If the rollout has changed since then, nothing is decided (RELEASE_CHANGED). */
      expected_changed_at: instant.nullable(),
    }),
    status: 200,
    answer: releaseRollout,
    errors: ['NOT_FOUND', 'RELEASE_CHANGED', 'FIELDS_INVALID'],
  },
} as const satisfies Record<string, Call>;
