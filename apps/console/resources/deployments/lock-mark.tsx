import { Lock } from 'lucide-react';
import { useText } from '../../texts/console-i18n';
import './lock-mark.css';

/** Icon next to a name that is locked against deletion. */
export function LockMark() {
  const t = useText();
  const words = t('deployments.protection.mark');
  return (
    <span className="lock-mark" role="img" aria-label={words} title={words}>
      <Lock size={14} aria-hidden="true" />
    </span>
  );
}
