import AppBar from '@mui/material/AppBar';
import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Toolbar from '@mui/material/Toolbar';
import useMediaQuery from '@mui/material/useMediaQuery';
import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { useLocaleState, useLogout } from 'react-admin';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { plainPath } from '../../data/addresses';
import { useSession } from '../../data/session';
import { TABS } from '../../resources/deployments/tabs';
import { type AdminCounts, useAdminCounts } from '../../data/platform';
import { SearchButton, useSearchDialog } from '../search/search';
import { useText } from '../../texts/console-i18n';
import { LOCALES, usePublicText } from '../../texts/locale';
import { chooseTheme, THEME_CHOICES, useTheme } from '../../ui/theme-choice';
import { AppearanceMenu } from '../../parts/appearance-menu';
import { useOperatorPages } from '../../parts/operator-links';
import { Wordmark } from '../../parts/wordmark';
import { useDestinations } from './destinations';
import { contactSupportFrom, SupportButton, useOffersSupport } from '../../parts/support/support-button';
import { PlaceCount } from './place-count';
import { UntilPill } from './until-pill';
import { OfflineNote } from './offline-note';
import { ImpersonationBanner } from './impersonation-banner';
import { Button, IconButton } from '../../ui/button';
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
    <AppBar position="sticky" className="console-bar">
      <ImpersonationBanner />
      <Toolbar disableGutters className="bar">
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
      </Toolbar>
      <OfflineNote />
      {search.dialog}
    </AppBar>
  );
}

/**
 * Account menu. Opened by the username on wide screens, and by a menu icon on small screens, where it also lists the
 * destinations.
 */
function AccountMenu({
  wide,
  counts,
  onSearch,
}: {
  wide: boolean;
  counts: AdminCounts | undefined;
  onSearch: () => void;
}) {
  const t = useText();
  const user = useSession()?.user;
  const logout = useLogout();
  const publicText = usePublicText();
  const offersSupport = useOffersSupport();
  const pages = useOperatorPages();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const destinations = useDestinations().filter(({ inBar, inMenu }) => inMenu || (inBar && !wide));
  // The menu begins with the administrators' destinations.
  const first = destinations.filter(({ isForAdministrators }) => isForAdministrators);
  const name = user?.username ?? '';
  const open = (event: MouseEvent<HTMLElement>): void => setAnchor(event.currentTarget);
  const close = (): void => setAnchor(null);
  const opener: ReactNode = wide ? (
    <Button kind="quiet" className="me" aria-haspopup="menu" aria-expanded={anchor !== null} onClick={open}>
      <span className="ava" aria-hidden="true">
        {initials(name)}
      </span>
      {name}
      <span className="vh">, {t('layout.account_menu')}</span>
      <ChevronDown size={16} aria-hidden="true" />
    </Button>
  ) : (
    <IconButton
      icon={MenuIcon}
      iconSize={20}
      label={t('layout.menu')}
      aria-haspopup="menu"
      aria-expanded={anchor !== null}
      onClick={open}
    />
  );
  return (
    <>
      {opener}
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} className="account-menu">
        <ListSubheader component="div" role="presentation" className="who">
          {wide ? null : name}
          <small className="break">{user?.email}</small>
        </ListSubheader>
        {user?.is_admin === true ? (
          <ListSubheader component="div" role="presentation">
            <span className="tag sea">{t('layout.admin')}</span>
          </ListSubheader>
        ) : null}
        {wide ? null : (
          <MenuItem
            onClick={() => {
              close();
              onSearch();
            }}
          >
            {t('search.title')}
          </MenuItem>
        )}
        {[...first, ...destinations.filter((one) => !first.includes(one))].map(({ to, label }) => (
          <MenuItem key={to} component={Link} to={to} onClick={close}>
            {label}
            <PlaceCount of={to} counts={counts} />
          </MenuItem>
        ))}
        {!wide && offersSupport ? (
          <MenuItem
            aria-haspopup="dialog"
            onClick={() => {
              close();
              contactSupportFrom(anchor);
            }}
          >
            {publicText('support.title')}
          </MenuItem>
        ) : null}
        <Divider component="li" role="separator" />
        {wide
          ? null
          : [
              <LanguageItems key="language" onChosen={close} />,
              <ThemeItems key="theme" onChosen={close} />,
              <Divider key="end" component="li" role="separator" />,
            ]}
        {pages.map(({ page, href, label }) => (
          <MenuItem key={page} component="a" href={href} target="_blank" rel="noopener" onClick={close}>
            {label}
          </MenuItem>
        ))}
        {pages.length === 0 ? null : <Divider component="li" role="separator" />}
        <MenuItem
          onClick={() => {
            close();
            void logout();
          }}
        >
          {t('layout.logout')}
        </MenuItem>
      </Menu>
    </>
  );
}

function LanguageItems({ onChosen }: { onChosen: () => void }) {
  const [current, choose] = useLocaleState();
  return LOCALES.map(({ locale, name }) => (
    <MenuItem
      key={locale}
      role="menuitemradio"
      aria-checked={locale === current}
      selected={locale === current}
      lang={locale}
      onClick={() => {
        choose(locale);
        onChosen();
      }}
    >
      {name}
    </MenuItem>
  ));
}

function ThemeItems({ onChosen }: { onChosen: () => void }) {
  const t = useText();
  const { choice } = useTheme();
  const labels = { light: t('layout.theme_light'), dark: t('layout.theme_dark'), system: t('layout.theme_system') };
  return THEME_CHOICES.map((each) => (
    <MenuItem
      key={each}
      role="menuitemradio"
      aria-checked={each === choice}
      selected={each === choice}
      onClick={() => {
        chooseTheme(each);
        onChosen();
      }}
    >
      {labels[each]}
    </MenuItem>
  ));
}

/** Returns two letters for the avatar: the initials of two words, otherwise the first two letters. */
function initials(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return (second === undefined ? first.slice(0, 2) : first.charAt(0) + second.charAt(0)).toUpperCase();
}
