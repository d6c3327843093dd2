import { CONFIG_FIELDS, type ConfigField, envVariable } from './env';
import { configurableEnv, type PackageConfig } from './package-config';
import type { ServerType } from './server-type';
import type { SupportLevel } from './support-level';
import type { Message } from '../messages/message';

/**
 * Draft of an order, held by the wizard and accepted by `POST /deployments/`, with the field names of the API.
 * Undefined, null and '' mean that nothing is chosen.
 */
export interface Draft extends Readonly<Partial<Record<ConfigField, string | null>>> {
  readonly package: string | null;
  readonly server_type: ServerType | null;
  readonly cloud_provider: string | null;
  readonly region: string | null;
  readonly instance_type: string | null;
  readonly support_level: SupportLevel;
  readonly vps_ip_address: string | null;
  readonly user_ssh_key: string | null;
}

export type WizardStep = 'package' | 'server' | 'cloud' | 'region' | 'instance' | 'config' | 'support' | 'review';

export const STEP_TITLES: Readonly<Record<WizardStep, string>> = {
  package: 'Package',
  server: 'Server',
  cloud: 'Cloud Provider',
  region: 'Region',
  instance: 'Instance Type',
  config: 'Configuration',
  support: 'Support Level',
  review: 'Review',
};

/** All steps, in order. */
export const WIZARD_STEPS = Object.keys(STEP_TITLES) as readonly WizardStep[];

export interface VpsValidation {
  readonly state: 'idle' | 'validating' | 'success' | 'error';
  /** Address that was validated. */
  readonly address: string | null;
  readonly message: Message | null;
}

/** State of the wizard. `P` is the type of the price as the server returned it. */
export interface Wizard<P> {
  readonly step: WizardStep;
  readonly draft: Draft;
  readonly vps: VpsValidation;
  readonly pricing: P | null;
  /** Admin subdomain last suggested by a chosen package. */
  readonly suggestedSubdomain: string | null;
}

/** Provider, region and size of a new server. */
export interface NewServerPlace {
  readonly cloud_provider: string;
  readonly region: string;
  readonly instance_type: string;
}

export type WizardAction<P> =
  | { readonly type: 'package_chosen'; readonly config: PackageConfig }
  | { readonly type: 'server_type_chosen'; readonly server_type: ServerType }
  | { readonly type: 'provider_chosen'; readonly cloud_provider: string }
  | { readonly type: 'region_chosen'; readonly region: string }
  | { readonly type: 'instance_chosen'; readonly instance_type: string }
  | { readonly type: 'vps_address_typed'; readonly address: string }
  | { readonly type: 'vps_check_started' }
  | {
      readonly type: 'vps_check_answered';
      readonly address: string;
      readonly passed: boolean;
      readonly message: Message;
    }
  | { readonly type: 'config_typed'; readonly field: ConfigField; readonly value: string }
  | { readonly type: 'ssh_key_typed'; readonly value: string }
  | { readonly type: 'support_level_chosen'; readonly support_level: SupportLevel }
  | {
      readonly type: 'prefilled';
      readonly config: PackageConfig;
      readonly place: NewServerPlace | null;
      readonly email: string | null;
    }
  | { readonly type: 'priced'; readonly pricing: P }
  | { readonly type: 'went_next'; readonly config: PackageConfig | null }
  | { readonly type: 'went_back' }
  | { readonly type: 'went_to'; readonly step: WizardStep; readonly config: PackageConfig | null };

const VPS_IDLE: VpsValidation = { state: 'idle', address: null, message: null };

export function newWizard<P>(): Wizard<P> {
  return {
    step: 'package',
    draft: {
      package: null,
      server_type: null,
      cloud_provider: null,
      region: null,
      instance_type: null,
      support_level: 1,
      vps_ip_address: null,
      user_ssh_key: null,
    },
    vps: VPS_IDLE,
    pricing: null,
    suggestedSubdomain: null,
  };
}

/** Returns the steps of a draft in order. Cloud, region and instance apply only to a new server. */
export function wizardSteps({ server_type }: Pick<Draft, 'server_type'>): readonly WizardStep[] {
  const place: readonly WizardStep[] = server_type === 'new' ? ['cloud', 'region', 'instance'] : [];
  return ['package', 'server', ...place, 'config', 'support', 'review'];
}

/** Steps that clear the price when the user returns to them. */
const UNPRICED_ON_RETURN: readonly WizardStep[] = ['package', 'cloud', 'region'];

/** Returns whether a step hides the price, because the choices that determine it are made there or later. */
export const isUnpriced = (step: WizardStep): boolean => UNPRICED_ON_RETURN.includes(step);

/** Applies an action to the state of the wizard. */
export function wizardReducer<P>(wizard: Wizard<P>, action: WizardAction<P>): Wizard<P> {
  /** Applies a change that affects the price and clears the price, so that a shown price always matches the draft. */
  const changed = (change: Partial<Draft>): Wizard<P> => ({
    ...wizard,
    draft: { ...wizard.draft, ...change },
    pricing: null,
  });
  switch (action.type) {
    case 'package_chosen':
      return withSuggestion(changed({ package: action.config.name }), action.config);
    case 'server_type_chosen': {
      if (action.server_type === 'new') return changed({ server_type: 'new' });
      const own = changed({ server_type: 'vps', cloud_provider: null, region: null, instance_type: null });
      // Steps for the place of a new server no longer exist, so leave them.
      return wizardSteps(own.draft).includes(own.step) ? own : { ...own, step: 'server' };
    }
    case 'provider_chosen': {
      const same = action.cloud_provider === wizard.draft.cloud_provider;
      return same ? changed({}) : changed({ cloud_provider: action.cloud_provider, region: null, instance_type: null });
    }
    case 'region_chosen':
      return action.region === wizard.draft.region
        ? changed({})
        : changed({ region: action.region, instance_type: null });
    case 'instance_chosen':
      return changed({ instance_type: action.instance_type });
    case 'support_level_chosen':
      return changed({ support_level: action.support_level });
    case 'vps_address_typed': {
      const same = action.address === wizard.draft.vps_ip_address;
      return same ? wizard : { ...wizard, draft: { ...wizard.draft, vps_ip_address: action.address }, vps: VPS_IDLE };
    }
    case 'vps_check_started':
      return { ...wizard, vps: { state: 'validating', address: wizard.draft.vps_ip_address, message: null } };
    case 'vps_check_answered':
      // The result concerns an address that has been changed in the meantime.
      if (action.address !== wizard.draft.vps_ip_address || wizard.vps.state !== 'validating') return wizard;
      return {
        ...wizard,
        vps: { state: action.passed ? 'success' : 'error', address: action.address, message: action.message },
      };
    case 'config_typed':
      return { ...wizard, draft: { ...wizard.draft, [action.field]: action.value } };
    case 'ssh_key_typed':
      return { ...wizard, draft: { ...wizard.draft, user_ssh_key: action.value } };
    case 'prefilled':
      return prefilled(wizard, action);
    case 'priced':
      return { ...wizard, pricing: action.pricing };
    case 'went_next': {
      const step = wizardSteps(wizard.draft)[wizardSteps(wizard.draft).indexOf(wizard.step) + 1];
      return step === undefined || !mayGoNext(wizard, action.config) ? wizard : { ...wizard, step };
    }
    case 'went_back': {
      const step = wizardSteps(wizard.draft)[wizardSteps(wizard.draft).indexOf(wizard.step) - 1];
      return step === undefined ? wizard : goTo(wizard, step);
    }
    case 'went_to':
      return mayGoTo(wizard, action.step, action.config) ? goTo(wizard, action.step) : wizard;
  }
}

/**
 * Returns whether the user may go to a step. Earlier steps are always allowed, later steps if Next is enabled on every
 * step before them.
 */
export function mayGoTo<P>(wizard: Wizard<P>, step: WizardStep, config: PackageConfig | null): boolean {
  const steps = wizardSteps(wizard.draft);
  const here = steps.indexOf(wizard.step);
  const there = steps.indexOf(step);
  return there !== -1 && steps.slice(here, there).every((between) => mayGoNext({ ...wizard, step: between }, config));
}

function goTo<P>(wizard: Wizard<P>, step: WizardStep): Wizard<P> {
  const steps = wizardSteps(wizard.draft);
  const goesBack = steps.indexOf(step) < steps.indexOf(wizard.step);
  return { ...wizard, step, pricing: goesBack && isUnpriced(step) ? null : wizard.pricing };
}

/**
 * Returns whether Next, or Create on the last step, is enabled. `config` is null while the chosen package's manifest is
 * not loaded.
 */
export function mayGoNext<P>(wizard: Wizard<P>, config: PackageConfig | null): boolean {
  const { draft, vps } = wizard;
  switch (wizard.step) {
    case 'package':
      return isGiven(draft.package);
    case 'server':
      return draft.server_type === 'new' || (draft.server_type === 'vps' && isVpsValidated(draft, vps));
    case 'cloud':
      return isGiven(draft.cloud_provider);
    case 'region':
      return isGiven(draft.region);
    case 'instance':
      return isGiven(draft.instance_type);
    case 'config':
      return config !== null && missingEnv(draft, config).length === 0;
    case 'support':
      return true;
    case 'review':
      return wizard.pricing !== null && config !== null && isComplete(draft, vps, config);
  }
}

function isComplete(draft: Draft, vps: VpsValidation, config: PackageConfig): boolean {
  const placed =
    draft.server_type === 'new'
      ? isGiven(draft.cloud_provider) && isGiven(draft.region) && isGiven(draft.instance_type)
      : isVpsValidated(draft, vps);
  return placed && draft.package === config.name && missingEnv(draft, config).length === 0;
}

function isVpsValidated(draft: Draft, vps: VpsValidation): boolean {
  return vps.state === 'success' && isGiven(vps.address) && vps.address === draft.vps_ip_address;
}

/**
 * Returns the required env names without a value. The admin subdomain is never missing if the package has a default for
 * it.
 */
export function missingEnv(draft: Draft, config: PackageConfig): readonly string[] {
  return configurableEnv(config)
    .filter((requested) => requested.required && !isGiven(envValue(draft, requested.name, config)))
    .map((requested) => requested.name);
}

/**
 * Returns the draft's value for an env name, or '' if there is none. An empty admin subdomain gets the package's
 * default.
 */
export function envValue(draft: Draft, env: string, config: PackageConfig): string {
  const field = envVariable(env)?.field;
  const value = (field === undefined ? null : draft[field]) ?? '';
  return value === '' && env === 'ADMIN_SUBDOMAIN' ? (config.default_admin_subdomain ?? '') : value;
}

/** Returns the draft to send, without values entered for another package that no current screen shows. */
export function draftToSend(draft: Draft, config: PackageConfig): Draft {
  const fields = configurableEnv(config).map(({ name }) => envVariable(name)?.field);
  const unasked = CONFIG_FIELDS.filter((field) => !fields.includes(field));
  return { ...draft, ...Object.fromEntries(unasked.map((field) => [field, null])) };
}

/**
 * Fills in the admin subdomain of the chosen package if the field is empty or still holds an earlier package's
 * suggestion.
 */
function withSuggestion<P>(wizard: Wizard<P>, { default_admin_subdomain: suggested }: PackageConfig): Wizard<P> {
  const typed = wizard.draft.admin_subdomain ?? '';
  const untouched = typed === '' || typed === wizard.suggestedSubdomain;
  return untouched && suggested !== null
    ? { ...wizard, draft: { ...wizard.draft, admin_subdomain: suggested }, suggestedSubdomain: suggested }
    : wizard;
}

/**
 * Returns whether the draft of an express order lacks a place for a new server. A customer's own server is chosen and
 * validated step by step.
 */
export const lacksPlace = ({ server_type, instance_type }: Draft): boolean =>
  server_type !== 'vps' && !isGiven(instance_type);

/**
 * Fills in what was not chosen, as an express order starts: the suggested place, and the account's email as contact and
 * sign-in. It then stands at the review, because there is nothing left to ask step by step.
 */
function prefilled<P>(
  wizard: Wizard<P>,
  { config, place, email }: { config: PackageConfig; place: NewServerPlace | null; email: string | null },
): Wizard<P> {
  const lacks = place !== null && lacksPlace(wizard.draft);
  const draft: Draft = { ...wizard.draft, ...(lacks ? { server_type: 'new', ...place } : {}) };
  const missing = missingEnv(draft, config);
  const isName = missing.includes('ADMIN_USERNAME') && config.admin_name === 'email';
  return {
    ...wizard,
    step: 'review',
    pricing: lacks ? null : wizard.pricing,
    draft: {
      ...draft,
      ...(email !== null && missing.includes('EMAIL') ? { admin_email: email } : {}),
      ...(email !== null && isName ? { admin_username: email } : {}),
    },
  };
}

const isGiven = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && value.trim() !== '';
