import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns the width of an element, measured before the first paint and on every resize. */
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
