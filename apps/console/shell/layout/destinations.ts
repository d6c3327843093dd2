import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../ui/brand';

export interface Destination {
  readonly to: string;
  readonly label: string;
}

/** The places a person can go to, the same in the bar, in the menu and in the search; the rarer ones not in the bar. */
export function useDestinations(): Readonly<
  Record<'everybody' | 'administrators' | 'inMenu' | 'mails', readonly Destination[]>
> {
  const t = useText();
  const isAdmin = useSession()?.user?.is_admin === true;
  const { mails } = useConsoleSettings();
  return {
    everybody: [
      { to: '/dashboard', label: t('layout.dashboard') },
      { to: '/billing', label: t('layout.billing') },
    ],
    administrators: isAdmin ? [{ to: '/users', label: t('layout.users') }] : [],
    inMenu: isAdmin ? [{ to: '/deployments', label: t('layout.all_deployments') }] : [],
    mails: mails === 'kept' ? [{ to: '/mailbox', label: t('layout.mailbox') }] : [],
  };
}
