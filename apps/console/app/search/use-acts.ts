import { useLogout } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { chooseLanguage } from '../../data/account';
import { addFundsAddress } from '../../data/checkout';
import { useCanChange } from '../../data/session';
import { useOperatorPages } from '../../parts/operator-links';
import { contactSupport } from '../../parts/support/support-desk';
import { useText } from '../../texts/console-i18n';
import { LOCALES, usePublicText } from '../../texts/locale';
import { chooseTheme, THEME_CHOICES } from '../../ui/theme-choice';
import { useOffersSupport } from '../../parts/support/support-button';
import type { Act } from './search-results';

/** Returns what the search can do besides opening pages. */
export function useActs(): readonly Act[] {
  const t = useText();
  const publicText = usePublicText();
  const navigate = useNavigate();
  const logout = useLogout();
  const pages = useOperatorPages();
  const offersSupport = useOffersSupport();
  const canChange = useCanChange();
  return [
    ...(canChange
      ? [{ key: 'funds', label: t('billing.add.title'), run: () => void navigate(addFundsAddress()) }]
      : []),
    ...(offersSupport ? [{ key: 'support', label: t('search.contact_support'), run: () => contactSupport(null) }] : []),
    ...THEME_CHOICES.map((choice) => ({
      key: `theme-${choice}`,
      label: t('search.theme', { name: publicText(`theme.${choice}`) }),
      run: () => chooseTheme(choice),
    })),
    ...LOCALES.map(({ locale, name }) => ({
      key: `language-${locale}`,
      label: t('search.language', { name }),
      run: () => void chooseLanguage(locale),
    })),
    ...pages.map(({ page, href, label }) => ({
      key: page,
      label,
      run: () => void window.open(href, '_blank', 'noopener'),
    })),
    { key: 'logout', label: t('layout.logout'), run: () => void logout() },
  ];
}
