/** What was done on the own account. */
export const activityTexts = {
  title: 'Activity',
  intro: 'What was done on your account and your deployments.',
  failed: 'Failed to load your activity',
  none: 'Nothing was recorded yet.',
  kind: 'Show',
  all: 'Everything',
  kinds: { account: 'Account', deployments: 'Deployments', money: 'Money', support: 'Support' },
  what: 'What',
  by: 'By',
  device: 'Device',
  when: 'Time',
  reason: 'Reason: %{reason}',
  token: 'API token "%{label}"',
  actors: { you: 'You', token: 'API token', support: 'Support', system: 'Automatic' },
  export: 'Export as CSV',
  exporting: 'Exporting...',
} as const;
