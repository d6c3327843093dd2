import { useOutletContext } from 'react-router-dom';
import type { CatalogueNames } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import type { Details } from '../use-details';

/** Context that a deployment's page provides to its tabs. */
export interface PageContext {
  readonly id: number;
  /** Undefined once its entry is deleted. */
  readonly details: Details | undefined;
  readonly names: CatalogueNames;
  /** Place in the header for the main action of the tab. */
  readonly actionSlot: HTMLElement | null;
  /** Opens the confirmation dialog. */
  readonly onRemove: (deployment: Deployment) => void;
}

export const usePage = (): PageContext => useOutletContext<PageContext>();
