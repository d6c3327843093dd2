import { type RefObject, useLayoutEffect, useState } from 'react';

/** How wide an element is, measured before the first paint and whenever it changes. */
export function useWidth(element: RefObject<HTMLElement | null>, before: number): number {
  const [width, setWidth] = useState(before);
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return;
    const measure = (): void => {
      const now = Math.round(measured.clientWidth);
      if (now > 0) setWidth(now);
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
