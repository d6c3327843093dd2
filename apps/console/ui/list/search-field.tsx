import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { CONSTANTS } from '@moorage/domain';
import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../texts/console-i18n';
import { IconButton } from '../button';

export function SearchField({
  label,
  placeholder = label,
  icon = <Search size={16} aria-hidden="true" />,
  wide = false,
  value,
  onChange,
}: {
  label: string;
  placeholder?: string;
  icon?: ReactNode;
  wide?: boolean;
  value: string;
  onChange: (text: string) => void;
}) {
  const t = useText();
  return (
    <TextField
      className={wide ? 'search whole' : 'search'}
      type="search"
      value={value}
      placeholder={placeholder}
      onChange={({ target }) => onChange(target.value)}
      slotProps={{
        htmlInput: { 'aria-label': label, maxLength: CONSTANTS.searchLengthMax },
        input: {
          startAdornment: <InputAdornment position="start">{icon}</InputAdornment>,
          ...(value === ''
            ? {}
            : {
                endAdornment: (
                  <InputAdornment position="end">
                    <IconButton size="small" icon={X} label={t('layout.clear_search')} onClick={() => onChange('')} />
                  </InputAdornment>
                ),
              }),
        },
      }}
    />
  );
}
