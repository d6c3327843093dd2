import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accessLink } from './access-link';
import { clientNames, displayName, isClientName } from './client-names';
import {
  draftToSend,
  mayGoNext,
  missingEnv,
  newWizard,
  wizardSteps,
  type Wizard,
  type WizardAction,
  type WizardStep,
  wizardReducer,
} from './draft';
import { envLabel, inputType } from './env';
import { configurableEnv, type PackageConfig } from './package-config';
import { asStored } from '../messages/message';

const NOTICES = { en: 'For notices', de: 'Für Nachrichten' };
const pangolin: PackageConfig = {
  name: 'pangolin',
  display_name: 'Pangolin',
  admin_name: 'email',
  default_admin_subdomain: 'admin',
  details: [
    {
      name: 'pangolin',
      required_env: ['DOMAIN', { name: 'EMAIL', hint_texts: NOTICES }],
      optional_env: ['ADMIN_SUBDOMAIN', 'ADMIN_PASSWORD'],
    },
    { name: 'traefik', required_env: [], optional_env: ['TRAEFIK_SUBDOMAIN', 'EMAIL'] },
  ],
};
const coolify: PackageConfig = {
  ...pangolin,
  name: 'coolify',
  default_admin_subdomain: 'coolify',
  details: [{ name: 'coolify', required_env: ['DOMAIN', 'ADMIN_SUBDOMAIN'], optional_env: [] }],
};

type Price = { readonly daily_cost: number };
type Action = WizardAction<Price>;
const play = (...actions: Action[]): Wizard<Price> => actions.reduce<Wizard<Price>>(wizardReducer, newWizard<Price>());
const price: Action = { type: 'priced', pricing: { daily_cost: 1 } };
const next: Action = { type: 'went_next', config: pangolin };
const back: Action = { type: 'went_back' };
const NEW_SERVER: Action[] = [
  { type: 'package_chosen', config: pangolin },
  next,
  { type: 'server_type_chosen', server_type: 'new' },
  next,
  { type: 'provider_chosen', cloud_provider: 'hetzner' },
  next,
  { type: 'region_chosen', region: 'fsn1' },
  next,
  { type: 'instance_chosen', instance_type: 'cpx22' },
  next,
];
const CONFIGURED: Action[] = [
  { type: 'config_typed', field: 'domain', value: 'example.com' },
  { type: 'config_typed', field: 'admin_email', value: 'jane@example.com' },
];

describe('express order', () => {
  const PLACE = { cloud_provider: 'hetzner', region: 'fsn1', instance_type: 'cpx22' };
  const chosen: Action = { type: 'package_chosen', config: pangolin };
  const prefilled = (more: { place?: typeof PLACE | null; email?: string | null } = {}): Action => ({
    ...{ type: 'prefilled', config: pangolin, place: PLACE, email: 'jane@example.com' },
    ...more,
  });

  it('stands at the review with the suggested place and the email of the account', () => {
    const { step, draft } = play(chosen, prefilled());
    expect(step).toBe('review');
    expect(draft).toMatchObject({ server_type: 'new', ...PLACE, admin_email: 'jane@example.com' });
    expect(missingEnv(draft, pangolin)).toEqual(['DOMAIN']);
  });

  it('keeps what was chosen and typed, with its price', () => {
    const own = { ...PLACE, region: 'hel1' };
    const { draft, pricing } = play(
      ...NEW_SERVER,
      { type: 'config_typed', field: 'admin_email', value: 'ops@example.com' },
      price,
      prefilled({ place: own }),
    );
    expect(draft).toMatchObject({ ...PLACE, admin_email: 'ops@example.com' });
    expect(pricing).toEqual({ daily_cost: 1 });
  });

  it("never gives a customer's own server a place", () => {
    const { draft } = play(chosen, { type: 'server_type_chosen', server_type: 'vps' }, prefilled());
    expect(draft).toMatchObject({ server_type: 'vps', cloud_provider: null, instance_type: null });
  });

  it('waits for a place and an email that are unknown', () => {
    const { draft } = play(chosen, prefilled({ place: null, email: null }));
    expect(draft.instance_type).toBeNull();
    expect(missingEnv(draft, pangolin)).toEqual(['DOMAIN', 'EMAIL']);
  });
});

describe('wizard steps', () => {
  it('include provider, region and instance type only for a new server', () => {
    expect(wizardSteps({ server_type: 'new' })).toEqual([
      'package',
      'server',
      'cloud',
      'region',
      'instance',
      'config',
      'support',
      'review',
    ]);
    expect(wizardSteps({ server_type: 'vps' })).toEqual(['package', 'server', 'config', 'support', 'review']);
    expect(wizardSteps({ server_type: null })).toEqual(['package', 'server', 'config', 'support', 'review']);
  });

  it('start at the package with Level 1', () => {
    expect(newWizard().step).toBe('package');
    expect(newWizard().draft.support_level).toBe(1);
  });

  it('lead through all steps of a new server and back', () => {
    const atReview = play(...NEW_SERVER, ...CONFIGURED, next, next);
    expect(atReview.step).toBe('review');
    expect([back, back, back].reduce<Wizard<Price>>(wizardReducer, atReview).step).toBe('instance');
  });

  it('do not change on Back at the first step and Next at the last', () => {
    expect(play(back).step).toBe('package');
    expect(play(...NEW_SERVER, ...CONFIGURED, next, next, price, next).step).toBe('review');
  });
});

describe('Next', () => {
  it.each<[string, Action[], boolean]>([
    ['no package', [], false],
    ['a package', [{ type: 'package_chosen', config: pangolin }], true],
    ['no server', NEW_SERVER.slice(0, 2), false],
    ['a new server', NEW_SERVER.slice(0, 3), true],
    [
      'an own server without address',
      [...NEW_SERVER.slice(0, 2), { type: 'server_type_chosen', server_type: 'vps' }],
      false,
    ],
    ['no provider', NEW_SERVER.slice(0, 4), false],
    ['a provider', NEW_SERVER.slice(0, 5), true],
    ['no region', NEW_SERVER.slice(0, 6), false],
    ['no instance type', NEW_SERVER.slice(0, 8), false],
    ['required values missing', NEW_SERVER, false],
    [
      'one required value of two',
      [...NEW_SERVER, { type: 'config_typed', field: 'domain', value: 'example.com' }],
      false,
    ],
    [
      'only spaces in one',
      [...NEW_SERVER, ...CONFIGURED, { type: 'config_typed', field: 'domain', value: '   ' }],
      false,
    ],
    ['all required values', [...NEW_SERVER, ...CONFIGURED], true],
    ['the level, which has a default', [...NEW_SERVER, ...CONFIGURED, next], true],
    ['the review without a price', [...NEW_SERVER, ...CONFIGURED, next, next], false],
    ['the review with a price', [...NEW_SERVER, ...CONFIGURED, next, next, price], true],
  ])('%s', (_, actions, on) => {
    expect(mayGoNext(play(...actions), pangolin)).toBe(on);
  });

  it('is disabled at the configuration until the package is loaded', () => {
    expect(mayGoNext(play(...NEW_SERVER, ...CONFIGURED), null)).toBe(false);
  });

  describe('own server in the draft', () => {
    const own: Action[] = [
      ...NEW_SERVER.slice(0, 2),
      { type: 'server_type_chosen', server_type: 'vps' },
      { type: 'vps_address_typed', address: '5.9.0.1' },
    ];
    const requested: Action = { type: 'vps_check_started' };
    const answered = (address: string, passed: boolean): Action => ({
      type: 'vps_check_answered',
      address,
      passed,
      message: asStored('said so'),
    });

    it.each<[string, Action[], string, boolean]>([
      ['typed', [], 'idle', false],
      ['requested', [requested], 'validating', false],
      ['passed', [requested, answered('5.9.0.1', true)], 'success', true],
      ['rejected', [requested, answered('5.9.0.1', false)], 'error', false],
      [
        'passed, then another address was typed',
        [requested, answered('5.9.0.1', true), { type: 'vps_address_typed', address: '5.9.0.2' }],
        'idle',
        false,
      ],
      [
        'passed, then the same address was typed again',
        [requested, answered('5.9.0.1', true), { type: 'vps_address_typed', address: '5.9.0.1' }],
        'success',
        true,
      ],
      [
        'a response for the previous address',
        [requested, { type: 'vps_address_typed', address: '5.9.0.2' }, requested, answered('5.9.0.1', true)],
        'validating',
        false,
      ],
      ['an unexpected response', [answered('5.9.0.1', true)], 'idle', false],
    ])('%s', (_, actions, state, on) => {
      const wizard = play(...own, ...actions);
      expect(wizard.vps.state).toBe(state);
      expect(mayGoNext(wizard, pangolin)).toBe(on);
    });
  });
});

describe('clearing later selections', () => {
  const priced = play(...NEW_SERVER, ...CONFIGURED, next, next, price);

  it('clears cloud, region and instance when the server type changes from new', () => {
    const { draft } = wizardReducer(priced, { type: 'server_type_chosen', server_type: 'vps' });
    expect(draft).toMatchObject({
      server_type: 'vps',
      cloud_provider: null,
      region: null,
      instance_type: null,
      domain: 'example.com',
    });
  });

  it.each<[string, Action]>([
    ['server type', { type: 'server_type_chosen', server_type: 'vps' }],
    ['provider', { type: 'provider_chosen', cloud_provider: 'aws' }],
    ['region', { type: 'region_chosen', region: 'nbg1' }],
    ['instance type', { type: 'instance_chosen', instance_type: 'cpx32' }],
    ['support level', { type: 'support_level_chosen', support_level: 2 }],
    ['package', { type: 'package_chosen', config: coolify }],
  ])('another %s clears the price', (_, action) => {
    expect(wizardReducer(priced, action).pricing).toBeNull();
  });

  it('clears region and instance with another provider, the instance with another region, nothing with the same choice', () => {
    expect(wizardReducer(priced, { type: 'provider_chosen', cloud_provider: 'aws' }).draft).toMatchObject({
      region: null,
      instance_type: null,
    });
    expect(wizardReducer(priced, { type: 'region_chosen', region: 'nbg1' }).draft).toMatchObject({
      region: 'nbg1',
      instance_type: null,
    });
    expect(wizardReducer(priced, { type: 'provider_chosen', cloud_provider: 'hetzner' }).draft).toMatchObject({
      region: 'fsn1',
      instance_type: 'cpx22',
    });
    expect(wizardReducer(priced, { type: 'region_chosen', region: 'fsn1' }).draft).toMatchObject({
      instance_type: 'cpx22',
    });
  });

  it.each([
    [1, 'support', false],
    [2, 'config', false],
    [3, 'instance', false],
    [4, 'region', true],
  ])('going back %i steps (to %s) clears the price: %s', (times, step, cleared) => {
    const wizard = Array.from({ length: times }, () => back).reduce<Wizard<Price>>(wizardReducer, priced);
    expect(wizard.step).toBe(step);
    expect(wizard.pricing === null).toBe(cleared);
  });

  it.each(['package', 'cloud', 'region'] as const)('going back to %s clears a price that is still there', (step) => {
    const steps = wizardSteps(priced.draft);
    const after = steps[steps.indexOf(step) + 1] ?? 'review';
    const wizard = wizardReducer({ ...priced, step: after }, back);
    expect(wizard.step).toBe(step);
    expect(wizard.pricing).toBeNull();
  });

  it('keeps the price when a value is typed', () => {
    expect(
      wizardReducer(priced, { type: 'config_typed', field: 'domain', value: 'other.example' }).pricing,
    ).not.toBeNull();
  });

  it('property: an own server never has a location after any sequence of clicks', () => {
    const actions = fc.array(
      fc.constantFrom(...NEW_SERVER, ...CONFIGURED, price, back, {
        type: 'server_type_chosen',
        server_type: 'vps',
      } as Action),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(actions, (list) => {
        const { draft } = play(...list, { type: 'server_type_chosen', server_type: 'vps' });
        expect([draft.cloud_provider, draft.region, draft.instance_type]).toEqual([null, null, null]);
      }),
    );
  });

  it('property: the wizard is always at a visible step', () => {
    const actions = fc.array(
      fc.constantFrom(...NEW_SERVER, ...CONFIGURED, price, back, {
        type: 'server_type_chosen',
        server_type: 'vps',
      } as Action),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(actions, (list) => {
        const wizard = play(...list);
        expect(wizardSteps(wizard.draft)).toContain(wizard.step);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('navigating to a step', () => {
  const to = (step: WizardStep): Action => ({ type: 'went_to', step, config: pangolin });
  const atReview = play(...NEW_SERVER, ...CONFIGURED, next, next, price);

  it('leads back to any visible step', () => {
    expect(atReview.step).toBe('review');
    for (const step of wizardSteps({ server_type: 'new' })) expect(wizardReducer(atReview, to(step)).step).toBe(step);
  });

  it.each([
    ['package', null],
    ['server', { daily_cost: 1 }],
    ['cloud', null],
    ['region', null],
    ['instance', { daily_cost: 1 }],
    ['config', { daily_cost: 1 }],
    ['support', { daily_cost: 1 }],
  ] as const)('back to %s leaves the price %j', (step, pricing) => {
    expect(wizardReducer(atReview, to(step)).pricing).toEqual(pricing);
  });

  it('leads forward as far as Next is enabled', () => {
    const back = wizardReducer(atReview, to('region'));
    expect(wizardReducer(back, to('support')).step).toBe('support');
    const other = wizardReducer(back, { type: 'region_chosen', region: 'hel1' });
    expect(wizardReducer(other, to('instance')).step).toBe('instance');
    expect(wizardReducer(other, to('config'))).toBe(other);
  });

  it('never leads to a hidden step', () => {
    const own = wizardReducer(wizardReducer(atReview, to('server')), {
      type: 'server_type_chosen',
      server_type: 'vps',
    });
    expect(wizardReducer(own, to('region'))).toBe(own);
    expect(wizardReducer(own, to('config'))).toBe(own);
  });
});

describe('required values', () => {
  it('include each value that any part of the package requires, once', () => {
    expect(configurableEnv(pangolin)).toEqual([
      { name: 'DOMAIN', hint_texts: null, required: true },
      { name: 'EMAIL', hint_texts: NOTICES, required: true },
      { name: 'ADMIN_SUBDOMAIN', hint_texts: null, required: false },
      { name: 'ADMIN_PASSWORD', hint_texts: null, required: false },
      { name: 'TRAEFIK_SUBDOMAIN', hint_texts: null, required: false },
    ]);
  });

  it('include coolify for an empty admin subdomain of Coolify, even if required', () => {
    const { draft } = play(
      { type: 'package_chosen', config: coolify },
      { type: 'config_typed', field: 'admin_subdomain', value: '' },
    );
    expect(missingEnv(draft, coolify)).toEqual(['DOMAIN']);
  });

  it('include the default admin subdomain of the selected package until another is typed', () => {
    const switched = play({ type: 'package_chosen', config: pangolin }, { type: 'package_chosen', config: coolify });
    expect(switched.draft.admin_subdomain).toBe('coolify');
    const typed = play(
      { type: 'package_chosen', config: pangolin },
      { type: 'config_typed', field: 'admin_subdomain', value: 'door' },
      { type: 'package_chosen', config: coolify },
    );
    expect(typed.draft.admin_subdomain).toBe('door');
  });

  it('recognise any suggested admin subdomain, and a package without a suggestion changes nothing', () => {
    const choose = (name: string, suggested: string | null): Action => ({
      type: 'package_chosen',
      config: { ...coolify, name, default_admin_subdomain: suggested },
    });
    const subdomain = (...actions: Action[]): string | null | undefined => play(...actions).draft.admin_subdomain;
    expect(subdomain(choose('one', 'bridge'), choose('two', 'deck'))).toBe('deck');
    expect(subdomain(choose('one', 'bridge'), choose('page', null))).toBe('bridge');
    expect(subdomain(choose('one', 'bridge'), choose('page', null), choose('two', 'deck'))).toBe('deck');
    expect(
      subdomain(
        choose('one', 'bridge'),
        { type: 'config_typed', field: 'admin_subdomain', value: 'deck' },
        choose('two', 'deck'),
        choose('three', 'mast'),
      ),
    ).toBe('deck');
  });
});

it('does not send values typed for another package', () => {
  const { draft } = play(...NEW_SERVER, ...CONFIGURED, {
    type: 'config_typed',
    field: 'openai_api_key',
    value: 'half a key',
  });
  expect(draftToSend(draft, pangolin)).toMatchObject({ domain: 'example.com', openai_api_key: null, region: 'fsn1' });
});

describe('labels and inputs', () => {
  it.each([
    ['DOMAIN', 'Domain'],
    ['EMAIL', 'Letsencrypt Email'],
    ['ADMIN_SUBDOMAIN', 'Admin Subdomain'],
    ['SETUP_TOKEN', 'Setup Token'],
    ['ADMIN_USERNAME', 'Admin Username'],
    ['ADMIN_PASSWORD', 'Admin Password'],
    ['CROWDSEC_ENROLLMENT_KEY', 'CrowdSec Enrollment Key'],
    ['STATIC_PAGE_SUBDOMAIN', 'Static Page Subdomain'],
    ['MAXMIND_LICENSE_KEY', 'MaxMind License Key'],
    ['CLIENT_ID', 'OAuth Client ID'],
    ['CLIENT_SECRET', 'OAuth Client Secret'],
    ['KOMODO_HOST_IP', 'Komodo Host IP'],
    ['KOMODO_PASSKEY', 'Komodo Passkey'],
    ['OPENAI_API_KEY', 'OpenAI API Key'],
    ['LOGS_SUBDOMAIN', 'Logs Subdomain'],
    ['SOMETHING_NEW', 'Something New'],
  ])('%s is labelled %s', (env, label) => {
    expect(envLabel(env)).toBe(label);
  });

  it.each([
    ['admin_password', 'password'],
    ['oauth_client_secret', 'password'],
    ['openai_api_key', 'password'],
    ['komodo_passkey', 'password'],
    ['setup_token', 'password'],
    ['KOMODO_PASSKEY', 'password'],
    ['admin_email', 'email'],
    ['EMAIL', 'email'],
    ['domain', 'text'],
  ])('%s is an input of type %s', (name, type) => {
    expect(inputType(name)).toBe(type);
  });
});

describe('generated names of an order', () => {
  it.each([
    ['jane.doe+x@example.com', 'pangolin', 1_763_683_123_456, 'janedoex-pangolin-123456', 'janedoexpangolin123456'],
    ['a@b.co', 'pangolin-plus-ai', 1_000_000_000_000, 'a-pangolin-000000', 'apangolin000000'],
    ['verylongname@example.com', 'coolify', 42, 'verylong-coolify-000042', 'verylongcoolify000042'],
    ['---@example.com', 'coolify', 7, 'coolify-000007', 'coolify000007'],
  ])('%s orders %s at %d', (email, name, now, client_name, client_id) => {
    expect(clientNames({ email, package: name, now })).toEqual({ client_name, client_id });
  });

  it('property: a generated name is always valid', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (email, name, now) => {
        const names = clientNames({ email, package: name, now });
        expect(isClientName(names.client_name)).toBe(true);
        expect(isClientName(names.client_id)).toBe(true);
      }),
    );
  });

  it('show the number of a deployment without a name', () => {
    expect(displayName({ id: 7, client_name: '' })).toBe('deployment-7');
    expect(displayName({ id: 7, client_name: 'shop' })).toBe('shop');
  });
});

describe('access link', () => {
  const nothing = { domain: null, admin_subdomain: null, instance_ip: null, vps_ip_address: null };
  it.each([
    [
      { ...nothing, domain: 'example.com', admin_subdomain: 'admin', instance_ip: '5.9.0.1' },
      'https://admin.example.com',
    ],
    [{ ...nothing, domain: 'example.com' }, 'https://example.com'],
    [{ ...nothing, instance_ip: '5.9.0.1' }, 'http://5.9.0.1'],
    [{ ...nothing, vps_ip_address: '2a01:4f8::1' }, 'http://[2a01:4f8::1]'],
    [nothing, null],
  ])('%j', (deployment, link) => {
    expect(accessLink(deployment)).toBe(link);
  });
});
