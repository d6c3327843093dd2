import type { DeploymentAnswer } from '@moorage/contracts';
import { CONSTANTS, type DeploymentStatus, IN_FLIGHT, POLLED } from '@moorage/domain';

/** Page of the list in react-admin's cache. */
export interface ListPage {
  readonly data: readonly DeploymentAnswer[];
  readonly total?: number | undefined;
}

/**
 * Returns the fields that a silent refresh compares. In addition to specification section 4, they include the step,
 * which updates "3 of 7" and "your turn", and changes made elsewhere or because the balance ran out.
 */
function watched({ id, status, deleted_at, instance_ip, vps_ip_address, progress, ...more }: DeploymentAnswer): string {
  const step = progress === null ? '' : `${progress.number}/${progress.of}${progress.action_required ? '!' : ''}`;
  const { client_name, domain, deletion_locked, cancelling, grace_period_ends_at, ended } = more;
  const ours = [client_name, domain, deletion_locked, cancelling, grace_period_ends_at, ended?.reason, ended?.at];
  return JSON.stringify([id, status, deleted_at, instance_ip, vps_ip_address, step, ...ours]);
}

/** Returns the newer version. Responses may arrive out of order, and an older version changes nothing. */
export function newerOf(shown: DeploymentAnswer | undefined, answer: DeploymentAnswer): DeploymentAnswer {
  return shown !== undefined && shown.id === answer.id && shown.version > answer.version ? shown : answer;
}

/**
 * Returns the page to show after a response. It is the same object unless a compared field changed or a deployment was
 * added or removed.
 */
export function reuseUnchangedRows<Page extends ListPage>(shown: Page | undefined, late: Page): Page {
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
  // Unchanged rows stay the same objects, so that only the others render again.
  const data = answer.data.map((row) => {
    const old = before.get(row.id);
    return old !== undefined && watched(old) === watched(row) ? old : row;
  });
  return { ...answer, data };
}

/** Returns the interval of the silent refresh, or false if nothing is in flight. */
export function listRefreshMs(page: ListPage | undefined): number | false {
  const inFlight = page?.data.some(({ status, deleted_at }) => deleted_at === null && IN_FLIGHT.includes(status));
  return inFlight === true ? CONSTANTS.dashboardRefreshMs : false;
}

/** Returns the interval of the status poll, or false to stop it, for example after a failed poll. */
export function statusPollMs(status: DeploymentStatus | undefined, failed: boolean): number | false {
  return !failed && status !== undefined && POLLED.includes(status) ? CONSTANTS.statusPollMs : false;
}

const RELOADED_ON: readonly DeploymentStatus[] = ['ACTIVE', 'DNS_VALIDATION', 'READY', 'DNS_FAILED'];

/** Returns whether a changed status requires reloading the full record. */
export function reloadsRecord(before: DeploymentStatus, after: DeploymentStatus): boolean {
  return before !== after && RELOADED_ON.includes(after);
}
