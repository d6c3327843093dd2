import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../texts/console-i18n';
import { Button } from './button';

/** Error message with a retry button. */
export function ErrorAlert({ text, onRetry }: { text: ReactNode; onRetry: () => void }) {
  const t = useText();
  return (
    <div className="note port trouble">
      <CircleAlert size={16} aria-hidden="true" />
      <p className="grow" role="alert">
        <b>{text}</b>
      </p>
      <Button onClick={onRetry}>{t('layout.try_again')}</Button>
    </div>
  );
}
