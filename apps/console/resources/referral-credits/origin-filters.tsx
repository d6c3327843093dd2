import { X } from 'lucide-react';
import { useListContext } from 'react-admin';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';

const ORIGINS = ['network', 'mail_domain'] as const;

/** Names the network or the email domain whose credits are shown, and shows those of all others again. */
export function OriginFilters() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  const filters = list.filterValues as Readonly<Record<string, string>>;
  const shown = ORIGINS.filter((origin) => filters[origin] !== undefined);
  if (shown.length === 0) return null;
  return (
    <div className="tools">
      {shown.map((origin) => {
        const { [origin]: value = '', ...others } = filters;
        return (
          <Button key={origin} endIcon={X} onClick={() => setFilters(others)}>
            {t(`admin_referrals.credits.only_${origin}`, { value })}
            <span className="vh">, {t('admin_referrals.credits.show_all')}</span>
          </Button>
        );
      })}
    </div>
  );
}
