/** Texts of incidents: of a deployment, and of all for administrators. */
export const incidentsTexts = {
  title: 'Incidents',
  failed: 'The incidents could not be loaded.',
  none: 'No incidents in the last 30 days.',
  reachable: '%{percent} % reachable in 30 days',
  reachable_since: '%{percent} % reachable since %{day}',
  days: 'Last 30 days: %{good} of %{checked} checked days without incidents.',
  days_none: 'Nothing was checked in the last 30 days.',
  days_down: "It didn't respond for a while on %{days}.",
  days_trouble: 'Other incidents on %{days}.',
  day: {
    good: '%{day}: no incident',
    trouble: '%{day}: incident',
    down: "%{day}: didn't respond for a while",
    down_percent: "%{day}: didn't respond for a while, %{percent} % reachable",
    none: '%{day}: not checked',
  },
  since: 'Since %{at} UTC, for %{time}.',
  lasted: '%{from} to %{to} UTC, %{time}.',
  returned: 'It returned once. |||| It returned %{smart_count} times.',
  explained: 'Another open incident is the cause.',
  open: 'Open',
  ended: 'Ended',
  more: 'and %{smart_count} more |||| and %{smart_count} more',
  restart: 'Restart',
  show_logs: 'Show logs',
  change_size: 'Change size',
  show_backups: 'Show backups',
  start: {
    button: 'Start server',
    title: 'Start the server of %{name}',
    text: 'We switch the server on at %{provider}, wait for its software to start and check that it responds. This usually takes a few minutes.',
    price: 'The price does not change.',
    busy: 'Starting...',
    done: 'Starting the server of %{name}.',
    failed: 'The server could not be started.',
    failed_last: 'The last start failed.',
  },
  admin: {
    failed: 'The incidents could not be loaded.',
    none: 'Nothing is wrong right now.',
    none_found: 'No open incident matches these filters.',
    groups: 'By provider',
    list: 'Open incidents',
    at: 'at %{provider}',
    own: 'on own servers',
    own_servers: 'Own servers',
    since: 'since %{at} UTC',
    provider: 'Provider',
    all_providers: 'All providers',
    kind: 'Kind',
    all_kinds: 'All kinds',
    clear: 'Clear filters',
    deployment: 'Deployment',
    owner: 'Owner',
    began: 'Since',
    remedy: 'What helps',
    place: '%{package}, %{provider}',
  },
  kind: {
    server_gone: 'Server gone',
    server_off: 'Server switched off',
    down: 'Not responding',
    certificate_expired: 'Certificate expired',
    certificate_missing: 'Certificate missing',
    certificate_wrong: 'Certificate wrong',
    dns_elsewhere: 'DNS points elsewhere',
    disk_full: 'Disk almost full',
    container_stopped: 'Container stopped',
    container_restarting: 'Container restarting',
    certificate_not_renewed: 'Certificate not renewed',
    disk_filling: 'Disk filling up',
    memory_full: 'Memory almost full',
    slow: 'Slow',
  },
  /** Incidents that several deployments at a `%{place}` share. `%{of}` is the number of running deployments there. */
  group: {
    server_gone:
      '%{smart_count} of %{of} deployments %{place} has a server that is not listed any more |||| %{smart_count} of %{of} deployments %{place} have servers that are not listed any more',
    server_off:
      '%{smart_count} of %{of} deployments %{place} has a server that is switched off |||| %{smart_count} of %{of} deployments %{place} have servers that are switched off',
    down: "%{smart_count} of %{of} deployments %{place} doesn't respond |||| %{smart_count} of %{of} deployments %{place} don't respond",
    certificate_expired:
      '%{smart_count} of %{of} deployments %{place} has an expired certificate |||| %{smart_count} of %{of} deployments %{place} have expired certificates',
    certificate_missing:
      '%{smart_count} of %{of} deployments %{place} has no certificate |||| %{smart_count} of %{of} deployments %{place} have no certificate',
    certificate_wrong:
      '%{smart_count} of %{of} deployments %{place} has a wrong certificate |||| %{smart_count} of %{of} deployments %{place} have wrong certificates',
    dns_elsewhere:
      '%{smart_count} of %{of} deployments %{place} has DNS records that point elsewhere |||| %{smart_count} of %{of} deployments %{place} have DNS records that point elsewhere',
    disk_full:
      '%{smart_count} of %{of} deployments %{place} has an almost full disk |||| %{smart_count} of %{of} deployments %{place} have almost full disks',
    container_stopped:
      '%{smart_count} of %{of} deployments %{place} has stopped containers |||| %{smart_count} of %{of} deployments %{place} have stopped containers',
    container_restarting:
      '%{smart_count} of %{of} deployments %{place} has containers that keep restarting |||| %{smart_count} of %{of} deployments %{place} have containers that keep restarting',
    certificate_not_renewed:
      '%{smart_count} of %{of} deployments %{place} has a certificate that was not renewed |||| %{smart_count} of %{of} deployments %{place} have certificates that were not renewed',
    disk_filling:
      '%{smart_count} of %{of} deployments %{place} has a disk that is filling up |||| %{smart_count} of %{of} deployments %{place} have disks that are filling up',
    memory_full:
      '%{smart_count} of %{of} deployments %{place} has almost no free memory |||| %{smart_count} of %{of} deployments %{place} have almost no free memory',
    slow: '%{smart_count} of %{of} deployments %{place} responds slowly |||| %{smart_count} of %{of} deployments %{place} respond slowly',
  },
} as const;
