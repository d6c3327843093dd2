import type { PackageConfigAnswer, Price } from '@moorage/contracts';
import {
  type ConfigField,
  mayGoNext,
  type Message,
  type Wizard,
  type WizardAction,
  type WizardStep,
} from '@moorage/domain';
import { createContext, useContext } from 'react';
import type { StoredDraft, VpsCheckState } from '../../parts/order/draft-storage';
import type { PlaceField } from '../../parts/order/price-question';

/** Messages by the API name of their field. */
export type Problems = Readonly<Partial<Record<string, Message>>>;

export interface WizardApi {
  readonly wizard: Wizard<Price>;
  readonly steps: readonly WizardStep[];
  /** Steps to display. Before a server type is chosen this is the longer path, which may get shorter. */
  readonly shownSteps: readonly WizardStep[];
  /** Configuration of the chosen package, or null if none is chosen or it has not loaded. */
  readonly config: PackageConfigAnswer | null;
  readonly stored: StoredDraft<Price>;
  readonly names: { readonly client_name: string; readonly client_id: string };
  /** Name below the platform domain that the order gets if it has no domain, or null if it needs one. */
  readonly platformName: string | null;
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
  /** The order is being placed, or has been. */
  readonly isOrdering: boolean;
  readonly setOrdering: (isOrdering: boolean) => void;
  /** A package that was named by a link is still loading. */
  readonly isTakingPackage: boolean;
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

/** Returns whether Next is enabled by the domain's rule. */
export const isNextOn = ({ wizard, config }: WizardApi): boolean => mayGoNext(wizard, config);
