import { joined, type Message, messageTable, partsOf } from './message';

/** Reasons why a deployment can't be updated, and outcomes of updates. */
export const UPDATE_MESSAGES = messageTable('update', {
  not_updated: 'A deployment with the status "%{status}" can\'t be updated.',
  held: 'The deployment is held at its version. Release it first.',
  unknown: 'This version is not offered for the deployment.',
  release_unknown: 'The package has no such version.',
  not_direct: "The deployment can't be updated to version %{version} in one step. Update to %{next} first.",
  first_stays: 'The first version of a package is always offered to everybody.',
  stays_withdrawn: 'A withdrawn version stays withdrawn. List a new version instead.',
  rollout_changed: 'The rollout of this version has changed in the meantime. Check its state before you decide.',
  time_zone_unknown: 'This time zone is unknown.',
  disk_full: 'The disk of the server is too full for the images of the new version.',
  data_disk_full:
    'The server needs %{needed} MB of free disk space to keep a copy of its data during the update, but only %{free} MB are free.',
  not_rebooted: 'The server of a deployment with the status "%{status}" can\'t be rebooted.',
  reboot_own_server:
    'We never reboot a server of your own. Reboot it yourself, and the containers start again on their own.',
  reboot_not_needed: 'The server does not need a reboot.',
  reboot_backup: 'A backup is running. Reboot the server when it has finished.',
  reboot_not_begun: 'The server was not rebooted. The deployment runs as before.',
  reboot_recovered:
    'The deployment did not come back after the reboot, so its server and its software were started again.',
  reboot_not_recovered:
    'The deployment did not come back after the reboot, and it could not be started again. Contact support.',
  not_begun: 'The update was not started. The deployment runs as before.',
  taken_back: 'The update was undone. The deployment runs version %{version} with the data from before.',
  not_taken_back:
    'The update failed, and version %{version} could not be started again. The data from before is on the server. Contact support.',
});

const OUTCOMES = ['update.not_begun', 'update.taken_back', 'update.not_taken_back'];

/** Returns why an update failed, without its outcome. Null if only the outcome is known. */
export function reasonOfUpdate(failure: Message): Message | null {
  const reasons = partsOf(failure).filter(({ code }) => !OUTCOMES.includes(code));
  return reasons.length === 0 ? null : joined(reasons);
}
