import Drawer from '@mui/material/Drawer';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useId, useRef } from 'react';
import { type CatalogueNames } from '../../../data/catalogue';
import { type Deployment, useDeployment } from '../../../data/deployments';
import { isMissing } from '../../../data/errors';
import { useRecent } from '../../../data/recent';
import { useText } from '../../../texts/console-i18n';
import { closeSupport, useSupportDesk } from '../../../parts/support/support-desk';
import { ROW_LINK_ID } from '../../../parts/deployment/deployment-messages';
import { BodySkeleton } from './body-skeleton';
import { DrawerBody } from './drawer-body';
import { DrawerFooter } from './drawer-footer';
import { DrawerHeader, type Walk } from './drawer-header';
import { deletedText, WaysOn } from '../missing';
import { Button } from '../../../ui/button';
import { hasFocus } from '../../../ui/focus-on-arrival';
import { isOverlayOpen, isTyping } from '../../../ui/keyboard';
import './details-drawer.css';

const DOCKED = '(min-width: 1280px)';

/** Returns whether the screen fits the list and the details side by side. */
const useDocked = (): boolean => useMediaQuery(DOCKED, { noSsr: true });

interface DetailsProps {
  readonly id: number;
  /** Row of the list, or undefined if it is not on this page. */
  readonly row: Deployment | undefined;
  readonly names: CatalogueNames;
  readonly walk: Walk;
  readonly onRemove: (deployment: Deployment) => void;
}

/**
 * Details next to the list or, on narrow screens, over it. Esc closes them, J and K move between rows, and the focus
 * returns to the row.
 */
export default function DetailsDrawer({ id, ...rest }: Omit<DetailsProps, 'id'> & { id: number | null }) {
  const docked = useDocked();
  const headingId = useId();
  const aside = useHiddenBehindSupport(id, docked);
  useKeys(id !== null && !aside, rest.walk);
  useFocusBack(id);
  return (
    <Drawer
      anchor="right"
      variant={docked ? 'persistent' : 'temporary'}
      open={id !== null && !aside}
      onClose={rest.walk.close}
      className={docked ? 'details docked' : 'details over'}
      slotProps={{
        paper: {
          component: 'aside',
          'aria-labelledby': headingId,
          ...(docked ? {} : { role: 'dialog', 'aria-modal': true }),
        } as object,
      }}
    >
      {id === null ? null : <Details key={id} id={id} headingId={headingId} {...rest} />}
    </Drawer>
  );
}

function Details({ id, row, names, walk, onRemove, headingId }: DetailsProps & { headingId: string }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const { data: deployment, error, isError, refetch } = useDeployment(id, row);
  useRecent('deployment', id, { name: deployment?.client_name, error });
  const isLoaded = deployment !== undefined;
  const hadFocus = useRef(false);
  useEffect(() => {
    // The name replaces the heading that had the focus while it loaded.
    if (hadFocus.current && hasFocus()) return;
    hadFocus.current = true;
    heading.current?.focus({ preventScroll: true });
  }, [isLoaded]);
  return (
    <div className="drawer">
      <DrawerHeader {...{ id, deployment, names, walk, heading, headingId }} missing={isError} />
      {deployment === undefined ? (
        <div className="body">
          {isError ? (
            <div className="empty" role="alert">
              <b>
                {deletedText(error) ??
                  t(isMissing(error) ? 'deployments.drawer.not_found' : 'deployments.drawer.failed')}
              </b>
              {isMissing(error) ? (
                <WaysOn error={error} onClose={walk.close} />
              ) : (
                <Button size="small" onClick={() => void refetch()}>
                  {t('layout.try_again')}
                </Button>
              )}
            </div>
          ) : (
            <BodySkeleton />
          )}
        </div>
      ) : (
        <>
          <DrawerBody deployment={deployment} names={names} />
          <DrawerFooter deployment={deployment} onRemove={onRemove} />
        </>
      )}
    </div>
  );
}

/**
 * Hides the modal details while the support panel is open, because they would block it. Opening another deployment
 * closes the panel.
 */
function useHiddenBehindSupport(id: number | null, docked: boolean): boolean {
  const { open } = useSupportDesk();
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current !== id && !docked) closeSupport();
    shown.current = id;
  }, [id, docked]);
  return open && !docked;
}

function useKeys(isOpen: boolean, { previous, next, close }: Walk): void {
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey) return;
      if (isOverlayOpen() || (isTyping(event) && key !== 'Escape')) return;
      if (key === 'Escape') close();
      else if (key === 'j' || key === 'J') next?.();
      else if (key === 'k' || key === 'K') previous?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen, previous, next, close]);
}

/** Returns the focus to the last shown row on closing. */
function useFocusBack(id: number | null): void {
  const last = useRef<number | null>(null);
  useEffect(() => {
    if (id === null && last.current !== null) document.getElementById(ROW_LINK_ID(last.current))?.focus();
    last.current = id;
  }, [id]);
}
