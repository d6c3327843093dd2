import type { Call } from '@moorage/contracts';
import { ORDER } from './deployments';

export const nameOf = ({ method, path }: Call): string => `${method} ${path}`;

/** Returns a valid address of the call that refers to nothing existing. */
export const addressOf = ({ path }: Call): string =>
  `/api${path}`
    .replace('{id}', '999999')
    .replace('{backup_id}', '999999')
    .replace('{key_id}', '999999')
    .replace('{domain_id}', '999999')
    .replace('{provider}', 'hetzner')
    .replace('{package}', 'pangolin')
    .replace('{version}', '1.24.0-2')
    .replace('{session_id}', 'cs_test_0000000000000000000')
    .replace(/\{\w+\}/g, 'nothing');

/** A valid body for each call that accepts one. The tests of threats derive their input from these. */
export const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /auth/login': { username: 'nobody@example.com', password: 'secret-1' },
  'POST /auth/forgot-password': { email: 'nobody@example.com' },
  'POST /auth/verify-email': { token: 'a-token-of-nobody-0000' },
  'POST /auth/reset-password': { token: 'a-token-of-nobody-0000', new_password: 'secret-2' },
  'POST /users': { username: 'mass', email: 'mass@example.com', password: 'secret-1' },
  'PUT /users/self/language': { language: 'de' },
  'PUT /users/self/username': { username: 'mass-renamed' },
  'POST /users/self/email-change': { email: 'mass-changed@example.com' },
  'PUT /users/self/password': { current_password: 'secret-1', new_password: 'secret-2' },
  'POST /users/self/reauthentication': { password: 'secret-1' },
  'POST /users/self/two-factor/confirm': { otp: '123456' },
  'PUT /users/self/notifications': { kind: 'deployment_ready', is_on: false },
  'POST /users/self/api-tokens': { label: 'script' },
  'POST /users/admin-create': { username: 'mass-made', email: 'mass-made@example.com', password: 'secret-1' },
  'POST /users/{id}/impersonation': { reason: 'asked by them' },
  'POST /users/{id}/prepare-deletion': { reason: 'asked by them' },
  'POST /deployments/pricing/calculate': {
    server_type: 'new',
    cloud_provider: 'hetzner',
    region: 'fsn1',
    instance_type: 'cpx22',
    support_level: 1,
  },
  'POST /deployments': ORDER,
  'POST /admin/providers/{provider}/confirm': { project_id: 'project-1' },
  'PUT /admin/providers/{provider}/credentials': { values: { HETZNER_TOKEN: 'token-of-nobody' } },
  'PATCH /deployments/{id}': { support_level: 2 },
  'PUT /deployments/{id}/domain': { domain: 'mass.example.org' },
  'PATCH /deployments/{id}/configuration': { values: { admin_email: 'mass@example.org' } },
  'POST /deployments/{id}/update': { version: '1.24.0-2' },
  'POST /deployments/{id}/reboot': { when: 'now' },
  'PUT /deployments/{id}/update-settings': {
    automatic: 'patch',
    is_held: false,
    days: [0],
    hour: 2,
    hours: 2,
    time_zone: 'Europe/Berlin',
  },
  'PUT /admin/releases/{package}/{version}': { ring: 'own', state: 'rolling', expected_changed_at: null },
  'POST /deployments/{id}/resize': { instance_type: 'cpx32', expected_hourly_cost: 0.0643 },
  'PUT /deployments/{id}/name': { name: 'Mass' },
  'PUT /deployments/{id}/deletion-lock': { locked: true },
  'POST /deployments/{id}/retry': { region: 'nbg1', instance_type: 'cpx22', expected_hourly_cost: 0.0356 },
  'POST /deployments/{id}/reopen': { reason: 'found again' },
  'POST /deployments/{id}/backups/{backup_id}/restore': { reason: 'asked by them' },
  'POST /deployments/{id}/undo-restore': { reason: 'asked by them' },
  'POST /deployments/{id}/restart': {},
  'POST /deployments/{id}/containers/{container}/restart': { reason: 'asked by them' },
  'POST /deployments/{id}/start-server': { reason: 'asked by them' },
  'POST /deployments/{id}/backups/{backup_id}/deployments': {
    server_type: 'new',
    cloud_provider: 'hetzner',
    region: 'fsn1',
    instance_type: 'cpx22',
    support_level: 1,
    expected_hourly_cost: 0.0356,
  },
  'POST /deployments/{id}/domains': { host: 'www.mass.sandbox.localhost' },
  'POST /deployments/{id}/dns/records': { provider: 'hetzner', token: 'mass-token' },
  'POST /deployments/{id}/move': {
    server_type: 'new',
    cloud_provider: 'hetzner',
    region: 'nbg1',
    instance_type: 'cpx22',
    expected_hourly_cost: 0.0356,
  },
  'POST /deployments/{id}/clone': {
    server_type: 'new',
    cloud_provider: 'hetzner',
    region: 'nbg1',
    instance_type: 'cpx22',
    domain: 'mass.example.net',
  },
  'PUT /deployments/{id}/backups/bucket': {
    endpoint: 'https://s3.example.com',
    region: 'eu-central-1',
    bucket: 'mass',
    access_key_id: 'AKIAEXAMPLE',
    secret_access_key: 'wJalrXUtnFEMI',
  },
  'POST /deployments/{id}/ssh-keys': {
    name: 'mass',
    reason: 'asked by them',
    public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFDYWOCYXsx/YEGKrwzFq1h/QsJXCohAlanozKzQ9lRc',
  },
  'PUT /billing/details': {
    name: 'Ada Lovelace',
    lines: ['Street 1'],
    postal_code: '10115',
    city: 'Berlin',
    country: 'DE',
    tax_id: 'DE123456789',
  },
  'POST /billing/admin/users/{id}/adjust-balance': { amount: 5, description: 'for trying' },
  'PUT /billing/automatic-top-up': {
    enabled: false,
    threshold: { kind: 'days', days: 3 },
    amount_cents: 1000,
    month_cap_cents: 10_000,
  },
  'POST /billing/admin/users/{id}/automatic-top-up/stop': { reason: 'They asked for it.' },
  'POST /stripe/create-checkout-session': { amount_cents: 1500 },
  'POST /billing/admin/payment-differences/{id}/settle': { reason: 'It was corrected by hand.' },
  'POST /admin/leaks/{id}/remove': { reason: 'It is left over.' },
  'POST /admin/leaks/{id}/keep': { reason: 'It is meant to be there.' },
  'POST /admin/leaks/{id}/adopt': { reason: 'It was restored.' },
  'POST /billing/admin/payments/{id}/refund': { amount_cents: 100, reason: 'They asked for it.' },
  'POST /stripe/test-checkout/{session_id}': { outcome: 'pay' },
  'POST /servers/validate-vps': { ip_address: '5.9.0.1' },
  'POST /deployments/package-request': { package_name: 'gitea', reason: 'We need it.' },
  'POST /support/referral-request': { email: 'jane@example.com', reason: 'I would like to try it.' },
  'POST /support/referral-requests/{id}/reject': { reason: 'Not this time.' },
  'POST /signup-credits/redeem': { code: 'FREEFREEFREEFREEFR' },
  'PATCH /referrals/admin/credits/{id}/adjust': { amount: 3 },
  'POST /referrals/admin/referrals/{id}/reject': { reason: 'One person.' },
  'POST /support/conversations/{id}/messages': { message: 'One more thing.' },
  'POST /support/visits': { token: `test.${'A'.repeat(60)}` },
  'POST /support/visits/messages': { token: `test.${'A'.repeat(60)}`, message: 'One more thing.' },
  'POST /support/admin/conversations/{id}/answers': { message: 'Like this.' },
  'POST /support/admin/conversations/{id}/notes': { message: 'Asked before.' },
  'PUT /support/admin/conversations/{id}/assignee': { user_id: null },
  'POST /support/contact': { name: 'Jane', email: 'jane@example.com', subject: 'A question', message: 'How?' },
};
