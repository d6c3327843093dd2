import useAutocomplete from '@mui/material/useAutocomplete';
import { CONSTANTS } from '@moorage/domain';
import { Search, X } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { HitGroup } from './hit-group';
import { SearchNotes } from './search-notes';
import type { Hit } from './search-results';
import './search.css';
import { useSearch } from './use-search';
import { IconButton } from '../../ui/button';
import { PlainDialog } from '../../ui/dialog';

export interface SearchDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Search dialog for deployments (by name, domain and number), screens and, for administrators, users. */
export function SearchDialog({ open, onClose }: SearchDialogProps) {
  const t = useText();
  return (
    <PlainDialog
      label={t('search.title')}
      open={open}
      onClose={onClose}
      onFocus={backToField}
      width="own"
      className="finder"
    >
      <Finder onClose={onClose} />
    </PlainDialog>
  );
}

/**
 * Returns the focus to the field. Content behind the dialog that loads late may take the focus, and the focus trap
 * returns it only to the dialog.
 */
function backToField({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (target.getAttribute('tabindex') === '-1') currentTarget.querySelector('input')?.focus();
}

function Finder({ onClose }: { onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const isAdmin = useSession()?.user?.is_admin === true;
  const [typed, setTyped] = useState('');
  const search = useSearch(typed);
  const { hits, isSearching } = search;
  const { getRootProps, getInputProps, getListboxProps, getOptionProps, groupedOptions } = useAutocomplete<Hit>({
    id: 'finder',
    options: hits,
    // Filtering happens in `search-results.ts` and on the server.
    filterOptions: (all) => all,
    groupBy: ({ group }) => group,
    getOptionLabel: ({ key }) => key,
    autoHighlight: true,
    open: true,
    value: null,
    inputValue: typed,
    onInputChange: (_event, text, reason) => {
      if (reason === 'input') setTyped(text);
    },
    onChange: (_event, hit) => {
      if (hit === null) return;
      onClose();
      if (hit.kind === 'action') hit.run();
      else void navigate(hit.to);
    },
    onClose: (_event, reason) => {
      if (reason === 'escape') onClose();
    },
  });
  const term = typed.trim();
  return (
    <div {...getRootProps()} className="finder-body">
      <div className="finder-head">
        <Search size={18} aria-hidden="true" />
        <input
          {...getInputProps()}
          type="text"
          // The dialog opens for this field.
          autoFocus
          aria-label={t('search.title')}
          placeholder={t(isAdmin ? 'search.hint_admin' : 'search.hint')}
          maxLength={CONSTANTS.searchLengthMax}
          enterKeyHint="go"
        />
        <IconButton icon={X} iconSize={18} label={t('layout.close')} onClick={onClose} />
      </div>
      <p className="vh" role="status">
        {term === '' ? '' : isSearching ? t('search.searching') : t('search.found', { smart_count: hits.length })}
      </p>
      {groupedOptions.length === 0 ? null : (
        <ul {...getListboxProps()} aria-label={t('search.title')} aria-busy={isSearching}>
          {groupedOptions.map((hits) => (
            <HitGroup key={hits.key} hits={hits} optionProps={getOptionProps} />
          ))}
        </ul>
      )}
      <SearchNotes search={search} term={term} isAdmin={isAdmin} />
      <footer aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t('search.choose')} <kbd>↵</kbd> {t('search.open')} <kbd>Esc</kbd> {t('search.leave')}
      </footer>
    </div>
  );
}
