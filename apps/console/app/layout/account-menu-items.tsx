import Divider from '@mui/material/Divider';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useLocaleState, useLogout } from 'react-admin';
import { Link } from 'react-router-dom';
import type { AdminCounts } from '../../data/platform';
import { useSession } from '../../data/session';
import { useOperatorPages } from '../../parts/operator-links';
import { contactSupportFrom, useOffersSupport } from '../../parts/support/support-button';
import { useText } from '../../texts/console-i18n';
import { LOCALES, usePublicText } from '../../texts/locale';
import { chooseTheme, THEME_CHOICES, useTheme } from '../../ui/theme-choice';
import { useDestinations } from './destinations';
import { PlaceCount } from './place-count';

/** Items of the account menu, loaded when it first opens. */
export default function AccountMenuItems({
  wide,
  anchor,
  counts,
  onClose: close,
  onSearch,
}: {
  wide: boolean;
  /** Button below which the menu is open, or null. */
  anchor: HTMLElement | null;
  counts: AdminCounts | undefined;
  onClose: () => void;
  onSearch: () => void;
}) {
  const t = useText();
  const user = useSession()?.user;
  const logout = useLogout();
  const offersSupport = useOffersSupport();
  const destinations = useDestinations().filter(({ inBar, inMenu }) => inMenu || (inBar && !wide));
  // The menu begins with the administrators' destinations.
  const first = destinations.filter(({ isForAdministrators }) => isForAdministrators);
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={close} className="account-menu">
      <ListSubheader component="div" role="presentation" className="who">
        {wide ? null : user?.username}
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
