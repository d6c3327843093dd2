export const billingTexts = {
  title: 'Billing',
  today: 'Today',
  failed: 'Failed to load billing data',
  runway: {
    title: 'Runway',
    until: 'Everything runs until',
    ended: 'Not everything is paid since',
    left: 'in %{left}, at %{cost} a day',
    cost: 'at %{cost} a day',
    nothing: 'Nothing is running',
    none: 'No charges today',
    none_hint: 'You pay only while a deployment runs.',
    endless: 'More than ten years',
    stop: '%{name} stops |||| %{smart_count} deployments stop',
    sentence: 'Everything is paid until %{date}, in %{left}. Then stops first: %{names}.',
    sentence_held: 'Not everything is paid since %{date}.',
    warn_week: 'The money lasts until %{date}. A deployment that cannot be paid then is deleted automatically.',
    warn_days:
      'On %{date} %{names} stops first. A deployment that cannot be paid is deleted automatically. |||| On %{date} %{names} stop first. A deployment that cannot be paid is deleted automatically.',
    locked:
      '%{amount} in referral credits will not help then: they are usable only while the regular balance is %{unlock} or more.',
  },
  hold: {
    title: 'A charge could not be covered |||| %{smart_count} charges could not be covered',
    line: '%{name}: %{amount} is due. Add at least %{needed} until %{date}, or it is deleted automatically.',
  },
  add: {
    title: 'Add funds',
  },
} as const;
