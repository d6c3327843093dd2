import type { DeploymentAnswer } from '@moorage/contracts';
import { CONSTANTS, type DeploymentStatus, IN_FLIGHT, POLLED } from '@moorage/domain';

/** A page of the list, as react-admin keeps it. */
export interface ListPage {
  readonly data: readonly DeploymentAnswer[];
  readonly total?: number | undefined;
}

/**
 * What a silent refresh looks at (specification section 4). The rest is ours: the step moves "3 of 7" and "your turn"
 * along, and what is changed elsewhere or ends for want of money shows by itself.
 */
function watched({ id, status, deleted_at, instance_ip, vps_ip_address, progress, ...more }: DeploymentAnswer): string {
  const step = progress === null ? '' : `${progress.number}/${progress.of}${progress.action_required ? '!' : ''}`;
  const { client_name, domain, deletion_locked, cancelling, grace_period_ends_at, ended } = more;
  const ours = [client_name, domain, deletion_locked, cancelling, grace_period_ends_at, ended?.reason, ended?.at];
  return JSON.stringify([id, status, deleted_at, instance_ip, vps_ip_address, step, ...ours]);
}

/** Answers may come in another order than they were given in: an older one changes nothing that is shown. */
export function newerOf(shown: DeploymentAnswer | undefined, answer: DeploymentAnswer): DeploymentAnswer {
  return shown !== undefined && shown.id === answer.id && shown.version > answer.version ? shown : answer;
}

/**
 * What the list shows after an answer: the page that is there, the very same object, unless something watched
 * changed, or a deployment appeared or went away.
 */
export function keptUnlessChanged<Page extends ListPage>(shown: Page | undefined, late: Page): Page {
  if (shown === undefined) return late;
  const before = new Map(shown.data.map((row) => [row.id, row]));
  const answer = { ...late, data: late.data.map((row) => newerOf(before.get(row.id), row)) };
  const same =
    shown.total === answer.total &&
    shown.data.length === answer.data.length &&
    shown.data.every((row, at) => {
      const other = answer.data[at];
      return other !== undefined && watched(row) === watched(other);
    });
  if (same) return shown;
  // rows that did not change stay the same objects, so that only the others are drawn again
  const data = answer.data.map((row) => {
    const old = before.get(row.id);
    return old !== undefined && watched(old) === watched(row) ? old : row;
  });
  return { ...answer, data };
}

/** How long until the list is refreshed silently; false: nothing is in flight. */
export function listRefreshMs(page: ListPage | undefined): number | false {
  const inFlight = page?.data.some(({ status, deleted_at }) => deleted_at === null && IN_FLIGHT.includes(status));
  return inFlight === true ? CONSTANTS.dashboardRefreshMs : false;
}

/** How long until the status of the one deployment is asked again; a failed poll ends it. */
export function statusPollMs(status: DeploymentStatus | undefined, failed: boolean): number | false {
  return !failed && status !== undefined && POLLED.includes(status) ? CONSTANTS.statusPollMs : false;
}

const RELOADED_ON: readonly DeploymentStatus[] = ['ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED'];

/** A poll that found one of these, new, makes the whole record be loaded again. */
export function reloadsRecord(before: DeploymentStatus, after: DeploymentStatus): boolean {
  return before !== after && RELOADED_ON.includes(after);
}
