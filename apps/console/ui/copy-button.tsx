import { Check, Copy } from 'lucide-react';
import { useText } from '../texts/console-i18n';
import { useCopied } from './use-copied';
import { Button } from './button';
import './copy-button.css';

/** Icon button directly after the value it copies. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const t = useText();
  const { copied, copy } = useCopied();
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      className={copied ? 'copy done' : 'copy'}
      aria-label={copied ? t('layout.copied') : t('layout.copy_what', { what })}
      title={copied ? t('layout.copied') : t('layout.copy')}
      onClick={() => copy(value)}
    >
      <Icon size={16} aria-hidden="true" />
      <span className="vh" role="status">
        {copied ? t('layout.copied') : ''}
      </span>
    </button>
  );
}

/** Copy button with a label, for blocks of text. */
export function CopyTextButton({ value, label }: { value: string; label?: string }) {
  const t = useText();
  const { copied, copy } = useCopied();
  const Icon = copied ? Check : Copy;
  return (
    <Button size="small" onClick={() => copy(value)} icon={Icon}>
      <span aria-live="polite">{copied ? t('layout.copied') : (label ?? t('layout.copy'))}</span>
    </Button>
  );
}
