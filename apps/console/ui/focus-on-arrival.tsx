import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the heading of the page when the address has changed and the focused element went with the page
 * before. Placed beside the page, so that it waits for the page to load.
 */
export function FocusOnArrival({ at }: { at: string }) {
  const last = useRef(at);
  useEffect(() => {
    if (last.current === at) return;
    last.current = at;
    if (hasFocus()) return;
    const content = document.getElementById('content');
    const target = content?.querySelector('h1') ?? content;
    if (target == null) return;
    if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }, [at]);
  return null;
}

/** Returns whether an element has the focus. */
export const hasFocus = (): boolean => document.activeElement !== null && document.activeElement !== document.body;
