import type {
  ApiTokenAnswer,
  DataExportAnswer,
  DeletionCheck,
  NotificationAnswer,
  SessionAnswer,
  SignInRecord,
  TwoFactorAnswer,
} from '@moorage/contracts';
import { type Replies, USER } from '../../testing/console-fixture';

const DEVICE = { ip_address: '203.0.113.9', browser: 'Firefox', system: 'Linux' };

export const SESSIONS: readonly SessionAnswer[] = [
  {
    ...DEVICE,
    id: 5,
    created_at: '2026-11-20T08:00:00.000Z',
    last_used_at: '2026-11-25T08:00:00.000Z',
    expires_at: '2026-12-20T08:00:00.000Z',
    is_current: true,
  },
  {
    id: 4,
    ip_address: null,
    browser: null,
    system: 'iOS',
    created_at: '2026-11-18T08:00:00.000Z',
    last_used_at: '2026-11-19T08:00:00.000Z',
    expires_at: '2026-12-18T08:00:00.000Z',
    is_current: false,
  },
];
export const SIGN_INS: readonly SignInRecord[] = [
  { ...DEVICE, id: 9, at: '2026-11-25T08:00:00.000Z', kind: 'code' },
  { ...DEVICE, id: 8, at: '2026-11-25T07:59:00.000Z', kind: 'code_refused' },
];
export const TOKEN: ApiTokenAnswer = {
  id: 3,
  label: 'backup script',
  scope: 'read',
  created_at: '2026-11-01T08:00:00.000Z',
  expires_at: null,
  last_used_at: null,
};
export const OFF: TwoFactorAnswer = { is_on: false, since: null, recovery_codes_left: 0, is_required: false };
export const ON: TwoFactorAnswer = { ...OFF, is_on: true, since: '2026-11-10T08:00:00.000Z', recovery_codes_left: 9 };
export const KINDS: readonly NotificationAnswer[] = [
  { kind: 'security', is_on: true, can_change: false },
  { kind: 'deployment_updates', is_on: true, can_change: true },
  { kind: 'getting_started', is_on: true, can_change: true },
];
export const EXPORT: DataExportAnswer = {
  id: 2,
  state: 'ready',
  created_at: '2026-11-24T08:00:00.000Z',
  ready_at: '2026-11-24T08:01:00.000Z',
  expires_at: '2026-12-01T08:00:00.000Z',
  size_bytes: 84_120,
};
export const MAY_DELETE: DeletionCheck = {
  can_delete: true,
  active_deployment_count: 0,
  balance: 34,
  credits: 4.99,
  refusal: null,
};
export const CODES = ['abcd-efgh-jkmn-pqrs', 'tuvw-xyz2-3456-789a'];

export const REPLIES: Replies = {
  'GET /auth/me': { body: USER },
  'GET /users/self/two-factor': { body: OFF },
  'GET /users/self/sessions': { body: SESSIONS },
  'GET /users/self/sign-ins': { body: SIGN_INS },
  'GET /users/self/api-tokens': { body: [TOKEN] },
  'GET /users/self/notifications': { body: KINDS },
  'GET /users/self/exports': { body: [EXPORT] },
  'GET /users/self/deletion-check': { body: MAY_DELETE },
};
