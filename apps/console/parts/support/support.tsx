import { LifeBuoy } from 'lucide-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { ACCESS_MESSAGES } from '@moorage/domain';
import { useSession } from '../../data/session';
import { messageText, usePublicText } from '../../texts/locale';
import { showToast } from '../../ui/toasts';
import { contactSupport, closeSupport, useSupportDesk } from './support-desk';
import { openDeployment } from './open-deployment';
import type { PanelProps } from './support-panel';
import './support-button.css';

/**
 * Support button on every page of both sides, with a panel loaded on the first click. A closed panel keeps its text
 * until the message is sent or the user logs out.
 */
export function Support() {
  const t = usePublicText();
  const { open, about, opener } = useSupportDesk();
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const [formKey, setFormKey] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  useSignedOut(() => {
    closeSupport();
    setFormKey((now) => now + 1);
  });
  useEffect(() => {
    if (!open) return;
    import('./support-panel').then(
      ({ SupportPanel }) => setPanel(() => SupportPanel),
      () => {
        closeSupport();
        showToast(messageText(ACCESS_MESSAGES.network), 'error');
      },
    );
  }, [open]);

  const close = (): void => {
    closeSupport();
    const back =
      opener instanceof HTMLElement && opener !== document.body && opener.isConnected ? opener : button.current;
    back?.focus();
  };

  return (
    <aside className="support-corner" aria-label={t('support.button')}>
      <button
        type="button"
        ref={button}
        className="support"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={t('support.button')}
        onClick={() => (open ? close() : contactSupport(openDeployment()))}
      >
        <LifeBuoy size={18} aria-hidden="true" />
        <span>{t('support.button')}</span>
      </button>
      {Panel === null ? null : (
        <Panel
          key={formKey}
          open={open}
          about={about}
          onClose={close}
          onSent={() => {
            close();
            setFormKey((now) => now + 1);
          }}
        />
      )}
    </aside>
  );
}

/** Calls `then` when the user has logged out, so that the next user of this browser does not see their text. */
function useSignedOut(then: () => void): void {
  const now = useSession()?.user?.id ?? null;
  const before = useRef(now);
  useEffect(() => {
    const left = before.current !== null && before.current !== now;
    before.current = now;
    if (left) then();
  });
}
