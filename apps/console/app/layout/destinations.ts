import { usePrices } from '../../data/catalogue';
import { useSession } from '../../data/session';
import { CONSOLE_SCREENS, listAddress } from '../screens';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';

export interface Destination {
  readonly to: string;
  readonly label: string;
  readonly inBar: boolean;
  readonly inMenu: boolean;
  readonly isForAdministrators: boolean;
}

const SCREENS = CONSOLE_SCREENS.map((screen) => ({
  ...screen,
  path: 'resource' in screen ? listAddress(screen) : screen.path,
}));

/** Returns the destinations available to this user, for the app bar, the menu and the search. */
export function useDestinations(): readonly Destination[] {
  const t = useText();
  const isAdmin = useSession()?.user?.is_admin === true;
  const { mails, has_queue_board: hasQueues } = useConsoleSettings();
  // Referrals count as enabled, the usual case, until the setting has loaded.
  const referralsAreOff = usePrices().data?.referrals_enabled === false;
  return SCREENS.filter(
    ({ administrators, whereMailsAreKept, whereReferralsAreOn, whereQueuesAre }) =>
      (administrators !== true || isAdmin) &&
      (whereMailsAreKept !== true || mails === 'kept') &&
      (whereQueuesAre !== true || hasQueues) &&
      !(whereReferralsAreOn === true && referralsAreOff),
  ).flatMap(({ path, label, inBar, inMenu, administrators }) =>
    label === undefined
      ? []
      : {
          to: path,
          label: t(label),
          inBar: inBar === true,
          inMenu: inMenu === true,
          isForAdministrators: administrators === true,
        },
  );
}
