import { onlineManager } from '@tanstack/react-query';
import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useText } from '../../texts/console-i18n';
import './offline-note.css';

const subscribe = (listener: () => void): (() => void) => onlineManager.subscribe(listener);
const isOnline = (): boolean => onlineManager.isOnline();

/** Line below the bar while the browser has no connection. Requests wait until then, and pages keep their data. */
export function OfflineNote() {
  const t = useText();
  const online = useSyncExternalStore(subscribe, isOnline);
  return (
    <div role="status">
      {online ? null : (
        <p className="offline-note">
          <WifiOff size={16} aria-hidden="true" />
          {t('layout.offline')}
        </p>
      )}
    </div>
  );
}
