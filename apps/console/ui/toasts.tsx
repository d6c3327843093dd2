import { CONSTANTS } from '@moorage/domain';
import { CircleCheck, Info, OctagonX, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { create } from 'zustand';
import { usePublicText } from '../texts/locale';
import { Link } from './link';
import './toasts.css';

type Kind = 'info' | 'success' | 'error';
interface Options {
  /** Heading above the message. */
  readonly title?: string | undefined;
  /** Display time. Null until the user dismisses it. */
  readonly durationMs?: number | null | undefined;
  /** Link to the result. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
  /** Button that undoes what the message reports. `end` is called once, when the user can no longer undo it. */
  readonly undo?: { readonly label: string; readonly end: (isUndone: boolean) => void } | undefined;
}
interface Toast extends Options {
  readonly id: number;
  readonly message: ReactNode;
  readonly kind: Kind;
}

interface Shown {
  readonly toasts: readonly Toast[];
}

const NONE: Shown = { toasts: [] };
const useShown = create<Shown>(() => NONE);
let counter = 0;

/** Shows a result briefly. Anything the user must read or copy does not belong in a toast. */
export function showToast(message: ReactNode, kind: Kind = 'info', options: Options = {}): void {
  counter += 1;
  const toast: Toast = { ...options, id: counter, message, kind };
  useShown.setState(({ toasts }) => ({ toasts: [...toasts, toast] }));
}

/** Removes a toast. It is undone only by its button. */
function dismiss({ id, undo }: Toast, isUndone = false): void {
  const { toasts } = useShown.getState();
  if (!toasts.some((toast) => toast.id === id)) return;
  useShown.setState({ toasts: toasts.filter((toast) => toast.id !== id) });
  undo?.end(isUndone);
}

/** Removes all toasts, as a page load does. */
export function forgetToasts(): void {
  useShown.setState(NONE);
}

export const useHasToasts = (): boolean => useShown(({ toasts }) => toasts.length > 0);

/** Toasts of both sides, which survive page changes. Both live regions exist before the first message. */
export function Toasts() {
  const shown = useShown(({ toasts }) => toasts);
  const isError = ({ kind }: Toast): boolean => kind === 'error';
  return (
    <div className="toasts">
      <div role="alert">
        {shown.filter(isError).map((toast) => (
          <ToastLine key={toast.id} toast={toast} />
        ))}
      </div>
      <div role="status">
        {shown
          .filter((toast) => !isError(toast))
          .map((toast) => (
            <ToastLine key={toast.id} toast={toast} />
          ))}
      </div>
    </div>
  );
}

const ICONS = { info: Info, success: CircleCheck, error: OctagonX };

/** Disappears automatically, but not while it is hovered or focused. */
function ToastLine({ toast }: { toast: Toast }) {
  const { message, kind, title, durationMs = CONSTANTS.toastMs, link, undo } = toast;
  const t = usePublicText();
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const paused = pointed || focused;
  useEffect(() => {
    if (paused || durationMs === null) return;
    const timer = setTimeout(() => dismiss(toast), durationMs);
    return () => clearTimeout(timer);
  }, [toast, paused, durationMs]);
  useLeaveWarning(undo !== undefined);
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
        <Link href={link.href} onClick={() => dismiss(toast)}>
          {link.label}
        </Link>
      )}
      {undo === undefined ? null : (
        <button type="button" className="undo" onClick={() => dismiss(toast, true)}>
          {undo.label}
        </button>
      )}
      <button type="button" aria-label={t('toast.dismiss')} onClick={() => dismiss(toast)}>
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

/** Has the browser ask before it leaves the page, because what can still be undone has not been sent yet. */
function useLeaveWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
