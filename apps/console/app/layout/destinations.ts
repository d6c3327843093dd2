import { usePrices } from '../../data/catalogue';
import { useImpersonation, useSession } from '../../data/session';
import { CONSOLE_SCREENS, listAddress } from '../screens';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';

export interface Destination {
  readonly to: string;
  readonly label: string;
  /** Name in the app bar. */
  readonly barLabel: string;
  readonly inBar: boolean;
  readonly inMenu: boolean;
  readonly isForAdministrators: boolean;
}

const SCREENS = CONSOLE_SCREENS.map((screen) => ({
  ...screen,
  path: 'resource' in screen ? listAddress(screen) : screen.path,
}));

/**
 * Returns the destinations available to this user, for the app bar, the menu and the search. The bar of administrators
 * has their own places, and their menu has those of customers.
 */
export function useDestinations(): readonly Destination[] {
  const t = useText();
  const isAdmin = useSession()?.user?.is_admin === true;
  const isImpersonating = useImpersonation() !== null;
  const { mails, has_queue_board: hasQueues } = useConsoleSettings();
  // Referrals count as enabled, the usual case, until the setting has loaded.
  const referralsAreOff = usePrices().data?.referrals_enabled === false;
  return SCREENS.filter(
    ({
      administrators,
      changesOnly,
      hiddenFromImpersonation,
      whereMailsAreKept,
      whereReferralsAreOn,
      whereQueuesAre,
    }) =>
      (administrators !== true || isAdmin) &&
      !(isImpersonating && (changesOnly === true || hiddenFromImpersonation === true)) &&
      (whereMailsAreKept !== true || mails === 'kept') &&
      (whereQueuesAre !== true || hasQueues) &&
      !(whereReferralsAreOn === true && referralsAreOff),
  ).flatMap(({ path, label, barLabel, inBar, inMenu, administrators }) =>
    label === undefined
      ? []
      : {
          to: path,
          label: t(label),
          barLabel: t(barLabel ?? label),
          inBar: inBar === true && isAdmin === (administrators === true),
          inMenu: inMenu === true || (inBar === true && isAdmin && administrators !== true),
          isForAdministrators: administrators === true,
        },
  );
}
