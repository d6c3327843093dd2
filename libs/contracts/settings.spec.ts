import { describe, expect, it } from '@jest/globals';
import { labWarnings, parseSettings, SettingsError } from './settings';

const PRODUCTION = {
  MODE: 'production',
  CLOUD_MODE: 'live',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  SECRETS_KEYS: `a:${'A'.repeat(43)}=`,
  MAIL_URL: 'smtp://mail.example.com',
};
const without = (name: keyof typeof PRODUCTION) => ({ ...PRODUCTION, [name]: undefined });

describe('settings', () => {
  it('need nothing for the embedded default', () => {
    const settings = parseSettings({});
    expect(settings).toMatchObject({
      MODE: 'demo',
      PORT: 3000,
      CLOUD_MODE: 'sandbox',
      DEPLETION_HOLD_MINUTES: 60,
      VPS_SSH_PORT: 22,
    });
  });

  it('take an empty variable as not set, as compose files write it', () => {
    expect(parseSettings({ STRIPE_SECRET_KEY: '', PORT: '' }).PORT).toBe(3000);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://x'],
    ['MODE', 'prod'],
    ['DEPLETION_HOLD_MINUTES', '1440'],
    ['VPS_ALLOWED_CIDRS', 'everything'],
    ['DNS_RESOLVERS', 'a b'],
    ['JWT_SECRET', 'short'],
  ])('name a wrong %s=%s and do not repeat its value', (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(SettingsError);
    expect(() => parseSettings({ [name]: value })).toThrow(new RegExp(name));
    if (name === 'JWT_SECRET') expect(() => parseSettings({ [name]: value })).not.toThrow(/short$/);
  });
});

describe('production', () => {
  it('starts with what it needs', () => {
    expect(parseSettings(PRODUCTION).MODE).toBe('production');
  });

  it.each(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'SECRETS_KEYS', 'MAIL_URL'] as const)(
    'does not start without %s',
    (name) => {
      expect(() => parseSettings(without(name))).toThrow(new RegExp(`^${name}|\n${name}`));
    },
  );

  it('does not start on simulated clouds unless told so twice', () => {
    expect(() => parseSettings({ ...PRODUCTION, CLOUD_MODE: 'sandbox' })).toThrow(/CLOUD_MODE/);
    expect(parseSettings({ ...PRODUCTION, CLOUD_MODE: 'sandbox', SANDBOX_IN_PRODUCTION: 'yes' }).CLOUD_MODE).toBe(
      'sandbox',
    );
  });

  it.each([
    ['LAB_CLOCK_OFFSET_MS', '1000'],
    ['VPS_ALLOWED_CIDRS', '127.0.0.0/8'],
    ['FAILPOINT', 'x'],
  ])('does not start with %s', (name, value) => {
    expect(() => parseSettings({ ...PRODUCTION, [name]: value })).toThrow(new RegExp(name));
  });

  it('warns of the lab settings it takes', () => {
    const settings = parseSettings({
      ...PRODUCTION,
      VPS_SSH_PORT: '2222',
      DNS_RESOLVERS: '127.0.0.1:53',
      CERTIFICATE_CA_FILE: 'ca.pem',
    });
    expect(labWarnings(settings)).toHaveLength(3);
    expect(labWarnings(parseSettings({}))).toHaveLength(0);
  });
});

describe('live clouds', () => {
  it('take no test payments, in no mode', () => {
    expect(() => parseSettings({ CLOUD_MODE: 'live' })).toThrow(/STRIPE_SECRET_KEY/);
  });
});
