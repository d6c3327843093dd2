import { Search } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';

/** Empty state of a search or a tab, with a button to reset it. */
export function NothingFound({ search, isAdmin, onClear }: { search: string; isAdmin: boolean; onClear: () => void }) {
  const t = useText();
  return (
    <div className="empty" role="status">
      <Search size={20} className="muted" aria-hidden="true" />
      <b className="found">
        {search === '' ? t('deployments.nothing_in_group') : t('deployments.nothing_found', { search })}
      </b>
      {search === '' ? null : (
        <span className="small soft">
          {t(isAdmin ? 'deployments.nothing_found_hint' : 'deployments.nothing_found_own_hint')}
        </span>
      )}
      <Button size="small" onClick={onClear}>
        {search === '' ? t('deployments.show_all') : t('layout.clear_search')}
      </Button>
    </div>
  );
}
