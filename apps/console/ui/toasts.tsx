import { CONSTANTS } from '@moorage/domain';
import { CircleCheck, Info, OctagonX, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { usePublicText } from '../texts/locale';
import { Link } from './link';

type Kind = 'info' | 'success' | 'error';
interface Options {
  /** Heading above the message. */
  readonly title?: string;
  /** Display time. */
  readonly durationMs?: number;
  /** Link to the result. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
}
interface Toast extends Options {
  readonly id: number;
  readonly message: string;
  readonly kind: Kind;
}

let toasts: readonly Toast[] = [];
let counter = 0;
const listeners = new Set<() => void>();

/** Shows a result briefly. Anything the user must read or copy does not belong in a toast. */
export function showToast(message: string, kind: Kind = 'info', options: Options = {}): void {
  counter += 1;
  change([...toasts, { ...options, id: counter, message, kind }]);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Toasts of the public side, which survive page changes. Both live regions exist before the first message. */
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

/** Disappears automatically, but not while it is hovered or focused. */
function ToastLine({ id, message, kind, title, durationMs = CONSTANTS.toastMs, link }: Toast) {
  const t = usePublicText();
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = pointed || focused;
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => dismiss(id), durationMs);
    return () => clearTimeout(timer);
  }, [id, paused, durationMs]);
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
      <span>
        {title === undefined ? null : <b className="toast-title">{title}</b>}
        {message}
      </span>
      {link === undefined ? null : (
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
