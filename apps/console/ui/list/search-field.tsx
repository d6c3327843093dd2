import { CONSTANTS } from '@moorage/domain';
import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../texts/console-i18n';
import { IconButton } from '../button';
import '../form/field-frame.css';

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
    <span className={wide ? 'in search whole' : 'in search'}>
      {icon}
      <input
        type="search"
        aria-label={label}
        maxLength={CONSTANTS.searchLengthMax}
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {value === '' ? null : (
        <IconButton size="small" icon={X} label={t('layout.clear_search')} onClick={() => onChange('')} />
      )}
    </span>
  );
}
