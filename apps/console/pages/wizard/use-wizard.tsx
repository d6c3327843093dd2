import type { PackageConfigAnswer, Price } from '@moorage/contracts';
import {
  checkConfig,
  checkPublicKeyLine,
  clientNames,
  type ConfigField,
  type Draft,
  isUnpriced,
  mayGoNext,
  type Message,
  type NameContext,
  type Wizard,
  WIZARD_STEPS,
  type WizardAction,
  wizardReducer,
  type WizardStep,
  wizardSteps,
} from '@moorage/domain';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSession } from '../../data/session';
import { packageConfigQuery, usePackageConfig, usePrice } from '../../data/catalogue';
import { useNames } from '../../data/names';
import { forgetDraft, storeDraft, type StoredDraft, type VpsCheckState } from '../../parts/order/draft-storage';
import { type PlaceField, priceQuestionOf } from '../../parts/order/price-question';
import { useStepAddress } from '../../parts/order/step-address';

/** Messages by the API name of their field. */
export type Problems = Readonly<Partial<Record<string, Message>>>;

const PLACE: readonly PlaceField[] = ['cloud_provider', 'region', 'instance_type'];

export interface WizardApi {
  readonly wizard: Wizard<Price>;
  readonly steps: readonly WizardStep[];
  /** Steps to display. Before a server type is chosen this is the longer path, which may get shorter. */
  readonly shownSteps: readonly WizardStep[];
  /** Configuration of the chosen package, or null if none is chosen or it has not loaded. */
  readonly config: PackageConfigAnswer | null;
  readonly stored: StoredDraft<Price>;
  readonly names: { readonly client_name: string; readonly client_id: string };
  readonly check: VpsCheckState | null;
  readonly problems: Problems;
  /** Fields that the last choice on this step cleared. */
  readonly cleared: readonly PlaceField[];
  /** The user came from another step, so the heading takes the focus. */
  readonly arrived: boolean;
  /** Latest known price, shown until the next one has loaded. Null if there is none yet. */
  readonly shownPrice: Price | null;
  readonly priceFailed: Error | null;
  readonly verified: boolean;
  readonly refetchPrice: () => void;
  /** Loads and shows the new price after the server refused the old one. Rejects if it cannot be loaded. */
  readonly takeNewPrice: () => Promise<void>;
  readonly choosePackage: (name: string) => void;
  readonly choose: (action: WizardAction<Price>) => void;
  readonly type: (field: ConfigField | 'user_ssh_key', value: string) => void;
  readonly setCheck: (check: VpsCheckState | null) => void;
  /** Marks the address as rejected by the server, so that it must be validated again. */
  refuseAddress(message: Message): void;
  setProblems(problems: Problems): void;
  /** Returns messages for invalid input. Empty if everything is valid. */
  readonly checkTyped: () => Problems;
  /** Deletes the draft from this tab after it was ordered or discarded. */
  readonly end: () => void;
  goNext(): void;
  readonly goBack: () => void;
  goTo(step: WizardStep): void;
}

export const WizardContext = createContext<WizardApi | null>(null);

export function useWizard(): WizardApi {
  const api = useContext(WizardContext);
  if (api === null) throw new Error('useWizard must be used inside the wizard.');
  return api;
}

interface Played {
  readonly wizard: Wizard<Price>;
  readonly cleared: readonly PlaceField[];
  readonly arrived: boolean;
}

/** Runs the domain's reducer and tracks which fields the last choice cleared. A step change resets them. */
function play({ wizard, cleared, arrived }: Played, action: WizardAction<Price>): Played {
  const next = wizardReducer(wizard, action);
  const lost = PLACE.filter((field) => wizard.draft[field] !== null && next.draft[field] === null);
  if (lost.length > 0) return { wizard: next, cleared: lost, arrived };
  return next.step === wizard.step ? { wizard: next, cleared, arrived } : { wizard: next, cleared: [], arrived: true };
}

/** Wizard state of one draft, either new or restored in this tab. */
export function useWizardOf(stored: StoredDraft<Price>): WizardApi {
  const user = useSession()?.user ?? null;
  const client = useQueryClient();
  const names = useNames();
  const [{ wizard, cleared, arrived }, dispatch] = useReducer(play, {
    wizard: stored.wizard,
    cleared: [],
    arrived: false,
  });
  const [check, setCheck] = useState(stored.check);
  const [problems, setProblems] = useState<Problems>({});
  const { draft, step } = wizard;

  const { data: config = null } = usePackageConfig(draft.package);

  const question = isUnpriced(step) ? null : priceQuestionOf(draft);
  const price = usePrice(question);
  useEffect(() => {
    if (question !== null && wizard.pricing === null && price.data !== undefined && !price.isPlaceholderData)
      dispatch({ type: 'priced', pricing: price.data });
  }, [question, wizard.pricing, price.data, price.isPlaceholderData]);

  const ended = useRef(false);
  useEffect(() => {
    if (!ended.current) storeDraft({ ...stored, wizard, check });
  }, [stored, wizard, check]);

  const goTo = (to: WizardStep): void => dispatch({ type: 'went_to', step: to, config });
  useStepAddress(wizard, config, goTo);

  const without = (path: string): void => {
    if (problems[path] !== undefined) setProblems({ ...problems, [path]: undefined });
  };

  const takePackage = (name: string): void =>
    void client.ensureQueryData(packageConfigQuery(name)).then(
      (chosen) => dispatch({ type: 'package_chosen', config: chosen }),
      () => undefined, // The list shows the loading error.
    );

  // Links on the landing page name a package, which applies only if none was chosen before.
  const [query] = useSearchParams();
  const named = query.get('package');
  const chooseNamed = useEffectEvent(() => {
    if (named !== null && draft.package === null) takePackage(named);
  });
  useEffect(() => chooseNamed(), []);

  return {
    wizard,
    steps: wizardSteps(draft),
    shownSteps: draft.server_type === null ? WIZARD_STEPS : wizardSteps(draft),
    config,
    stored,
    names: clientNames({ email: user?.email ?? '', package: draft.package ?? '', now: stored.begunAt }),
    check,
    problems,
    cleared,
    arrived,
    shownPrice: wizard.pricing ?? (question === null || price.isError ? null : (price.data ?? null)),
    priceFailed: wizard.pricing === null ? price.error : null,
    verified: user?.is_verified === true,
    refetchPrice: () => void price.refetch(),
    async takeNewPrice() {
      const { data } = await price.refetch({ throwOnError: true, cancelRefetch: false });
      if (data !== undefined) dispatch({ type: 'priced', pricing: data });
    },
    choosePackage(name) {
      without('package');
      takePackage(name);
    },
    choose(action) {
      without(PATHS[action.type] ?? '');
      dispatch(action);
    },
    type(field, value) {
      without(field);
      dispatch(field === 'user_ssh_key' ? { type: 'ssh_key_typed', value } : { type: 'config_typed', field, value });
    },
    setCheck: setCheck,
    refuseAddress(message) {
      setCheck(null);
      dispatch({ type: 'vps_check_started' });
      dispatch({ type: 'vps_check_answered', address: draft.vps_ip_address ?? '', passed: false, message });
    },
    setProblems,
    checkTyped: () => (config === null ? {} : problemsOf(draft, config, names)),
    end() {
      ended.current = true;
      forgetDraft();
    },
    goNext: () => dispatch({ type: 'went_next', config }),
    goBack: () => dispatch({ type: 'went_back' }),
    goTo,
  };
}

/** Field set by each kind of choice. */
const PATHS: Readonly<Partial<Record<WizardAction<Price>['type'], string>>> = {
  server_type_chosen: 'server_type',
  provider_chosen: 'cloud_provider',
  region_chosen: 'region',
  instance_chosen: 'instance_type',
  vps_address_typed: 'vps_ip_address',
  support_level_chosen: 'support_level',
};

function problemsOf(draft: Draft, config: PackageConfigAnswer, names: NameContext): Problems {
  const key = draft.user_ssh_key ?? '';
  const keyProblem = draft.server_type !== 'new' || key === '' ? null : checkPublicKeyLine(key.trim());
  // Only the server knows which addresses are allowed. A missing one is detected here too.
  const addressGiven = (draft.komodo_host_ip ?? '') !== '';
  const typed = checkConfig(draft, config, { names }).filter(({ path }) => !addressGiven || path !== 'komodo_host_ip');
  return {
    ...Object.fromEntries(typed.toReversed().map(({ path, message }) => [path, message])),
    ...(keyProblem === null ? {} : { user_ssh_key: keyProblem }),
  };
}

/** Returns whether Next is enabled by the domain's rule. */
export const isNextOn = ({ wizard, config }: WizardApi): boolean => mayGoNext(wizard, config);
