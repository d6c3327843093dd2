import useMediaQuery from '@mui/material/useMediaQuery';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { plainPath } from '../../data/addresses';
import { useSession } from '../../data/session';
import { TABS } from '../../resources/deployments/tabs';
import { useAdminCounts } from '../../data/platform';
import { SearchButton, useSearchDialog } from '../search/search';
import { useText } from '../../texts/console-i18n';
import { AppearanceMenu } from '../../parts/appearance-menu';
import { Wordmark } from '../../parts/wordmark';
import { AccountMenu } from './account-menu';
import { useDestinations } from './destinations';
import { SupportButton } from '../../parts/support/support-button';
import { PlaceCount } from './place-count';
import { UntilPill } from './until-pill';
import { OfflineNote } from './offline-note';
import { ImpersonationBanner } from './impersonation-banner';
import '../../parts/bar.css';
import './console-bar.css';

const WIDE = '(min-width: 1200px)';

/** Returns whether the address is a page of a deployment, which belongs to the dashboard. */
function isOfDashboard(pathname: string): boolean {
  const [resource, id, tab = '', ...more] = plainPath(pathname).slice(1).split('/');
  return resource === 'deployments' && id !== undefined && more.length === 0 && TABS.some(({ path }) => path === tab);
}

export function ConsoleBar() {
  const t = useText();
  const wide = useMediaQuery(WIDE, { noSsr: true });
  const { pathname } = useLocation();
  const inBar = useDestinations().filter((destination) => destination.inBar);
  const search = useSearchDialog();
  const isAdmin = useSession()?.user?.is_admin === true;
  const counts = useAdminCounts();
  return (
    <header className="console-bar">
      <ImpersonationBanner />
      <div className="bar">
        <Wordmark />
        {wide ? (
          <nav aria-label={t('layout.main')}>
            {inBar.map(({ to, barLabel }) =>
              to === '/dashboard' && isOfDashboard(pathname) ? (
                <Link key={to} to={to} aria-current="true">
                  {barLabel}
                </Link>
              ) : (
                <NavLink key={to} to={to}>
                  {barLabel}
                  <PlaceCount of={to} counts={counts} isShort />
                </NavLink>
              ),
            )}
          </nav>
        ) : null}
        <span className="grow" />
        {wide ? <SearchButton onClick={search.show} /> : null}
        <UntilPill wide={wide} />
        {wide ? <SupportButton /> : null}
        {wide ? <AppearanceMenu /> : null}
        {wide && isAdmin ? <span className="tag sea">{t('layout.admin')}</span> : null}
        <AccountMenu wide={wide} counts={counts} onSearch={search.show} />
      </div>
      <OfflineNote />
      {search.dialog}
    </header>
  );
}
