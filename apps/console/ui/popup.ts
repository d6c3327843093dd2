import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import './popup.css';

interface Popup {
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
  /** Wraps the button and the list. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** State of a list below a button. Closes on Escape, on a click outside, or when the focus leaves. */
export function usePopup(): Popup {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!(event.target instanceof Node && box.current?.contains(event.target) === true)) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    opener.current?.focus();
  };
  return { open, setOpen, box, opener, onKeyDown };
}
