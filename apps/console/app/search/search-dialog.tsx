import useAutocomplete from '@mui/material/useAutocomplete';
import { CONSTANTS } from '@moorage/domain';
import { CircleAlert, CornerDownLeft, FileText, Plus, Search, User, X } from 'lucide-react';
import { type FocusEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { usePackages } from '../../data/catalogue';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { PackageMark } from '../../parts/package-mark';
import { markIn } from '../../data/package-marks';
import { StatusLabel } from '../../parts/status-label';
import type { Hit } from './search-results';
import './search.css';
import { useSearch } from './use-search';
import { Button, IconButton } from '../../ui/button';
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
  const { hits, isSearching, failure, tryAgain } = useSearch(typed);
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
      void navigate(hit.to);
    },
    onClose: (_event, reason) => {
      if (reason === 'escape') onClose();
    },
  });
  const groups = groupedOptions;
  const term = typed.trim();
  const hint = t(isAdmin ? 'search.hint_admin' : 'search.hint');
  const isVain = term !== '' && hits.length === 0 && !isSearching && failure === null;
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
          placeholder={hint}
          maxLength={CONSTANTS.searchLengthMax}
          enterKeyHint="go"
        />
        <IconButton icon={X} iconSize={18} label={t('layout.close')} onClick={onClose} />
      </div>
      <p className="vh" role="status">
        {term === '' ? '' : isSearching ? t('search.searching') : t('search.found', { smart_count: hits.length })}
      </p>
      {groups.length === 0 ? null : (
        <ul {...getListboxProps()} aria-label={t('search.title')} aria-busy={isSearching}>
          {groups.map(({ key, group, index, options }) => (
            <li key={key} role="presentation">
              <ul role="group" aria-labelledby={`finder-${group}`}>
                <li role="presentation" id={`finder-${group}`} className="finder-group">
                  {t(`search.${group as Hit['group']}`)}
                </li>
                {options.map((hit, at) => {
                  const { key: _key, ...option } = getOptionProps({ option: hit, index: index + at });
                  return (
                    <li key={hit.key} {...option}>
                      <HitLine hit={hit} />
                    </li>
                  );
                })}
              </ul>
            </li>
          ))}
        </ul>
      )}
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
      <footer aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> {t('search.choose')} <kbd>↵</kbd> {t('search.open')} <kbd>Esc</kbd> {t('search.leave')}
      </footer>
    </div>
  );
}

/** Search result with icon, name, distinguishing details and status. */
function HitLine({ hit }: { hit: Hit }) {
  return (
    <>
      <HitIcon hit={hit} />
      <span className="what">
        <b>{hit.name}</b>
        <HitDetails hit={hit} />
      </span>
      {hit.kind === 'deployment' && hit.deployment !== null ? (
        <span className="state">
          <StatusLabel status={hit.deployment.status} deletedAt={hit.deployment.deleted_at} />
        </span>
      ) : null}
      <CornerDownLeft className="go" size={16} aria-hidden="true" />
    </>
  );
}

function HitIcon({ hit }: { hit: Hit }) {
  const { data: packages } = usePackages();
  if (hit.kind === 'deployment' && hit.deployment !== null) {
    return <PackageMark mark={markIn(packages, hit.deployment.package)} size="s" />;
  }
  const Icon = hit.kind === 'user' ? User : hit.to === '/create-deployment' ? Plus : FileText;
  return (
    <span className="mark s" aria-hidden="true">
      <Icon size={16} />
    </span>
  );
}

function HitDetails({ hit }: { hit: Hit }) {
  if (hit.kind === 'screen') return null;
  const details =
    hit.kind === 'user'
      ? [hit.user?.email]
      : [hit.deployment?.domain ?? hit.deployment?.vps_ip_address, hit.deployment?.user?.username];
  return <small>{[`#${hit.id}`, ...details].filter((text) => text != null).join(', ')}</small>;
}
