import { CONSTANTS } from '@moorage/domain';
import { CircleCheck, Info, OctagonX, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { usePublicText } from '../texts/locale';
import { Link } from './link';

type Kind = 'info' | 'success' | 'error';
interface Toast {
  readonly id: number;
  readonly message: string;
  readonly kind: Kind;
  /** Where it can be seen. */
  readonly link: { readonly href: string; readonly label: string } | null;
}

let toasts: readonly Toast[] = [];
let made = 0;
const listeners = new Set<() => void>();

/** Says a result for a moment. What a person must read or copy is never in a toast. */
export function showToast(message: string, kind: Kind = 'info', link: Toast['link'] = null): void {
  made += 1;
  change([...toasts, { id: made, message, kind, link }]);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** The toasts of the public side; they outlive a change of page. Both live regions are there before anything is said. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  const isError = ({ kind }: Toast): boolean => kind === 'error';
  return (
    <div className="toasts">
      <div role="alert">
        {shown.filter(isError).map((toast) => (
          <ToastLine key={toast.id} {...toast} />
        ))}
      </div>
      <div role="status">
        {shown
          .filter((toast) => !isError(toast))
          .map((toast) => (
            <ToastLine key={toast.id} {...toast} />
          ))}
      </div>
    </div>
  );
}

const ICONS = { info: Info, success: CircleCheck, error: OctagonX };

/** Goes by itself; not while somebody points at it or has the focus in it. */
function ToastLine({ id, message, kind, link }: Toast) {
  const t = usePublicText();
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = pointed || focused;
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => dismiss(id), CONSTANTS.toastMs);
    return () => clearTimeout(timer);
  }, [id, paused]);
  const Icon = ICONS[kind];
  return (
    <div
      className="toast"
      onMouseEnter={() => setPointed(true)}
      onMouseLeave={() => setPointed(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{message}</span>
      {link === null ? null : (
        <Link href={link.href} onClick={() => dismiss(id)}>
          {link.label}
        </Link>
      )}
      <button type="button" aria-label={t('toast.dismiss')} onClick={() => dismiss(id)}>
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
