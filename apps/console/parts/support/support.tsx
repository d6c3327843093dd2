import { type ComponentType, useEffect, useRef, useState } from 'react';
import { CONNECTION_MESSAGES } from '@moorage/domain';
import { useSession } from '../../data/session';
import { messageText, usePublicText } from '../../texts/locale';
import { showToast } from '../../ui/toasts';
import { closeSupport, useSupportDesk } from './support-desk';
import type { PanelProps } from './support-panel';

/**
 * Support panel on every page of both sides, loaded when it first opens. A closed panel keeps its text until the message
 * is sent or the user logs out.
 */
export function Support() {
  const t = usePublicText();
  const { open, about, opener } = useSupportDesk();
  const [Panel, setPanel] = useState<ComponentType<PanelProps> | null>(null);
  const [formKey, setFormKey] = useState(0);
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
        showToast(messageText(CONNECTION_MESSAGES.network), 'error');
      },
    );
  }, [open]);

  const close = (): void => {
    closeSupport();
    if (opener instanceof HTMLElement) opener.focus();
  };

  if (Panel === null) return null;
  return (
    <aside aria-label={t('support.button')}>
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
