import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { go } from '../data/navigation';

/**
 * Link within the product. Has a real address but navigates without a page load. Modified clicks are left to the
 * browser.
 */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
