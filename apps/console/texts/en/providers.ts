export const providersTexts = {
  title: 'Providers',
  failed: 'The providers could not be loaded.',
  simulated:
    'Some providers are simulated: their servers exist on this machine only, no provider is asked, and nothing is charged to us. Their amounts show what real servers would cost.',
  totals:
    '%{smart_count} server at live providers costs %{cost} a day. Customers pay %{paid} for it, a margin of %{margin}. |||| %{smart_count} servers at live providers cost %{cost} a day. Customers pay %{paid} for them, a margin of %{margin}.',
  mode: { live: 'Live', simulated: 'Simulated', off: 'Off' },
  distrusted: {
    credentials_refused: 'The provider refuses our credentials. No change is made to its servers since',
    other_project: 'The credentials lead to another project. No change is made to its servers since',
    none_listed: 'The provider shows none of our servers. No change is made to them since',
    many_missing: 'The provider does not show many of our servers. No change is made to them since',
  },
  paused: 'Rate limit reached. No request is sent until',
  credentials: 'Credentials',
  access: {
    proven: 'Accepted since',
    refused: 'Refused since',
    create_refused: 'May not create servers since',
    unproven: 'Not checked yet',
  },
  project: 'Project',
  no_project: 'None yet',
  catalogue: 'Prices',
  source: { live: 'From the provider', built_in: 'From the built-in list' },
  never_answered: '(no answer yet)',
  sizes:
    '%{smart_count} size in all regions, %{sold_out} sold out |||| %{smart_count} sizes in all regions, %{sold_out} sold out',
  servers: 'Servers',
  cost: 'Cost per day',
  paid: 'Customers pay per day',
  margin: 'Margin per day',
  margin_percent: '%{margin} (%{percent} % of the cost)',
} as const;
