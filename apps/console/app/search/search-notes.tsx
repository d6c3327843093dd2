import { CircleAlert } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import type { SearchState } from './use-search';

/** States below the results that the search is running, has found nothing, or has failed. */
export function SearchNotes({
  search: { hits, isSearching, failure, tryAgain },
  term,
  isAdmin,
}: {
  search: SearchState;
  term: string;
  isAdmin: boolean;
}) {
  const t = useText();
  const isVain = term !== '' && hits.length === 0 && !isSearching && failure === null;
  return (
    <>
      {isSearching ? (
        <p className="finder-note" aria-hidden="true">
          {t('search.searching')}
        </p>
      ) : null}
      {isVain ? (
        <div className="finder-note">
          <b>{t('search.nothing', { search: term })}</b>
          <p>{t(isAdmin ? 'search.nothing_hint_admin' : 'search.nothing_hint')}</p>
        </div>
      ) : null}
      {failure === null ? null : (
        <div className="note port" role="alert">
          <CircleAlert size={16} aria-hidden="true" />
          <p className="grow">
            <b>{t('search.failed')}</b> {failure}
          </p>
          <Button size="small" onClick={tryAgain}>
            {t('layout.try_again')}
          </Button>
        </div>
      )}
    </>
  );
}
