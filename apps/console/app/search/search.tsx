import { Search } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useEvent } from 'react-admin';
import { CONNECTION_MESSAGES } from '@moorage/domain';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { isOverlayOpen } from '../../ui/keyboard';
import { showToast } from '../../ui/toasts';
import type { SearchDialogProps } from './search-dialog';
import './search-button.css';

const APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

/** Search available everywhere, toggled with Ctrl K or Cmd K. The dialog is loaded on first use. */
export function useSearchDialog(): { show: () => void; dialog: ReactNode } {
  const [Dialog, setDialog] = useState<ComponentType<SearchDialogProps> | null>(null);
  const [open, setOpen] = useState(false);
  const show = useEvent(async () => {
    try {
      if (Dialog === null) {
        const { SearchDialog } = await import('./search-dialog');
        setDialog(() => SearchDialog);
      }
      setOpen(true);
    } catch {
      showToast(messageText(CONNECTION_MESSAGES.network), 'error');
    }
  });
  const close = useEvent(() => setOpen(false));

  const onKey = useEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    if (key.toLowerCase() !== 'k' || altKey || shiftKey || !(APPLE ? metaKey : ctrlKey)) return;
    event.preventDefault();
    if (open) close();
    else if (!isOverlayOpen()) void show();
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onKey]);

  return { show: () => void show(), dialog: Dialog === null ? null : <Dialog open={open} onClose={close} /> };
}

export function SearchButton({ onClick }: { onClick: () => void }) {
  const t = useText();
  return (
    <button
      type="button"
      className="find"
      aria-haspopup="dialog"
      aria-keyshortcuts={APPLE ? 'Meta+K' : 'Control+K'}
      onClick={onClick}
    >
      <Search size={16} aria-hidden="true" />
      <span className="grow">{t('search.button')}</span>
      <kbd aria-hidden="true">{APPLE ? '⌘ K' : t('search.keys')}</kbd>
    </button>
  );
}
