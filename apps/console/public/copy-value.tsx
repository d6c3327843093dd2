import { CONSTANTS } from '@moorage/domain';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePublicText } from '../texts/locale';

/** A long value, cut at its end with the whole in its title, and the button that copies it. */
export function CopyValue({ value, what }: { value: string; what: string }) {
  const t = usePublicText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), CONSTANTS.copyConfirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
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
        onClick={() =>
          void navigator.clipboard.writeText(value).then(
            () => setCopied(true),
            () => undefined,
          )
        }
      >
        <Icon size={16} aria-hidden="true" />
      </button>
      <span className="vh" role="status">
        {copied ? t('copy.done') : ''}
      </span>
    </span>
  );
}
