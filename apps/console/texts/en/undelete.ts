/** Texts about a deleted deployment that can still be restored. */
export const undeleteTexts = {
  deleted: 'Deleted on %{date}.',
  ended: 'Ended on %{date}.',
  backup: 'Its last backup is kept until %{date}. Restore it as a new deployment.',
  restore: 'Restore',
} as const;
