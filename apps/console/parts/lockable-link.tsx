import type { ComponentProps } from 'react';
import { ButtonLink } from '../ui/button-link';
import { LockedButton } from './locked-button';
import { useViewLock } from './view-lock';

/** Link to a page that changes something, such as an order. Disabled with the reason during impersonation. */
export function LockableLink({
  to,
  kind,
  size,
  icon,
  children,
}: Pick<ComponentProps<typeof ButtonLink>, 'to' | 'kind' | 'size' | 'icon' | 'children'>) {
  const lock = useViewLock();
  const look = { kind, size, icon };
  return lock === null ? (
    <ButtonLink to={to} {...look}>
      {children}
    </ButtonLink>
  ) : (
    <LockedButton reason={lock} onClick={ignore} {...look}>
      {children}
    </LockedButton>
  );
}

const ignore = (): void => undefined;
