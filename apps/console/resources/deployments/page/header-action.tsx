import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Deployment } from '../../../data/deployments';
import { canBeOpened, OpenLink } from '../notes/running-note';
import { usePage } from './page-context';

/** Shows the main action of the current tab in the page's header. */
export function HeaderAction({ children }: { children: ReactNode }) {
  const { actionSlot } = usePage();
  return actionSlot === null ? null : createPortal(children, actionSlot);
}

/** Link that opens the deployment, as the main action of a tab. */
export function OpenAction({ deployment }: { deployment: Deployment }) {
  return canBeOpened(deployment) ? (
    <HeaderAction>
      <OpenLink deployment={deployment} />
    </HeaderAction>
  ) : null;
}
