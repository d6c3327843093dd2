import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { DEPLOYMENT_GROUPS, type DeploymentGroup } from '@moorage/domain';
import { Search, User, X } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { DeploymentCounts } from '../data/deployments';
import { useText } from '../texts/console-i18n';

/** Search, the administrators' filter by owner, and the segments with their counts. */
export const ListTools = memo(function ListTools({
  search,
  onSearch,
  owner,
  onOwner,
  group,
  onGroup,
  counts,
}: {
  search: string;
  onSearch: (text: string) => void;
  /** null: not an administrator. */
  owner: string | null;
  onOwner: (text: string) => void;
  group: DeploymentGroup;
  onGroup: (group: DeploymentGroup) => void;
  counts: DeploymentCounts | undefined;
}) {
  const t = useText();
  return (
    <div className="tools">
      <SearchField
        label={t('deployments.search')}
        hint={t('deployments.search_hint')}
        icon={<Search size={16} aria-hidden="true" />}
        value={search}
        onChange={onSearch}
      />
      {owner === null ? null : (
        <SearchField
          label={t('deployments.owner_filter')}
          hint={t('deployments.owner_filter_hint')}
          icon={<User size={16} aria-hidden="true" />}
          value={owner}
          onChange={onOwner}
        />
      )}
      <div className="seg" role="group" aria-label={t('deployments.groups.label')}>
        {DEPLOYMENT_GROUPS.map((each) => (
          <button key={each} type="button" aria-pressed={each === group} onClick={() => onGroup(each)}>
            {each === 'needs_you' && (counts?.needs_you ?? 0) > 0 ? <span className="dot" aria-hidden="true" /> : null}
            {t(`deployments.groups.${each}`)} <b>{counts?.[each] ?? ''}</b>
          </button>
        ))}
      </div>
      <span className="grow hide-s" />
      <span className="small muted hide-s newest nowrap">{t('deployments.newest_first')}</span>
    </div>
  );
});

function SearchField({
  label,
  hint,
  icon,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  icon: ReactNode;
  value: string;
  onChange: (text: string) => void;
}) {
  const t = useText();
  return (
    <TextField
      className="search"
      type="search"
      value={value}
      placeholder={hint}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{
        htmlInput: { 'aria-label': label, maxLength: 100 },
        input: {
          startAdornment: <InputAdornment position="start">{icon}</InputAdornment>,
          ...(value === ''
            ? {}
            : {
                endAdornment: (
                  <InputAdornment position="end">
                    <IconButton size="small" aria-label={t('deployments.clear_search')} onClick={() => onChange('')}>
                      <X size={16} aria-hidden="true" />
                    </IconButton>
                  </InputAdornment>
                ),
              }),
        },
      }}
    />
  );
}
