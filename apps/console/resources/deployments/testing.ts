import type {
  DeploymentAnswer,
  DeploymentDnsAnswer,
  DeploymentDomainsAnswer,
  DeploymentUpdatesAnswer,
  HostCertificateAnswer,
  ProgressAnswer,
  ProgressStepAnswer,
  ReleaseAnswer,
  SignInAnswer,
} from '@moorage/contracts';
import { actionsOf, DEFAULT_UPDATE_SETTINGS, type DeploymentStatus, isActionOf } from '@moorage/domain';
import { runwayOf } from '../../pages/billing/testing';
import type { Replies } from '../../testing/console-fixture';
import { backupsOf } from './backups/testing';
import { incidentsOf, metricsOf } from './metrics/testing';
import { packageOf } from '../../testing/packages';

export const NOW = '2026-11-21T14:18:00.000Z';

/** Login of a deployment's dashboard. Its password is the secret ADMIN_PASSWORD. */
export const DASHBOARD_LOGIN: SignInAnswer = {
  title: 'Dashboard',
  title_texts: { en: 'Dashboard', de: 'Dashboard' },
  address: 'https://admin.harbour-lights.example/',
  open_link: null,
  user: 'mara@northsea.example',
  password: 'ADMIN_PASSWORD',
  token: null,
};

/** Deployment as returned by the API. By default a running Pangolin at Hetzner. */
export function deploymentOf(over: Partial<DeploymentAnswer> = {}): DeploymentAnswer {
  const status: DeploymentStatus = over.status ?? 'READY';
  return {
    id: 1053,
    client_name: 'maralind-pangolin-915204',
    client_id: 'maralind-915204',
    package: 'pangolin',
    cloud_provider: 'hetzner',
    region: 'fsn1',
    instance_type: 'cpx22',
    server_type: 'new',
    support_level: 1,
    vps_ip_address: null,
    instance_ip: '203.0.113.41',
    komodo_host_ip: null,
    domain: 'harbour-lights.example',
    admin_subdomain: 'admin',
    static_page_subdomain: 'www',
    status,
    status_label: '',
    failure_reason: over.failure?.detail ?? null,
    failure: null,
    access_link: 'https://admin.harbour-lights.example',
    open_link: null,
    sign_in: [],
    actions: actionsOf(status).filter((action) => isActionOf(over.server_type ?? 'new', action)),
    locked_reason: null,
    hourly_cost: 0.0356,
    daily_cost: 0.8544,
    created_at: '2026-11-21T14:16:48.000Z',
    updated_at: NOW,
    deleted_at: null,
    grace_period_ends_at: null,
    deletion_locked: false,
    cancelling: false,
    move: null,
    ended: null,
    undo_until: null,
    ran: null,
    worst_incident: null,
    server_unseen_since: null,
    progress: null,
    sandbox: true,
    version: 3,
    user_id: 7,
    postgres_host: null,
    postgres_user: null,
    postgres_password: { set: false },
    github_repo: null,
    ...over,
  };
}

export function stepOf(
  name: ProgressStepAnswer['name'],
  state: ProgressStepAnswer['state'],
  over: Partial<ProgressStepAnswer> = {},
): ProgressStepAnswer {
  return {
    name,
    part: 'run',
    state,
    started_at: null,
    ended_at: null,
    duration_ms: null,
    usually_ms: null,
    message: null,
    attempts: state === 'waiting' ? 0 : 1,
    ...over,
  };
}

export function progressOf(steps: readonly ProgressStepAnswer[], over: Partial<ProgressAnswer> = {}): ProgressAnswer {
  const on = steps.findIndex(({ state }) => state === 'running' || state === 'failed' || state === 'action_required');
  return {
    deployment_id: 1053,
    status: 'PROVISIONING',
    version: 3,
    run: 'create',
    steps: [...steps],
    number: on < 0 ? null : on + 1,
    of: steps.length,
    overdue: false,
    now: NOW,
    ...over,
  };
}

export const certificateOf = (over: Partial<HostCertificateAnswer> = {}): HostCertificateAnswer => ({
  state: 'good',
  reason: null,
  authority_words: null,
  issuer: "C=US, O=Let's Encrypt, CN=R11",
  expires_at: '2027-02-12T09:00:00.000Z',
  checked_at: NOW,
  ...over,
});

export const domainsOf = (over: Partial<DeploymentDomainsAnswer> = {}): DeploymentDomainsAnswer => ({
  primary: {
    host: 'admin.harbour-lights.example',
    certificate: certificateOf({ expires_at: '2027-01-21T15:00:00.000Z' }),
  },
  offered: true,
  most: 10,
  domains: [],
  now: NOW,
  ...over,
});

export function dnsOf(over: Partial<DeploymentDnsAnswer> = {}): DeploymentDnsAnswer {
  const record = { type: 'A', value: '203.0.113.41', required: true, reason: null, certificate: null } as const;
  const seen = (values: string[], error: string | null = null) => [
    { resolver: '1.1.1.1', kind: 'public' as const, values, cname: null, error },
    { resolver: 'ns1.harbour-lights.example', kind: 'zone' as const, values, cname: null, error },
  ];
  return {
    domain: 'harbour-lights.example',
    address: '203.0.113.41',
    managed: false,
    records: [
      { ...record, name: 'admin', fqdn: 'admin.harbour-lights.example', right: true, seen: seen(['203.0.113.41']) },
      { ...record, name: 'www', fqdn: 'www.harbour-lights.example', right: false, seen: seen(['192.0.2.7']) },
      { ...record, name: 'ai', fqdn: 'ai.harbour-lights.example', right: false, seen: seen([], 'NXDOMAIN') },
    ],
    right_count: 1,
    all_right: false,
    checked_at: '2026-11-21T14:14:00.000Z',
    next_check_at: '2026-11-21T14:18:30.000Z',
    next_repair_at: null,
    now: NOW,
    ...over,
  };
}

/** Version as returned by the API. */
export const versionOf = (version: string, over: Partial<ReleaseAnswer> = {}): ReleaseAnswer => ({
  version,
  kind: 'patch',
  released_on: '2026-11-16',
  changes: [{ en: `Changes of ${version}.`, de: `Änderungen von ${version}.` }],
  migrates: false,
  supported_until: null,
  ...over,
});

type LastUpdate = NonNullable<DeploymentUpdatesAnswer['last']>;

export const lastUpdateOf = (over: Partial<LastUpdate> = {}): LastUpdate => ({
  state: 'running',
  from: '1.23.0',
  to: '1.24.0-2',
  is_automatic: false,
  requested_at: NOW,
  finished_at: null,
  was_undone: false,
  failure: null,
  ...over,
});

/** Updates as returned by the API. By default the newest version runs, and nothing was chosen. */
export const updatesOf = (over: Partial<DeploymentUpdatesAnswer> = {}): DeploymentUpdatesAnswer => ({
  running: versionOf('1.23.0', { released_on: '2026-10-05' }),
  is_withdrawn: false,
  newer: [],
  next: null,
  ends_undo: false,
  waits_for_owner: false,
  backs_up: true,
  unreachable_s: 90,
  settings: { ...DEFAULT_UPDATE_SETTINGS, days: [...DEFAULT_UPDATE_SETTINGS.days] },
  window: { from: '2026-11-22T02:00:00.000Z', to: '2026-11-22T05:00:00.000Z' },
  reboot: null,
  last: null,
  ...over,
});

export const NOT_BEGUN = progressOf([], { run: null });

/** Replies to the dashboard's requests for these deployments. */
export function repliesFor(deployments: readonly DeploymentAnswer[], more: Replies = {}): Replies {
  const own: Record<string, Replies[string]> = {};
  for (const deployment of deployments) {
    const { id, status, failure_reason, failure, deleted_at, instance_ip, vps_ip_address, version } = deployment;
    own[`GET /deployments/${id}`] = { body: deployment };
    own[`GET /deployments/${id}/status`] = {
      body: { id, status, failure_reason, failure, deleted_at, instance_ip, vps_ip_address, version },
    };
    own[`GET /deployments/${id}/progress`] = { body: { ...NOT_BEGUN, deployment_id: id, status } };
    own[`GET /deployments/${id}/backups`] = { body: backupsOf({ deployment_id: id }) };
    own[`GET /deployments/${id}/dns`] = { body: dnsOf({ all_right: true }) };
    own[`GET /deployments/${id}/domains`] = { body: domainsOf() };
    own[`GET /deployments/${id}/metrics`] = { body: metricsOf() };
    own[`GET /deployments/${id}/incidents`] = { body: incidentsOf() };
    own[`GET /deployments/${id}/updates`] = { body: updatesOf() };
  }
  return {
    'GET /deployments': { body: deployments, headers: { 'x-total-count': String(deployments.length) } },
    'GET /deployments/counts': { body: { all: deployments.length, needs_you: 0, in_progress: 0, ready: 0 } },
    'GET /deployments/packages': {
      body: [
        packageOf('pangolin', 'Pangolin', { description: 'Reach private services without open ports' }),
        packageOf('coolify', 'Coolify', { description: 'Deploy apps from Git' }),
      ],
    },
    'GET /deployments/cloud-providers': {
      body: [{ name: 'hetzner', display_name: 'Hetzner', simulated: true, prices: 'built_in' }],
    },
    'GET /deployments/regions/hetzner': {
      body: [{ name: 'fsn1', display_name: 'Falkenstein', country_code: 'de' }],
    },
    'GET /billing/runway': { body: { ...runwayOf(), now: NOW } },
    'GET /billing/balance': {
      body: {
        total_balance: 0,
        regular_balance: 0,
        referral_credits: 0,
        signup_credits: 0,
        available_balance: 0,
        owed: 0,
      },
    },
    'GET /pricing': { body: { minBalanceToDeploy: 5, minBalanceFirstDeployment: 4.99 } },
    ...own,
    ...more,
  };
}
