import type { Price } from '@moorage/contracts';
import { clientNames, type Wizard, WIZARD_STEPS, type WizardAction, wizardReducer, wizardSteps } from '@moorage/domain';
import { useQueryClient } from '@tanstack/react-query';
import { type Dispatch, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { packageConfigQuery, usePackageConfig } from '../../data/catalogue';
import { useNames } from '../../data/names';
import { useSession } from '../../data/session';
import { forgetDraft, storeDraft, type StoredDraft, type VpsCheckState } from '../../parts/order/draft-storage';
import type { PlaceField } from '../../parts/order/price-question';
import { stepAddress, useIsExpress, useStepAddress } from '../../parts/order/step-address';
import { forgetWantedPackage, wantedPackage } from '../../data/wanted-package';
import { problemsOf } from './order-problems';
import { tidied } from './typed-value';
import { usePlatformName } from './use-platform-name';
import { useShownPrice } from './use-shown-price';
import type { Problems, WizardApi } from './wizard-context';

const PLACE: readonly PlaceField[] = ['cloud_provider', 'region', 'instance_type'];

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
  const domains = useNames();
  const [{ wizard, cleared, arrived }, dispatch] = useReducer(play, {
    wizard: stored.wizard,
    cleared: [],
    arrived: false,
  });
  const [check, setCheck] = useState(stored.check);
  const [problems, setProblems] = useState<Problems>({});
  const [isOrdering, setOrdering] = useState(false);
  const { draft } = wizard;
  const { data: loaded = null } = usePackageConfig(draft.package);
  const names = clientNames({ email: user?.email ?? '', package: draft.package ?? '', now: stored.begunAt });
  const { config, platformName } = usePlatformName(loaded, { draft, clientName: names.client_name });
  const price = useShownPrice(wizard, dispatch);
  const end = useStoredDraft(stored, wizard, check);
  const { take: takePackage, isTaking: isTakingPackage } = usePackageChoice(wizard, dispatch);
  const stay: WizardApi['goTo'] = (step) => dispatch({ type: 'went_to', step, config });
  useStepAddress(wizard, config, stay);
  const navigate = useNavigate();
  const isExpress = useIsExpress();
  // The express order shows no single step, so it leaves for the address of one.
  const goTo: WizardApi['goTo'] = isExpress ? (step) => void navigate(stepAddress(step)) : stay;

  const without = (path: string): void => {
    if (problems[path] !== undefined) setProblems({ ...problems, [path]: undefined });
  };

  return {
    ...{ isOrdering, setOrdering, isTakingPackage },
    ...{ wizard, config, stored, check, problems, cleared, arrived, ...price, setCheck, setProblems, end, goTo },
    steps: wizardSteps(draft),
    shownSteps: draft.server_type === null ? WIZARD_STEPS : wizardSteps(draft),
    names,
    platformName,
    verified: user?.is_verified === true,
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
    refuseAddress(message) {
      setCheck(null);
      dispatch({ type: 'vps_check_started' });
      dispatch({ type: 'vps_check_answered', address: draft.vps_ip_address ?? '', passed: false, message });
    },
    checkTyped: () => (config === null ? {} : problemsOf(tidied(draft), config, domains)),
    goNext: () => dispatch({ type: 'went_next', config }),
    goBack: () => dispatch({ type: 'went_back' }),
  };
}

/** Stores the draft after every change. Returns a function that deletes it. */
function useStoredDraft(stored: StoredDraft<Price>, wizard: Wizard<Price>, check: VpsCheckState | null): () => void {
  const ended = useRef(false);
  useEffect(() => {
    if (!ended.current) storeDraft({ ...stored, wizard, check });
  }, [stored, wizard, check]);
  return () => {
    ended.current = true;
    forgetDraft();
    forgetWantedPackage();
  };
}

/** Returns a function that loads and chooses a package, and whether one that was named is still loading. */
function usePackageChoice(
  { draft }: Wizard<Price>,
  dispatch: Dispatch<WizardAction<Price>>,
): { take: (name: string) => void; isTaking: boolean } {
  const client = useQueryClient();
  // Links name a package, or did so before the signup. It applies only if none was chosen since.
  const [query] = useSearchParams();
  const [named, setNamed] = useState(() => (draft.package === null ? (query.get('package') ?? wantedPackage()) : null));
  const take = (name: string): void =>
    void client.ensureQueryData(packageConfigQuery(name)).then(
      (chosen) => {
        dispatch({ type: 'package_chosen', config: chosen });
        setNamed(null);
      },
      // The list shows the loading error.
      () => setNamed(null),
    );
  const takeNamed = useEffectEvent(() => {
    if (named !== null) take(named);
  });
  useEffect(() => takeNamed(), []);
  return { take, isTaking: named !== null && draft.package === null };
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
