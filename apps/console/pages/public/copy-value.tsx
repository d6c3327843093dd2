import { Check, Copy } from 'lucide-react';
import { usePublicText } from '../../texts/locale';
import { useCopied } from '../../ui/use-copied';
import '../../ui/copy-button.css';

/** Long value, truncated with the full text in its title, and a copy button. */
export function CopyValue({ value, what }: { value: string; what: string }) {
  const t = usePublicText();
  const { copied, copy } = useCopied();
  const Icon = copied ? Check : Copy;
  return (
    <span className="row copy-value">
      <span className="mono" title={value}>
        {value}
      </span>
      <button
        type="button"
        className={copied ? 'copy done' : 'copy'}
        aria-label={t('copy.what', { what })}
        onClick={() => copy(value)}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
      <span className="vh" role="status">
        {copied ? t('copy.done') : ''}
      </span>
    </span>
  );
}
