import { messageTable } from './message';

/** What backups and restores say: why one is refused, what went wrong with one, and what they wait for. */
export const BACKUP_MESSAGES = messageTable('backup', {
  off: 'There is no backup target on this installation, so nothing is backed up.',
  level: 'Level 1 has no backups. Change to level 2 or 3 first.',
  not_running: 'A backup needs a deployment that runs.',
  already: 'A backup is being taken already.',
  copying: 'A backup is being taken. Try again when it has finished.',
  copy_unknown: 'This backup does not exist, or is no longer kept.',
  copy_incomplete: 'This backup is not complete, so it cannot be restored.',
  copy_newer: 'This backup was taken from a newer version of %{package} than we can install, so it cannot be restored.',
  restoring: 'Another restore is under way. Wait until it has ended.',
  restore_needs_running: 'Data can be restored only while the deployment is ready.',
  nothing_to_undo: 'There is no restore that can be undone.',
  undo_over: 'The data from before the restore is no longer kept, so it cannot be undone.',
  disk_too_small: 'The backup holds %{needed} GB. Choose a server with a larger disk.',
  other_package: 'A backup can only be restored with its own package.',
  package_gone: 'The package of this backup is no longer offered, so the backup cannot be restored.',
  simulated_copy: 'This backup is of a simulated server, so it can only be restored to a simulated server.',
  real_copy: 'This backup is of a real server, so it cannot be restored to a simulated one.',

  download_running: 'An archive of a backup is being prepared already.',
  download_too_large:
    'Archives hold up to %{most} GB, and this backup has %{size} GB. Restore it as a new deployment instead.',
  download_unknown: 'This archive does not exist, or is no longer kept.',
  download_not_ready: 'This archive is not ready.',

  interrupted: 'The backup was interrupted because the server was being changed.',
  changed_for_long: 'The server was being changed for too long, so no backup was taken.',
  restore_over: 'The restore that this backup was for has ended.',
  server_silent: 'The server could not be reached.',
  disk_full: 'The server has %{free} MB of free disk; %{needed} MB are needed.',
  dump_failed: 'The copy of %{name} could not be made.',
  unreadable: 'Some files could not be read.',
  target_silent: 'The backup storage does not answer.',
  target_full: 'The backup storage is full. Our operators have been told.',
  target_refused: 'The backup storage refuses this server. Our operators have been told.',
  password_wrong: 'The backup storage does not accept the key of this deployment. Our operators have been told.',
  repository_missing: 'The backup storage has no repository for this deployment. Our operators have been told.',
  repository_locked: 'The backup storage is busy with this deployment.',
  image_missing: 'The backup tool could not be downloaded to the server.',
  failed: 'The backup tool failed.',
  gone: 'The deployment was removed before the backup had ended.',

  copy_damaged: 'The backup is damaged and cannot be used.',
  restored_unreadable: 'The restored data of %{name} cannot be read, so nothing was replaced.',
  restored_short: 'The restored data is incomplete, so nothing was replaced.',
  restore_disk_full:
    'The server has %{free} MB of free disk; %{needed} MB are needed to restore beside the running data.',
  restored_unhealthy:
    'The software did not become healthy with the restored data, so the data from before was put back.',
  check_failed: 'A check found backups that cannot be read. Our operators have been told.',
  test_failed: 'The restore test failed: the backup cannot be read. Our operators have been told.',
  swap_failed: 'The restored data could not be put in place.',
  progress: '%{percent} % done.',
  last_failed: 'No last backup could be taken.',
  taking_backup: 'A backup of the data as it is now is being taken first.',
});
