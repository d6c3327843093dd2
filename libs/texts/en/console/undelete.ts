/** Texts about a deleted deployment that can still be restored. */
export const undeleteTexts = {
  deleted: 'Deleted on %{date}.',
  ended: 'Ended on %{date}.',
  backup: 'Its last backup is kept until %{date}. Restore it as a new deployment.',
  restore: 'Restore',
  /** The server is still kept. */
  kept: 'Deleted. The server is kept until %{date}.',
  kept_more:
    'Everything on it is stopped and nothing is charged. If you restore it, it starts again and charges continue.',
  restoring: '%{name} is being restored. It is charged again from now on.',
  not_restored: "The deployment couldn't be restored.",
  remove: 'Remove now',
  remove_title: 'Remove %{name} now?',
  remove_text:
    'This deletes the server, its disk and everything on it. You can then only restore a backup, if there is one.',
  keep: 'Keep it until then',
  removing: '%{name} is being removed.',
  removing_now: 'Removing...',
  not_removed: "The deployment couldn't be removed.",
} as const;
