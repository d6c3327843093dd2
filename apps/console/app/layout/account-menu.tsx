import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { ChevronDown, Menu as MenuIcon } from 'lucide-react';
import { type MouseEvent, useState } from 'react';
import { useLocaleState, useLogout } from 'react-admin';
import { Link } from 'react-router-dom';
import type { AdminCounts } from '../../data/platform';
import { useSession } from '../../data/session';
import { useOperatorPages } from '../../parts/operator-links';
import { contactSupportFrom, useOffersSupport } from '../../parts/support/support-button';
import { useText } from '../../texts/console-i18n';
import { LOCALES, usePublicText } from '../../texts/locale';
import { Button, IconButton } from '../../ui/button';
import { chooseTheme, THEME_CHOICES, useTheme } from '../../ui/theme-choice';
import { useDestinations } from './destinations';
import { PlaceCount } from './place-count';

/**
 * Account menu. Opened by the username on wide screens, and by a menu icon on small screens, where it also lists the
 * destinations.
 */
export function AccountMenu({
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
  const offersSupport = useOffersSupport();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const destinations = useDestinations().filter(({ inBar, inMenu }) => inMenu || (inBar && !wide));
  // The menu begins with the administrators' destinations.
  const first = destinations.filter(({ isForAdministrators }) => isForAdministrators);
  const name = user?.username ?? '';
  const close = (): void => setAnchor(null);
  return (
    <>
      <Opener wide={wide} name={name} isOpen={anchor !== null} onOpen={setAnchor} />
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
        {!wide && offersSupport ? <SupportItem anchor={anchor} onChosen={close} /> : null}
        <Divider component="li" role="separator" />
        {wide
          ? null
          : [
              <LanguageItems key="language" onChosen={close} />,
              <ThemeItems key="theme" onChosen={close} />,
              <Divider key="end" component="li" role="separator" />,
            ]}
        <OperatorPageItems onChosen={close} />
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

function Opener({
  wide,
  name,
  isOpen,
  onOpen,
}: {
  wide: boolean;
  name: string;
  isOpen: boolean;
  onOpen: (anchor: HTMLElement) => void;
}) {
  const t = useText();
  const opens = {
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    onClick: (event: MouseEvent<HTMLElement>): void => onOpen(event.currentTarget),
  } as const;
  if (!wide) return <IconButton icon={MenuIcon} iconSize={20} label={t('layout.menu')} {...opens} />;
  return (
    <Button kind="quiet" className="me" {...opens}>
      <span className="ava" aria-hidden="true">
        {initials(name)}
      </span>
      {name}
      <span className="vh">, {t('layout.account_menu')}</span>
      <ChevronDown size={16} aria-hidden="true" />
    </Button>
  );
}

function SupportItem({ anchor, onChosen }: { anchor: HTMLElement | null; onChosen: () => void }) {
  const t = usePublicText();
  return (
    <MenuItem
      aria-haspopup="dialog"
      onClick={() => {
        onChosen();
        contactSupportFrom(anchor);
      }}
    >
      {t('support.title')}
    </MenuItem>
  );
}

/** Pages of the operator, and a line below them if there are any. */
function OperatorPageItems({ onChosen }: { onChosen: () => void }) {
  const pages = useOperatorPages();
  if (pages.length === 0) return null;
  return [
    ...pages.map(({ page, href, label }) => (
      <MenuItem key={page} component="a" href={href} target="_blank" rel="noopener" onClick={onChosen}>
        {label}
      </MenuItem>
    )),
    <Divider key="end" component="li" role="separator" />,
  ];
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
