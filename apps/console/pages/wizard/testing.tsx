import type { PackageConfigAnswer, Price, PriceQuestionBody } from '@moorage/contracts';
import { type Draft, Money, newWizard, quotePrice, type WizardStep } from '@moorage/domain';
import { configure, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { NOW, runwayOf } from '../billing/testing';
import { type ConsoleFixture, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import { packageOf } from '../../testing/packages';
import { storeDraft } from '../../parts/order/draft-storage';
import WizardPage from './wizard-page';

// Two cores are shared by all tests, so timeouts are generous.
configure({ asyncUtilTimeout: 10_000, getElementError: (message) => new Error(message ?? '') });

const bothLanguages = (text: string) => ({ en: text, de: `${text} auf Deutsch` });

/** Package configuration as returned by the catalogue. */
export const configOf = (name: string, over: Partial<PackageConfigAnswer>): PackageConfigAnswer => ({
  name,
  display_name: 'Pangolin',
  package_description: 'Reverse proxy',
  package_description_texts: bothLanguages('Reverse proxy'),
  mark: [{ d: 'M4 4h16v16H4z', stroke: 3 }],
  base: 'pangolin',
  default_admin_subdomain: 'admin',
  requires: { cpu: 1, memory_gb: 2, disk_gb: 15, arch: ['amd64'] },
  defaults: { ADMIN_SUBDOMAIN: 'admin' },
  changeable: [],
  dns: [{ host: '{ADMIN_SUBDOMAIN}', required: true }],
  postgres_host: `${name}-postgres`,
  details: [
    {
      name: 'pangolin',
      description: 'Dashboard',
      description_texts: bothLanguages('Dashboard'),
      required_env: [
        { name: 'DOMAIN', hint: 'The domain you own.', hint_texts: bothLanguages('The domain you own.') },
        'EMAIL',
      ],
      optional_env: ['ADMIN_SUBDOMAIN', 'ADMIN_PASSWORD'],
    },
    {
      name: 'traefik',
      description: 'Router',
      description_texts: bothLanguages('Router'),
      required_env: [],
      optional_env: ['TRAEFIK_SUBDOMAIN', 'EMAIL'],
    },
  ],
  ...over,
});

const HOURLY: Readonly<Record<string, number>> = { small: 0.0107, middle: 0.0356, large: 0.0643 };

/** Computes the price as the server does. */
export function priceOf(question: PriceQuestionBody) {
  const { hourly, daily, monthly, breakdown } = quotePrice({
    serverType: question.server_type === 'vps' ? 'vps' : 'new',
    supportLevel: question.support_level,
    instanceHourly: Money.of(HOURLY[question.instance_type ?? ''] ?? 0),
  });
  return {
    hourly_cost: hourly.toWire(),
    daily_cost: daily.toWire(),
    monthly_cost: monthly.toWire(),
    breakdown: {
      instance_cost: breakdown.instanceCost.toWire(),
      support_cost: breakdown.supportCost.toWire(),
      byovps_management_fee: breakdown.byovpsManagementFee.toWire(),
    },
    server: question.server_type === 'vps' ? null : serverOf(question),
  };
}

/** Returns the entries of a place in the lists below. */
const serverOf = ({ cloud_provider, region, instance_type }: PriceQuestionBody): Price['server'] => ({
  provider: PROVIDERS.find(({ name }) => name === cloud_provider) ?? HETZNER,
  region: REGIONS.find(({ name }) => name === region) ?? FALKENSTEIN,
  size: SIZES.find(({ name }) => name === instance_type) ?? MIDDLE,
});

export const size = (name: string, cpu: number, memory: number) => ({
  name,
  display_name: name.toUpperCase(),
  cpu,
  memory,
  hourly_cost: HOURLY[name] ?? 0,
  available: true,
  nearest: null as string | null,
});

const HETZNER = {
  name: 'hetzner',
  display_name: 'Hetzner',
  simulated: true,
  prices: 'built_in' as const,
  priced_at: null,
  from_daily: 0.2568,
};
const PROVIDERS = [HETZNER, { ...HETZNER, name: 'vultr', display_name: 'Vultr', from_daily: undefined }];
const FALKENSTEIN = { name: 'fsn1', display_name: 'Falkenstein', country_code: 'de' };
const REGIONS = [FALKENSTEIN, { name: 'hel1', display_name: 'Helsinki', country_code: 'fi' }];
const MIDDLE = size('middle', 2, 4);
const SIZES = [MIDDLE, size('large', 4, 8), size('small', 1, 2)];

/** Default replies with two packages, two providers and a sufficient balance. */
export const REPLIES: Replies = {
  'GET /deployments/packages': {
    body: [
      packageOf('pangolin', 'Pangolin', { description: 'Reverse proxy', from_daily: 0.2568 }),
      packageOf('pangolin-plus', 'Pangolin+', { description: 'With CrowdSec', from_daily: 0.2568 }),
    ],
  },
  'GET /deployments/packages/pangolin/config': { body: configOf('pangolin', {}) },
  'GET /deployments/packages/pangolin-plus/config': {
    body: configOf('pangolin-plus', {
      display_name: 'Pangolin+',
      requires: { cpu: 2, memory_gb: 4, disk_gb: 20, arch: ['amd64'] },
      recommended: { cpu: 4, memory_gb: 4, disk_gb: 20, arch: ['amd64'] },
    }),
  },
  'GET /deployments/cloud-providers': { body: PROVIDERS },
  ...(Object.fromEntries(
    ['hetzner', 'vultr'].flatMap((provider) => [
      [`GET /deployments/regions/${provider}`, { body: REGIONS }],
      ...['fsn1', 'hel1'].map((region) => [`GET /deployments/instance-types/${provider}/${region}`, { body: SIZES }]),
    ]),
  ) as Replies),
  'GET /deployments/suggested-place': {
    body: { place: { cloud_provider: 'hetzner', region: 'fsn1', instance_type: 'middle', near: true } },
  },
  'POST /deployments/pricing/calculate': ({ body }) => ({ body: priceOf(body as PriceQuestionBody) }),
  'GET /billing/runway': ({ query }) => ({
    body:
      query.order_hourly === undefined
        ? runwayOf({ order_refusal: null })
        : runwayOf({ order_refusal: null, order_today: Number(query.order_hourly) * 10, now: NOW }, 8),
  }),
  'GET /deployments': { body: [] },
  'GET /servers/periphery-script': { body: 'services: {}' },
  'GET /console/settings': { status: 503 },
};

export interface Driven extends ConsoleFixture {
  readonly user: UserEvent;
}

export function openWizard({
  more = {},
  user = USER,
  at = '/create-deployment?step=package',
}: { more?: Replies; user?: typeof USER; at?: string } = {}): Driven {
  const fixture = showInConsole(<WizardPage />, { replies: { ...REPLIES, ...more }, at, user });
  return { ...fixture, user: userEvent.setup() };
}

export const heading = (): string => document.querySelector('h1')?.textContent ?? '';
export function forward(): HTMLElement {
  const button = document.querySelector<HTMLElement>('.forward');
  if (button === null) throw new Error('There is neither Next nor Create.');
  return button;
}
/** Navigates through the step list. */
export async function goesTo({ user }: Driven, step: string): Promise<void> {
  await user.click(screen.getByText(step, { selector: '.steps a' }));
}
export async function fills({ user }: Driven, label: string, value: string): Promise<void> {
  await user.click(await screen.findByLabelText(new RegExp(`^${label}$`)));
  await user.paste(value);
}
/** Returns the reason why Next is disabled, as screen readers announce it, or null if it is enabled. */
export function whyOff(): string | null {
  if (forward().getAttribute('aria-disabled') !== 'true') return null;
  return document.getElementById(forward().getAttribute('aria-describedby') ?? '')?.textContent ?? '';
}

export async function chooses({ user }: Driven, name: string): Promise<void> {
  await user.click(await screen.findByText(name, { selector: '.opt b, .size b' }));
}

export async function goesOn({ user }: Driven, to: string): Promise<void> {
  await waitFor(() => {
    const why = whyOff();
    if (why !== null) throw new Error(`Next is off: ${why}`);
  });
  await user.click(forward());
  await screen.findByText(to, { selector: 'h1' });
}

const FILLED: readonly (readonly [step: WizardStep, draft: Partial<Draft>])[] = [
  ['package', { package: 'pangolin', admin_subdomain: 'admin' }],
  ['server', { server_type: 'new' }],
  ['cloud', { cloud_provider: 'hetzner' }],
  ['region', { region: 'fsn1' }],
  ['instance', { instance_type: 'middle' }],
  ['config', { domain: 'harbour.example', admin_email: 'mara@northsea.example' }],
  ['support', {}],
  ['review', {}],
];
const HEADINGS: Readonly<Record<WizardStep, string>> = {
  package: 'Choose a package',
  server: 'Choose a server',
  cloud: 'Choose a cloud provider',
  region: 'Choose a region',
  instance: 'Choose an instance type',
  config: 'Configuration',
  support: 'Choose a support level',
  review: 'Review',
};

export const BEGUN_AT = Date.parse('2026-11-21T14:00:00.123Z');

/** Opens this step with all earlier choices made (a new server of the middle size), as after a page reload. */
export async function openAt(
  step: WizardStep,
  { draft = {}, ...options }: { draft?: Partial<Draft>; more?: Replies; user?: typeof USER; at?: string } = {},
): Promise<Driven> {
  const wizard = newWizard<Price>();
  const before = FILLED.slice(
    0,
    FILLED.findIndex(([each]) => each === step),
  ).map(([, filled]) => filled);
  storeDraft<Price>({
    owner: USER.id,
    begunAt: BEGUN_AT,
    idempotencyKey: 'one-order',
    wizard: { ...wizard, step, draft: Object.assign({}, wizard.draft, ...before, draft) as Draft },
    check: null,
    forgotten: [],
    resumed: false,
  });
  const driven = openWizard({ at: `/create-deployment?step=${step}`, ...options });
  await screen.findByText(HEADINGS[step], { selector: 'h1' });
  return driven;
}

export const steps = (): string[] =>
  [...document.querySelectorAll('.steps li b')].map((title) => title.textContent ?? '');
export const chosenIn = (step: string): string | null =>
  [...document.querySelectorAll('.steps li')]
    .find((item) => item.querySelector('b')?.textContent === step)
    ?.querySelector('small')?.textContent ?? null;
export const priceLines = (): string[] =>
  [...document.querySelectorAll('.bill .lines > div')].map((line) =>
    [...line.children].map((part) => part.textContent).join(': '),
  );
