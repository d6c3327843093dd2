import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../texts/console-i18n';
import { Button } from './button';
import './error-alert.css';

/** Error message. `detail` is the reason, below the message. `onRetry` is null if a retry can't help. */
export function ErrorAlert({
  text,
  detail = '',
  onRetry,
}: {
  text: ReactNode;
  detail?: string;
  onRetry: (() => void) | null;
}) {
  const t = useText();
  return (
    <div className="note port trouble">
      <CircleAlert size={16} aria-hidden="true" />
      <div className="grow" role="alert">
        <b>{text}</b>
        {detail === '' ? null : <p>{detail}</p>}
      </div>
      {onRetry === null ? null : <Button onClick={onRetry}>{t('layout.try_again')}</Button>}
    </div>
  );
}
